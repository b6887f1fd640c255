// The buttons of apps, and the tools with which a person replies to, edits or deletes a message.

import { composer, hasFiles, log, path, random } from './page.js';
import { replyTo } from './reply.js';
import { post, submit } from './requests.js';
import { showStatus } from './status.js';

// The random numbers that presses send. If a press gets no response or a server error, its number is kept. The next
// press of the button then sends the same number, so that the app is notified once. The key is the address and the
// value of the button. The button's element is not the key, because an edit of the message replaces the element.
const presses = new Map();

// The keys of the disabled buttons. A button is disabled from a press until the response. If the press was accepted,
// the button stays disabled for another second, so that a double click is one press.
const pressed = new Set();
const keyOf = (button) => `${button.formAction} ${button.value}`;
export const showPressed = () => {
  for (const button of log.querySelectorAll('button[form=press]')) {
    if (pressed.has(keyOf(button))) button.setAttribute('aria-disabled', 'true');
    else button.removeAttribute('aria-disabled');
  }
};

const release = (key) => {
  pressed.delete(key);
  showPressed();
};

const press = async (button) => {
  const key = keyOf(button);
  if (pressed.has(key)) return;
  pressed.add(key);
  showPressed();
  if (!presses.has(key)) presses.set(key, random());
  const body = new URLSearchParams(new FormData(document.getElementById('press')));
  body.set(button.name, button.value);
  body.set('press', presses.get(key));
  let pause = 0;
  try {
    const { code, reason } = await submit(button.formAction, body);
    // after a server error, the app has possibly been notified, so the number is kept for another press
    if (code < 500) presses.delete(key);
    if (!reason) pause = 1000;
    showStatus(reason ?? `Sent: ${button.textContent.trim()}`);
  } catch {
    // the number is kept, as after a server error
    showStatus('Not sent: the server cannot be reached. Press again when the connection is back.');
  }
  if (pause) setTimeout(release, pause, key);
  else release(key);
};

export const tools = (message) => {
  if (message.querySelector('.tools') || message.classList.contains('system')) return;
  const bar = document.createElement('div');
  bar.className = 'tools';
  // the toolbar is inside the live region of the messages, but screen readers must not announce it
  bar.setAttribute('aria-live', 'off');
  const address = message.querySelector('a.at')?.getAttribute('href');
  if (composer) {
    const reply = document.createElement('button');
    reply.type = 'button';
    reply.textContent = 'Reply';
    reply.addEventListener('click', () => replyTo(message));
    bar.append(reply);
  }
  const more = document.createElement('a');
  more.href = address;
  more.textContent = message.classList.contains('mine') ? 'Edit or delete' : 'Link';
  bar.append(more);
  message.append(bar);
};

// Handles clicks on messages, shows their tools, and submits the forms that edit and delete.
export const startActions = () => {
  log?.addEventListener('click', (event) => {
    // A download does not leave the page, but it triggers the event `beforeunload`. If files are chosen in the
    // composer, the browser would then ask whether to leave the page (`watchLeaving`). To prevent this question, the
    // download begins in a new window.
    const file = event.target.closest('.files a');
    if (file) file.target = hasFiles() ? '_blank' : '';
    const button = event.target.closest('button[form=press]');
    if (!button) return;
    event.preventDefault();
    // if the app has replaced the pressed button, the second click of a double click must not press the new button
    if (event.detail <= 1) press(button);
  });
  for (const name of ['pointerover', 'focusin']) {
    log?.addEventListener(name, (event) => {
      const message = event.target.closest?.('article');
      if (message) tools(message);
    });
  }

  // The forms that edit and delete the message of the page. Unless the server accepts the form, the page keeps what was
  // typed.
  for (const form of document.querySelectorAll('.target form')) {
    let isBusy = false;
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      if (isBusy) return;
      isBusy = true;
      let reason;
      try {
        const isDeletion = form.matches('.delete');
        reason = await post(form.action, new URLSearchParams(new FormData(form)), isDeletion ? 404 : 0);
        if (!reason) {
          // If files are chosen in the composer, the browser asks before it leaves the page. The person can decide to
          // stay, so the form must work again.
          isBusy = false;
          for (const input of form.querySelectorAll('textarea')) input.defaultValue = input.value;
          return location.assign(isDeletion ? path : form.action.replace(/\/edit$/, ''));
        }
      } catch {
        reason = 'No answer from the server, so the change was probably not made. Try again: it is made only once.';
      }
      isBusy = false;
      form.querySelector('.note')?.remove();
      const note = document.createElement('p');
      note.className = 'note bad';
      note.setAttribute('role', 'alert');
      note.textContent = reason;
      form.prepend(note);
    });
  }
};
