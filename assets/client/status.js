// Status texts, which screen readers announce.

import { log, main } from './page.js';

const status = document.createElement('p');
status.className = 'status';
status.setAttribute('role', 'status');
document.body.append(status);
let statusTimer;
export const showStatus = (text, isLasting = false) => {
  clearTimeout(statusTimer);
  // a new text removes the button of `showAction`; if the button has the focus, the focus is moved first
  if (status.contains(document.activeElement)) (log ?? main).focus({ preventScroll: true });
  status.textContent = text;
  if (text && !isLasting) statusTimer = setTimeout(() => showStatus(''), 6000);
};

// Shows a status text with a button until the button is pressed or another text is shown. Returns the button.
export const showAction = (text, name, act) => {
  showStatus(text, true);
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = name;
  button.addEventListener('click', () => {
    showStatus('');
    act();
  });
  status.append(' ', button);
  return button;
};
