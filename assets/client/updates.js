// The handlers of the stream's events, which update the page.

import { showPressed, tools } from './actions.js';
import { preserveFocus } from './focus.js';
import { moveToTop, readList, showTitle, showUnread } from './list.js';
import { article, insert, isAtEnd, quoted, quotesOf, remove, toEnd } from './messages.js';
import { openAgain } from './outdated.js';
import { outgoing } from './outgoing.js';
import { conversationId, isLatest, path, view } from './page.js';
import { markRead, offerNewMessages } from './reading.js';
import { read } from './requests.js';

let headingReads = 0;
// Updates the heading of the conversation and the title of the page. If the person has gained or lost the right to
// write in the conversation, opens the page again.
const readHeading = () => {
  const number = ++headingReads;
  return read(path, (answer) => {
    const fresh = answer.getElementById('conversation');
    // responses can arrive out of order, so only the response to the latest request is shown
    if (!fresh || number !== headingReads || !view.isConnected) return;
    const heading = fresh.querySelector('.conversation-head');
    const shown = view.querySelector('.conversation-head');
    preserveFocus(shown, () => shown.replaceWith(heading), heading);
    view.dataset.state = fresh.dataset.state ?? '';
    showTitle(answer.title);
    const canWrite = (part) => Boolean(part.querySelector('#composer'));
    if (canWrite(answer) !== canWrite(document)) openAgain();
  });
};

export const handlers = {
  message: (data) => {
    const message = article(data);
    if (!message) return;
    moveToTop(conversationId);
    if (!isLatest) return offerNewMessages();
    const isMine = message.classList.contains('mine');
    const follows = isAtEnd() || (isMine && outgoing.isAwaited);
    const isNew = insert(message);
    if (isNew && isMine) {
      outgoing.isAwaited = false;
      outgoing.hasArrived = true;
    }
    if (isNew && follows) toEnd();
    // while this window sends a message, `send` (composer.js) scrolls to the end or offers new messages afterwards
    else if (isNew && !(isMine && outgoing.current)) offerNewMessages();
    markRead();
  },
  edited: (data) => {
    const message = article(data);
    if (!message) return;
    for (const quote of quotesOf(message.id)) quote.querySelector('span:last-child').textContent = quoted(message);
    const shown = document.getElementById(message.id);
    if (!shown) return;
    for (const name of ['highlighted']) message.classList.toggle(name, shown.classList.contains(name));
    preserveFocus(shown, () => {
      if (shown.querySelector('.tools')) tools(message);
      shown.replaceWith(message);
      showPressed();
    }, message);
  },
  deleted: (id) => remove(id),
  unread: (data) => {
    const { conversation, unread } = JSON.parse(data);
    showUnread(conversation, unread);
  },
  moved: () => readList(),
  renamed: (conversation) => {
    readList();
    if (view && conversation === conversationId) readHeading().catch(() => {});
  },
  reset: () => openAgain(),
  alive: () => {},
};

// The events whose handlers `read` (requests.js) runs a second time after it has shown a page. The page can be older
// than events that arrived while it was requested.
export const repeated = ['edited', 'deleted', 'unread'];
