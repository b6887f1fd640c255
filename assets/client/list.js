// The lists of conversations: the sidebar, and the lists on the page of all conversations. This module also writes the
// title of the window, which shows the number of conversations with unread messages.

import { preserveFocus } from './focus.js';
import { times } from './messages.js';
import { conversationId, ownLists, sidebar } from './page.js';
import { isReading } from './reading.js';
import { read } from './requests.js';

const itemIn = (list, conversation) => list?.querySelector(`a[data-conversation="${CSS.escape(conversation)}"]`);
const sidebarLink = (conversation) => itemIn(sidebar, conversation);

// Sets the time of an item's newest message to now, in the format in which the server shows times of the current day.
const showTime = (item) => {
  const now = new Date();
  let time = item.querySelector('time');
  if (!time) {
    // the conversation had no messages
    time = document.createElement('time');
    item.querySelector('.unread').before(time);
  }
  time.dateTime = now.toISOString();
  time.textContent = times.format(now);
};

// Moves a conversation to the top of each list, because the lists begin with the conversation that has the newest
// message. For a channel, also moves its group.
export const moveToTop = (conversation) => {
  for (const list of [sidebar, ownLists]) {
    const item = itemIn(list, conversation);
    if (!item) continue;
    if (list === ownLists) showTime(item);
    preserveFocus(list, () => {
      for (let row = item.closest('li'); row; row = row.parentElement.closest('li')) {
        const first = row.parentElement.firstElementChild;
        if (first !== row) first.before(row);
      }
    });
  }
};

export const showUnread = (conversation, unread) => {
  const before = sidebarLink(conversation)?.querySelector('.unread');
  const isMore = before && unread > (parseInt(before.textContent, 10) || 0);
  if (isMore) moveToTop(conversation);
  // The list is read if the sidebar lacks this conversation and it has unread messages. The server counts to 100 at
  // most, so a number above 99 does not show whether there are new messages. Such a number moves the conversation to
  // the top, because it usually follows a new message. On the page of all conversations, the list is also read, which
  // corrects the order.
  if (before ? ownLists && unread > 99 : unread > 0) readListSoon();
  for (const item of document.querySelectorAll('a[data-conversation]')) {
    if (item.dataset.conversation !== conversation) continue;
    const number = conversation === conversationId && isReading() ? 0 : unread;
    const badge = item.querySelector('.unread');
    item.classList.toggle('has-unread', number > 0);
    if (!badge) continue;
    badge.hidden = number === 0;
    badge.textContent = number > 99 ? '99+' : String(number || '');
    badge.setAttribute('aria-label', `${badge.textContent} unread`);
  }
  showTotal();
};

// The title of the page, without the number of conversations with unread messages
let { title } = document;

const showTotal = () => {
  const items = sidebar.querySelectorAll('a.has-unread').length;
  document.title = items ? `(${items}) ${title}` : title;
};

// Replaces the title of the page, and updates the title of the window.
export const showTitle = (text) => {
  title = text;
  showTotal();
};

let listNumber = 0;
export const readList = () => {
  const number = ++listNumber;
  // reading either of these pages marks no conversation as read
  return read(ownLists ? location.href : '/start', (answer) => {
    const fresh = answer.querySelector('nav.side');
    // responses can arrive in another order than the requests were sent
    if (!fresh || number !== listNumber) return;
    preserveFocus(sidebar, () => sidebar.replaceChildren(...fresh.childNodes));
    if (conversationId) sidebarLink(conversationId)?.setAttribute('aria-current', 'page');
    const own = answer.getElementById('own-lists');
    if (ownLists && own) preserveFocus(ownLists, () => ownLists.replaceChildren(...own.childNodes));
    showTotal();
  }).catch(() => {});
};

// Reads the list after a message, because the sidebar lists only the newest conversations and can lack the
// conversation of the message. The random delay spreads the requests of many windows. The pause of 15 seconds limits
// the number of requests while many messages arrive.
let listTimer = null;
let listReadAt = -Infinity;
const readListSoon = () => {
  if (listTimer) return;
  const pause = Math.max(1000, listReadAt + 15000 - performance.now()) + Math.random() * 4000;
  listTimer = setTimeout(() => {
    listTimer = null;
    listReadAt = performance.now();
    readList();
  }, pause);
};
