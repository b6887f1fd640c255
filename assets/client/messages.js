// The messages of the conversation on the page.

import { preserveFocus } from './focus.js';
import { log, ownLists, scroller, userId, view } from './page.js';

export const times = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: zone() });
const days = new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', timeZone: zone() });
const dayNames = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: zone(),
});

// the time zone in which the server wrote the times of the page
function zone() {
  const name = (view ?? ownLists)?.dataset.zone || 'UTC';
  try {
    new Intl.DateTimeFormat('en-GB', { timeZone: name });
    return name;
  } catch {
    return 'UTC';
  }
}

export const article = (text) => {
  const template = document.createElement('template');
  template.innerHTML = text;
  const found = template.content.querySelector('article');
  if (!found) return null;
  if (found.dataset.sender === userId) found.classList.add('mine');
  const dayAndTime = (at) => `${dayNames.format(at)}, ${times.format(at)}`;
  for (const time of found.querySelectorAll('time')) {
    const at = new Date(time.dateTime);
    time.textContent = times.format(at);
    time.title = dayAndTime(at);
  }
  const edited = found.querySelector(':scope > header > .edited[data-at]');
  if (edited) edited.title = dayAndTime(new Date(edited.dataset.at));
  return found;
};

const dayOf = (message) => days.format(new Date(message.dataset.at));

const separator = (message) => {
  const day = document.createElement('div');
  day.className = 'day';
  day.dataset.day = dayOf(message);
  const name = document.createElement('span');
  name.textContent = dayNames.format(new Date(message.dataset.at));
  day.append(name);
  return day;
};

export const isAtEnd = () => !scroller || scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 80;
export const toEnd = () => scroller?.scrollTo({ top: scroller.scrollHeight });

// Inserts a message in order of time, unless the page already has it. Returns whether it was inserted. A later message
// has a greater id, also if the ids are compared as texts.
export const insert = (message) => {
  if (document.getElementById(message.id)) return false;
  const all = [...log.querySelectorAll('article')];
  const next = all.find((other) => other.id > message.id);
  const last = next ? all[all.indexOf(next) - 1] : all.at(-1);
  log.querySelector('.none')?.remove();
  if (next) {
    next.before(message);
  } else {
    log.append(message);
  }
  if (!last || dayOf(last) !== dayOf(message)) message.before(separator(message));
  return true;
};

// The quotes of a message in its replies. Each quote is a link to the message.
export const quotesOf = (id) => log?.querySelectorAll(`a.quote[href$="/${CSS.escape(id)}"]`) ?? [];

// The part of the message's text that the server quotes in replies: its first 200 characters
export const quoted = (message) => [...(message.querySelector(':scope > .text:not(.notice)')?.textContent ?? '')].slice(0, 200).join('');

export const remove = (id) => {
  for (const quote of quotesOf(id)) preserveFocus(quote.closest('article'), () => quote.remove());
  const message = document.getElementById(id);
  if (!message) return;
  if (message.contains(document.activeElement)) log.focus({ preventScroll: true });
  message.remove();
  // Removes the line of a day without messages, and the line that marks new messages if no message follows it. The loop
  // begins with the last line, because removing a line can make the line above it unneeded.
  for (const line of [...log.querySelectorAll(':scope > .day, :scope > .new')].reverse()) {
    const next = line.nextElementSibling;
    const first = line.matches('.day') && next?.matches('.new') ? next.nextElementSibling : next;
    const isNeeded = line.matches('.day') ? first?.matches('article') : next;
    if (!isNeeded) line.remove();
  }
};
