// The stream of server-sent events, which follows a conversation and the list of conversations.

import { readList, showUnread } from './list.js';
import { openAgain, pageState } from './outdated.js';
import { conversationId, path, sidebar, view } from './page.js';
import { isReading, markRead } from './reading.js';
import { findStatus, isRefusal, pending, reasonOf, scriptHeaders, withTimeout } from './requests.js';
import { showStatus } from './status.js';
import { handlers, repeated } from './updates.js';

let source = null;
let cursor = view?.dataset.cursor ?? '';
let failures = 0;
let wasOpen = false;
let retryTimer;
let hiddenTimer;

// Opens the stream again if nothing arrives for `time` milliseconds. The server sends an event at least every 15
// seconds.
let silenceTimer;
const restartSilenceTimer = (time) => {
  clearTimeout(silenceTimer);
  silenceTimer = setTimeout(retry, time);
};

// Closes the stream and opens it again after a pause. An EventSource reconnects by itself after a lost connection,
// but not after an error status.
const retry = () => {
  failures += 1;
  if (failures === 3) showStatus('The connection is lost. New messages appear when it is back.', true);
  close();
  const pause = Math.min(500 * 2 ** failures, 15000) * (0.75 + Math.random() / 2);
  retryTimer = setTimeout(reopen, failures === 1 ? 50 + Math.random() * 200 : pause);
};

const open = async () => {
  close();
  // If the person has not chosen a company, there is no list to follow, and the server rejects the script's requests.
  if ('unchosen' in sidebar.dataset) return;
  if (isLimited) {
    const number = closeCount;
    const release = await takeStream();
    if (number !== closeCount) return release?.();
    if (!release) return awaitStream();
    releaseStream = release;
  }
  awaited = 0;
  source = new EventSource(address());
  restartSilenceTimer(40000);
  source.onopen = () => {
    isWithoutStream = false;
    if (failures) showStatus('Connected again.');
    // On the page of a conversation, the stream reports missed changes of the list only if the cursor is recent. On
    // other pages, the stream reports no missed changes. So the list is read here. The exception is the first stream on
    // the page of a conversation, if this page was loaded in the last 30 seconds.
    if (wasOpen || !view || performance.now() > 30000) readList();
    failures = 0;
    wasOpen = true;
    markRead();
  };
  for (const [name, act] of Object.entries(handlers)) {
    source.addEventListener(name, (event) => {
      restartSilenceTimer(40000);
      if (event.lastEventId) cursor = event.lastEventId;
      act(event.data);
      if (repeated.includes(name)) pending.forEach((events) => events.push(() => act(event.data)));
    });
  }
  source.onerror = retry;
};

// Over HTTP/1.1, a browser opens at most six connections to a server, for all windows together. Streams may use at
// most four of them: if streams used all six, pages and forms would wait forever. Each stream holds one of four
// locks.
const MAX_STREAMS = 4;
const { nextHopProtocol = '' } = performance.getEntriesByType('navigation')[0] ?? {};
const isLimited = Boolean(navigator.locks) && !/^h[23]/.test(nextHopProtocol);
let releaseStream = null;

// Takes one of the locks. Resolves to the function that releases the lock. If other windows hold all locks, resolves
// to null.
const takeStream = (number = 1) => new Promise((resolve) => {
  if (number > MAX_STREAMS) return resolve(null);
  navigator.locks.request(`stream:${number}`, { ifAvailable: true }, (lock) => (
    lock ? new Promise((release) => { resolve(release); }) : resolve(takeStream(number + 1))
  )).catch(() => resolve(null));
});

let awaited = 0;
const streams = isLimited ? new BroadcastChannel('streams') : null;
// Asks windows in the background to close their streams, and then tries again to open the stream of this window. A
// window in the background does not try: it opens its stream when it is shown.
const awaitStream = () => {
  if (document.hidden) return;
  isWithoutStream = true;
  streams.postMessage('close');
  awaited += 1;
  if (awaited === 3) showTooMany(streamsInUse);
  // once a minute the window calls `reopen`, which notices if the person may no longer see this page
  retryTimer = setTimeout(awaited % 12 ? open : reopen, awaited < 3 ? 500 : 5000);
};

