// Keeps the keyboard focus when a part of the page changes.

import { composer, field } from './page.js';

// Calls `change`, which can move, replace or remove elements of `part`. If the keyboard focus was inside `part` and is
// lost by the change, sets the focus to the first of these elements that exists:
// - the element that had the focus, if it is still on the page
// - the link or button of `after` with the same id, or with the same address, value or text
// - the first link in `after` that leads to a single message (`a.at`, the time of the message)
// - the first link or button of `after`
//
// `after` is the element that replaces `part`; by default it is `part` itself.
export const preserveFocus = (part, change, after = part) => {
  const held = part.contains(document.activeElement) ? document.activeElement : null;
  const focusKeyOf = ({ tagName, id, href, value, textContent, parentElement }) => (
    id || [tagName, parentElement.className, href || value || textContent].join(' '));
  const key = held && focusKeyOf(held);
  change();
  if (!held || held === document.activeElement) return;
  const others = [...after.querySelectorAll('a, button')];
  const now = held.isConnected ? held : others.find((other) => focusKeyOf(other) === key);
  (now ?? after.querySelector('a.at') ?? others[0])?.focus({ preventScroll: true });
};

// Moves the keyboard focus to the text field of the composer. Does nothing if an element outside the composer has the
// focus.
export const focusField = () => {
  const { activeElement } = document;
  if (!activeElement || activeElement === document.body || composer.contains(activeElement)) field.focus();
};
