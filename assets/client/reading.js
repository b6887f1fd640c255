// Marks the conversation as read up to the newest message on the page, with at most one request a second.

import { isAtEnd, toEnd } from './messages.js';
import { isLatest, log, path, view } from './page.js';
import { csrf, submit } from './requests.js';
import { showAction, showStatus } from './status.js';

// the id of the newest message that the person has seen, and the id of the newest message that was reported to the
// server as read
let seen = '';
let readUpTo = '';
// the timer of the next request; not null while a request is planned or not yet answered
let readTimer = null;
// Whether the person sees the newest messages: the page has them, is visible, and is scrolled to the end
export const isReading = () => isLatest && !document.hidden && isAtEnd();

// The button that leads to new messages that the person does not see yet
let newMessagesButton = null;
export const offerNewMessages = () => {
  if (newMessagesButton?.isConnected) return;
  newMessagesButton = showAction('There are new messages below.', 'Show', () => {
    if (!isLatest) return location.assign(path);
    toEnd();
    log.focus({ preventScroll: true });
  });
};

export const markRead = () => {
  if (!view?.isConnected || !isReading()) return;
  if (newMessagesButton?.isConnected) showStatus('');
  const newest = [...log.querySelectorAll('article')].at(-1)?.id ?? '';
  if (newest > seen) seen = newest;
  // further messages do not restart the timer: if they did, a busy conversation would never be marked as read
  if (seen > readUpTo && !readTimer) readTimer = setTimeout(sendMark, 1000);
};

const sendMark = async () => {
  const upTo = seen;
  let pause = 1;
  try {
    const answer = await submit(`${path}/read`, new URLSearchParams({ csrf: csrf(), message_id: upTo }));
    if (answer.code === 429 || answer.code >= 500) pause = answer.pause + Math.random();
    else readUpTo = upTo;
  } catch {
    pause = 15;
  }
  readTimer = seen > readUpTo ? setTimeout(sendMark, pause * 1000) : null;
};