// Whether this window has no stream, because too many windows are open. Such a window loads the conversation again
// after it has sent a message, because no event shows the message.
let isWithoutStream = false;
export const lacksStream = () => isWithoutStream;
const streamsInUse = 'You have too many windows open, so this one does not show new messages by itself. Close '
  + 'others: this one then connects within seconds.';
const showTooMany = (reason) => {
  isWithoutStream = true;
  failures = Math.max(failures, 3);
  showStatus(reason, true);
};

// the address contains the state of the heading: if this window missed a change of the heading, the stream reports it
const address = () => {
  if (!path) return '/conversations/live';
  return `${path}/live?${new URLSearchParams({ after: cursor, state: view.dataset.state ?? '' })}`;
};

// Requests the stream. If the request is rejected with 429, returns the error text and the seconds until the next
// attempt. In all other cases, returns null. `fetch` is used, because an EventSource does not expose the status of a
// rejected request.
const findReason = () => withTimeout(async (signal) => {
  const response = await fetch(address(), { headers: scriptHeaders, signal });
  if (response.status !== 429) return null;
  const pause = Number(response.headers.get('retry-after')) || 1;
  return { reason: reasonOf(429, await response.text()), pause };
}).catch(() => null);

// Number of times that the stream was closed. If the stream is closed while a call of `open` or `reopen` is pending,
// the pending call must not open the stream.
let closeCount = 0;
const reopen = async () => {
  const number = closeCount;
  const status = await findStatus();
  if (number !== closeCount) return;
  // the reloaded page shows what the person may still see
  if (isRefusal(status)) return openAgain();
  const refused = failures > 1 && status === 200 ? await findReason() : null;
  if (number !== closeCount) return;
  if (!refused) return open();
  showTooMany(refused.reason);
  retryTimer = setTimeout(reopen, refused.pause * 1000 * (1 + Math.random() / 2));
};

export const close = () => {
  closeCount += 1;
  clearTimeout(retryTimer);
  clearTimeout(silenceTimer);
  source?.close();
  source = null;
  releaseStream?.();
  releaseStream = null;
};

// Opens the stream if it is not open and the page still exists.
const resume = () => { if (!source && !pageState.isMissing) open(); };

// Closes the stream after a minute in the background. Browsers limit the connections to one host, and windows in the
// background would use them up.
const closeWhileHidden = () => {
  clearTimeout(hiddenTimer);
  if (document.hidden) hiddenTimer = setTimeout(close, 60000);
};

// Returns the id of the last event that has arrived; before the first event, the position at which the page's stream
// begins.
export const lastEvent = () => cursor;

// Called when the server has accepted a message of this window. The event of the message follows at once. So if no
// event has arrived since the event `last`, and none arrives within five seconds, opens the stream again.
export const expectEvent = (last) => {
  if (source && cursor === last) restartSilenceTimer(5000);
};

// Opens the stream. Closes it when the page is left or the window has been hidden for a minute, and opens it again when
// the window is shown or online.
export const follow = () => {
  // no `visibilitychange` event reports that the window was opened in the background
  closeWhileHidden();
  document.addEventListener('visibilitychange', () => {
    closeWhileHidden();
    if (!document.hidden) {
      resume();
      if (conversationId && isReading()) showUnread(conversationId, 0);
      markRead();
    }
  });
  window.addEventListener('online', () => { if (!document.hidden) resume(); });
  window.addEventListener('pagehide', close);
  window.addEventListener('pageshow', (event) => { if (event.persisted) resume(); });
  streams?.addEventListener('message', () => { if (document.hidden) close(); });
  open();
};
