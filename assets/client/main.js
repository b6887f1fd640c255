// Makes the pages of the web client live. Without this script, the pages work by forms and links.
//
// `src/pages/assets/script.rs` lists the modules of this folder and joins them to one script.

import { startActions } from './actions.js';
import { startComposer } from './composer.js';
import { startEarlier } from './earlier.js';
import { ignoreOtherFiles } from './files.js';
import { isAtEnd, toEnd } from './messages.js';
import { log, scroller } from './page.js';
import { markRead } from './reading.js';
import { registerReopening, watchLeaving } from './reopen.js';
import { follow } from './stream.js';
import { keepTyped, restoreFields } from './typed.js';

// Scrolls to the message that the address names, or else to the first unread message, or else to the end.
const startScrolling = () => {
  const target = log.querySelector('.highlighted') ?? log.querySelector('.new');
  if (target) target.scrollIntoView({ block: 'center' });
  else toEnd();
  // If the end of the conversation is in view, it stays in view when the device is turned, the composer grows, or
  // images get their height.
  const sizeNow = () => `${scroller.clientWidth} × ${scroller.clientHeight} × ${log.offsetHeight}`;
  let wasAtEnd = isAtEnd();
  let size = sizeNow();
  scroller.addEventListener('scroll', () => {
    // After a resize, the end may be out of view until the observer is called. A scroll event in this time is ignored,
    // because it does not show that the person left the end.
    if (size === sizeNow()) wasAtEnd = isAtEnd();
  }, { passive: true });
  const resizes = new ResizeObserver(() => {
    size = sizeNow();
    if (wasAtEnd) toEnd();
    else wasAtEnd = isAtEnd();
  });
  resizes.observe(scroller);
  resizes.observe(log);
  scroller.addEventListener('scroll', markRead, { passive: true });
  markRead();
};

registerReopening();
keepTyped();
watchLeaving();
startComposer();
ignoreOtherFiles();
startActions();
startEarlier();
if (scroller) startScrolling();
restoreFields();
follow();
