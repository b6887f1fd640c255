// Makes the pages of the web client live. Without this script, the pages work by forms and links.
//
// - stream: follows a conversation, and the list of conversations, by server-sent events
// - composer: sends without leaving the page, with files by drop and paste and their progress
// - actions: buttons of apps, replies, the forms that edit and delete a message
// - earlier: loads older messages above those that are shown

'use strict';

(() => {
  const sidebar = document.querySelector('nav.side');
  if (!sidebar) return;
  const main = document.getElementById('main');
  const view = document.getElementById('conversation');
  const log = document.getElementById('messages');
  const scroller = view?.querySelector('.scroll');
  // The person's conversations on the page of all conversations; null on other pages
  const ownLists = document.getElementById('own-lists');
  const userId = sidebar.dataset.me;
  const conversationId = view?.dataset.conversation;
  const path = conversationId && `/c/${conversationId}`;
  let { title } = document;
  let isLatest = view?.dataset.latest === 'true';

  const random = () => {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  };

  // ---------------------------------------------------------------------------------------------------------------------
  // Status texts, which screen readers announce

  const status = document.createElement('p');
  status.className = 'status';
  status.setAttribute('role', 'status');
  document.body.append(status);
  let statusTimer;
  const showStatus = (text, isLasting = false) => {
    clearTimeout(statusTimer);
    // the status may contain the focused button of `showAction`, which disappears now
    if (status.contains(document.activeElement)) (log ?? main).focus({ preventScroll: true });
    status.textContent = text;
    if (text && !isLasting) statusTimer = setTimeout(() => showStatus(''), 6000);
  };

  // Shows a status text with a button until the button is pressed or another text is shown. Returns the button.
  const showAction = (text, name, act) => {
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

  // ---------------------------------------------------------------------------------------------------------------------
  // Requests

  // The header of requests by scripts. With it, the server answers 401 to a person who was signed out, and 409 to a
  // person who has not chosen a company. Without it, the server redirects, which a script would take for success.
  const scriptHeaders = { 'x-switchboard-script': '1' };
  const signedOut = 'You were signed out. Open this page again to sign in.';
  const page = (text) => new DOMParser().parseFromString(text, 'text/html');

  // Calls `call` with a signal that aborts after 30 seconds, because a connection can be lost without an error.
  const withTimeout = async (call) => {
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), 30000);
    try {
      return await call(stop.signal);
    } finally {
      clearTimeout(timer);
      stop.abort();
    }
  };

  // Posts a form. The server answers an accepted form with a redirect to the changed page; the redirect is not
  // followed. A status of 2xx and the status `done` also count as accepted. Returns an object:
  // - `code`: the status, 0 for a redirect
  // - `reason`: the text of the error; null if the form was accepted
  // - `pause`: only with an error, the seconds to wait before the next attempt
  const submit = (address, body, done) => withTimeout(async (signal) => {
    const response = await fetch(address, { method: 'POST', body, redirect: 'manual', headers: scriptHeaders, signal });
    const { status: code } = response;
    if (response.type === 'opaqueredirect' || response.ok || code === done) return { code, reason: null };
    if (code === 403 || code === 404) checkSignIn();
    const pause = Number(response.headers.get('retry-after')) || 1;
    return { code, reason: reasonOf(code, await response.text()), pause };
  });

  const post = async (address, body, done) => (await submit(address, body, done)).reason;

  const reasonOf = (code, text) => {
    if (code === 401) return signedOut;
    const answer = page(text);
    // the error page has a new idempotency key if another message was sent with the old one
    const key = answer.querySelector('#composer:has(#composer-error) [name=client_key]');
    if (key && composer) composer.elements.namedItem('client_key').value = key.value;
    const reason = answer.querySelector('.note.bad, [role=alert]')
      // the paragraph below the title of an error page
      ?? answer.querySelector('.trouble h1 + p')
      ?? answer.querySelector('main p:not(.status), main h1');
    return reason?.textContent.trim() || 'It was refused.';
  };

  // Fetches a page and calls `show` with it. The page may be older than the events that arrive before the response, so
  // the handlers of these events (those in `repeated`) run again after `show`.
  const pending = new Set();
  const read = (address, show) => withTimeout(async (signal) => {
    const events = [];
    pending.add(events);
    try {
      const response = await fetch(address, { headers: scriptHeaders, signal });
      const answer = page(await response.text());
      // in these cases, a reload of this page shows the error, or leads to the sign-in page or to the choice of a
      // company
      if (isOtherSession(answer) || isRefusal(response.status)) return openAgain();
      show(answer, response.status);
      events.forEach((repeat) => repeat());
    } finally {
      pending.delete(events);
    }
  });

  // Calls `change`, which may move, replace or remove elements of `part`. If the keyboard focus was inside `part`, it
  // is set again afterwards, to the first of these that exists:
  // - the same element
  // - the link or button of `after` with the same id, or with the same address, value or text
  // - the link to the message in `after`
  // - the first link or button of `after`
  const preserveFocus = (part, change, after = part) => {
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

  const csrf = () => document.querySelector('input[name=csrf]')?.value ?? '';

  // Returns whether a fetched page belongs to another sign-in than this page, or to another chosen company. If so, this
  // page looks live, but the server rejects its forms.
  const isOtherSession = (answer) => {
    const signIn = answer.querySelector('nav.side')?.dataset.signIn;
    return Boolean(signIn) && signIn !== sidebar.dataset.signIn;
  };
  const checkSignIn = async () => {
    if (isRefusal(await findStatus())) openAgain();
  };

  // ---------------------------------------------------------------------------------------------------------------------
  // Reopening the page without losing what was typed in its forms. The composer is not included: it stores its text
  // while the person types (`saveDraft`).

  // Stores a text for this window, and returns whether it was stored. Browsers limit how much a window stores, and
  // throw an error beyond the limit. A text that was not stored can still be sent.
  const store = (key, text) => {
    try {
      sessionStorage.setItem(key, text);
      return true;
    } catch {
      // an earlier text that stays stored would be taken for this one
      sessionStorage.removeItem(key);
      return false;
    }
  };

  // The page to open instead of this one, if this one is the answer to a form, which a reload would submit again
  const pageOfForm = sidebar.dataset.page;
  const fieldsKey = `fields:${userId}:${pageOfForm?.split('?')[0] ?? location.pathname}`;
  // without the required checkbox above "Send" of a draft, because ticking it confirms the text that the page shows now
  const kinds = 'input:not([type=file], [type=checkbox][required]), select, textarea';
  const fieldsOf = (form) => [...form.elements].filter((one) => one.name && one.matches(kinds));
  const isChoice = ({ type }) => type === 'checkbox' || type === 'radio';
  const isChanged = (one) => {
    if (isChoice(one)) return one.checked !== one.defaultChecked;
    if (one.options) return [...one.options].some((option) => option.selected !== option.defaultSelected);
    return one.value !== one.defaultValue;
  };
  // Whether this page is the answer to the form, so that the server has filled in what was typed. The attribute is
  // read, because a field named `action` hides the property of the form.
  const isAnswered = (form) => Boolean(pageOfForm && form)
    && new URL(form.getAttribute('action') ?? '', location.href).href === location.href.split('#')[0];
  const isTyped = (one) => one.type !== 'hidden' && (isAnswered(one.form) || isChanged(one));

  // The kept texts for which the page has no form any more, because the message or the draft can no longer be changed
  let unplaced = [];
  const saveUnplaced = () => {
    if (unplaced.length) store(fieldsKey, JSON.stringify(unplaced));
    else sessionStorage.removeItem(fieldsKey);
  };

  // Keeps what was typed in the forms of the page, except in `submitted`. Returns whether everything was stored.
  const saveFields = (submitted = null) => {
    const kept = [...unplaced];
    for (const form of document.querySelectorAll('main form:not(#composer)')) {
      if (form === submitted) continue;
      const fields = fieldsOf(form).filter(isTyped);
      // two hidden fields are kept too: the version of the draft, so that the server detects other changes, and the
      // idempotency key, so that nothing is created twice
      const hidden = fields.length ? fieldsOf(form).filter(({ name }) => name === 'version' || name === 'client_key') : [];
      for (const one of [...fields, ...hidden]) {
        const { name, value, checked } = one;
        const label = isChoice(one) ? one.labels[0]?.textContent.trim() : undefined;
        kept.push({ action: form.getAttribute('action'), name, value, checked, label, isText: one.matches('textarea') });
      }
    }
    // the text of a draft that was sent or discarded elsewhere
    const shown = document.getElementById('typed');
    if (shown) kept.push({ action: '', name: 'typed', value: shown.value, isText: true });
    if (kept.length) return store(fieldsKey, JSON.stringify(kept));
    sessionStorage.removeItem(fieldsKey);
    return true;
  };

  // Returns a ticked choice for a person who is not among the people of this page, because an earlier search found the
  // person.
  const choice = (name, value, text) => {
    const item = document.createElement('li');
    const label = document.createElement('label');
    const box = document.createElement('input');
    const shown = document.createElement('span');
    Object.assign(box, { type: 'checkbox', name, value, checked: true });
    Object.assign(shown, { dir: 'auto', textContent: text });
    label.append(box, shown);
    item.append(label);
    return item;
  };

  const restoreFields = () => {
    const kept = JSON.parse(sessionStorage.getItem(fieldsKey)) ?? [];
    for (const entry of kept) {
      const { action, name, value, checked, label, isText } = entry;
      const form = document.querySelector(`main form[action="${CSS.escape(action)}"]`);
      const one = form && fieldsOf(form).find((other) => other.name === name && (!isChoice(other) || other.value === value));
      if (!one) {
        const people = name === 'member_ids' && checked ? form?.querySelector('.picks') : null;
        if (people) people.prepend(choice(name, value, label));
        if (!isText) continue;
        unplaced.push(entry);
        showTyped(value, () => {
          unplaced = unplaced.filter((other) => other !== entry);
          saveUnplaced();
        });
        continue;
      }
      if (isChoice(one)) one.checked = checked;
      else one.value = value;
      one.closest('details')?.setAttribute('open', '');
    }
    saveUnplaced();
  };

  // The answer to a form is another page. When the person comes back to this page, for example to the list of drafts,
  // what was typed in its other forms is there again. The forms that this script submits do not leave the page.
  main.addEventListener('submit', (event) => {
    if (!event.defaultPrevented) saveFields(event.target);
  });

  // The functions of the "Discard" buttons, by the field that shows the text
  const discards = new WeakMap();

  // Shows a text that was typed and cannot be sent from this page, so that it can be copied.
  const showTyped = (text, discard) => {
    const part = document.createElement('div');
    part.className = 'typed';
    const label = document.createElement('label');
    const area = document.createElement('textarea');
    area.readOnly = true;
    area.rows = 4;
    area.dir = 'auto';
    area.value = text;
    discards.set(area, discard);
    label.append('What you typed', area);
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'secondary small';
    button.textContent = 'Discard';
    button.addEventListener('click', () => {
      part.remove();
      discard();
      main.focus({ preventScroll: true });
    });
    part.append(label, button);
    (document.getElementById('conversation') ?? main.querySelector('.page') ?? main).append(part);
  };

  const typedFields = () => [...main.querySelectorAll('textarea')].filter((one) => (
    one.value.trim() && (one === field || one.readOnly || isTyped(one))));

  // Returns the error page if the server now answers 404 for this page. Returns null in all other cases, for example if
  // the person has to sign in first. Also returns null if the conversation is in another company, because that error
  // page has a form that chooses the company.
  const findMissing = () => withTimeout(async (signal) => {
    const response = await fetch(pageOfForm ?? location.href, { headers: scriptHeaders, signal });
    if (response.status !== 404) return null;
    const answer = page(await response.text());
    return answer.querySelector('.trouble form') ? null : answer;
  }).catch(() => null);

  // Replaces the content of this page by the error page, and keeps what was typed. The person may not see the rest of
  // this page any more. The page is not reloaded, because the error page has no script that could show the typed texts.
  let isMissing = false;
  const showMissing = (answer) => {
    if (isMissing) return;
    isMissing = true;
    close();
    saveFields();
    const texts = typedFields().map((one) => [
      one.value,
      discards.get(one) ?? (() => sessionStorage.removeItem(one === field ? draftKey : fieldsKey)),
    ]);
    const hasFocus = main.contains(document.activeElement);
    const part = document.createElement('div');
    part.className = 'page';
    part.append(...answer.querySelectorAll('.trouble h1, .trouble h1 + p, .trouble p:has(> .button)'));
    part.querySelector('p')?.setAttribute('role', 'alert');
    main.replaceChildren(part);
    for (const [text, discard] of texts) showTyped(text, discard);
    if (hasFocus) (main.querySelector('textarea') ?? main).focus({ preventScroll: true });
    showStatus('');
    title = answer.title;
    showTotal();
    readList();
  };

  // Opens the page again, so that it shows what the person may see and do now. If the server answers 404 now, a reload
  // would lose typed texts, so `showMissing` keeps them. A reload also loses chosen files, and texts that the browser
  // could not store. If there are any, the page is reloaded only when the person presses a button.
  let isOutdated = false;
  const openAgain = async () => {
    if (isMissing) return;
    const missing = typedFields().length || files?.files.length ? await findMissing() : null;
    if (missing) return showMissing(missing);
    const areFieldsStored = saveFields();
    const isTextStored = !composer?.isConnected || !field.value.trim() || saveDraft();
    const losses = [];
    if (!areFieldsStored || !isTextStored) losses.push('Copy what you typed before you open it again.');
    if (files?.files.length) losses.push('When it is opened again, your files have to be chosen again.');
    if (!losses.length) return reload();
    isOutdated = true;
    close();
    showAction(['This page is out of date.', ...losses].join(' '), 'Open again', reload);
  };

  // Whether the browser must not ask again about the chosen files, because the person has already agreed to leave the
  // page
  let isLeaving = false;
  const reload = () => {
    saveFields();
    isLeaving = true;
    if (!pageOfForm) return location.reload();
    if (composer?.isConnected) saveDraft();
    location.replace(pageOfForm);
  };

  // If files are chosen, the browser asks the person before the page is left, also during an upload, because files
  // cannot be kept.
  const hasFiles = () => Boolean(composer?.isConnected && files.files.length);
  window.addEventListener('beforeunload', (event) => {
    if (hasFiles() && !isLeaving) event.preventDefault();
  });

  // ---------------------------------------------------------------------------------------------------------------------
  // Messages

  const times = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: zone() });
  const days = new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', timeZone: zone() });
  const dayNames = new Intl.DateTimeFormat('en-GB', {
    weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: zone(),
  });

  // the zone in which the server wrote the times of the page
  function zone() {
    const name = (view ?? ownLists)?.dataset.zone || 'UTC';
    try {
      new Intl.DateTimeFormat('en-GB', { timeZone: name });
      return name;
    } catch {
      return 'UTC';
    }
  }

  const article = (text) => {
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

  const isAtEnd = () => !scroller || scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 80;
  const toEnd = () => scroller?.scrollTo({ top: scroller.scrollHeight });

  // Inserts a message and returns whether it is new. Ids increase with time, and their texts sort in the same order.
  const insert = (message) => {
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

  // The quotes of a message in its replies
  const quotesOf = (id) => log?.querySelectorAll(`a.quote[href$="/${CSS.escape(id)}"]`) ?? [];

  // The beginning of the text, as the server quotes it
  const quoted = (message) => [...(message.querySelector(':scope > .text:not(.notice)')?.textContent ?? '')].slice(0, 200).join('');

  const remove = (id) => {
    for (const quote of quotesOf(id)) preserveFocus(quote.closest('article'), () => quote.remove());
    const message = document.getElementById(id);
    if (!message) return;
    if (message.contains(document.activeElement)) log.focus({ preventScroll: true });
    message.remove();
    // from the end, so that a separator of unread messages is removed before the day above it
    for (const line of [...log.querySelectorAll(':scope > .day, :scope > .new')].reverse()) {
      const next = line.nextElementSibling;
      const first = line.matches('.day') && next?.matches('.new') ? next.nextElementSibling : next;
      const isNeeded = line.matches('.day') ? first?.matches('article') : next;
      if (!isNeeded) line.remove();
    }
  };

  // ---------------------------------------------------------------------------------------------------------------------
  // Reading: the newest message on the screen is marked as read, with one request a second at most

  let seen = '';
  let readUpTo = '';
  // the timer of the next request; set until that request is answered
  let readTimer = null;
  // Whether the newest messages are on the screen
  const isReading = () => isLatest && !document.hidden && isAtEnd();

  // The button that leads to new messages below those on the screen
  let newMessagesButton = null;
  const offerNewMessages = () => {
    if (newMessagesButton?.isConnected) return;
    newMessagesButton = showAction('There are new messages below.', 'Show', () => {
      if (!isLatest) return location.assign(path);
      toEnd();
      log.focus({ preventScroll: true });
    });
  };

  const markRead = () => {
    if (!view?.isConnected || !isReading()) return;
    if (newMessagesButton?.isConnected) showStatus('');
    const newest = [...log.querySelectorAll('article')].at(-1)?.id ?? '';
    if (newest > seen) seen = newest;
    // further messages do not restart the timer, because a busy conversation would then never be marked
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

  // ---------------------------------------------------------------------------------------------------------------------
  // The list of conversations

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

  // Moves a conversation, and the group of a channel, to the top of its lists, which have the newest first.
  const moveToTop = (conversation) => {
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

  const showUnread = (conversation, unread) => {
    const before = sidebarLink(conversation)?.querySelector('.unread');
    const isMore = before && unread > (parseInt(before.textContent, 10) || 0);
    if (isMore) moveToTop(conversation);
    // above 99 the number does not say whether a message is new
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

  const showTotal = () => {
    const items = sidebar.querySelectorAll('a.has-unread').length;
    document.title = items ? `(${items}) ${title}` : title;
  };

  let listNumber = 0;
  const readList = () => {
    const number = ++listNumber;
    // neither of these pages marks a conversation as read
    return read(ownLists ? location.href : '/start', (answer) => {
      const fresh = answer.querySelector('nav.side');
      // answers may arrive in another order than their requests were sent
      if (!fresh || number !== listNumber) return;
      preserveFocus(sidebar, () => sidebar.replaceChildren(...fresh.childNodes));
      if (conversationId) sidebarLink(conversationId)?.setAttribute('aria-current', 'page');
      const own = answer.getElementById('own-lists');
      if (ownLists && own) preserveFocus(ownLists, () => ownLists.replaceChildren(...own.childNodes));
      showTotal();
    }).catch(() => {});
  };

  // Reads the list after a message, because the sidebar has only the newest conversations and may lack this one. The
  // random delay spreads the requests of many windows; the pause of 15 seconds limits the requests during many messages.
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

  // Updates the heading of the conversation and the title. Opens the page again if the person may write there now, or no
  // longer may.
  let headings = 0;
  const readHeading = () => {
    const number = ++headings;
    return read(path, (answer) => {
      const fresh = answer.getElementById('conversation');
      // answers may arrive in another order than their requests were sent
      if (!fresh || number !== headings || !view.isConnected) return;
      const heading = fresh.querySelector('.conversation-head');
      const shown = view.querySelector('.conversation-head');
      preserveFocus(shown, () => shown.replaceWith(heading), heading);
      view.dataset.state = fresh.dataset.state ?? '';
      title = answer.title;
      showTotal();
      const canWrite = (part) => Boolean(part.querySelector('#composer'));
      if (canWrite(answer) !== canWrite(document)) openAgain();
    });
  };

  // ---------------------------------------------------------------------------------------------------------------------
  // The stream

  let source = null;
  let cursor = view?.dataset.cursor ?? '';
  let failures = 0;
  let wasOpen = false;
  let retryTimer;
  let hiddenTimer;

  // isAwaited: the server has accepted a message of this window, and the event of the message has not arrived yet.
  // hasArrived: since this window began to send, an event of a message by this person has arrived. It may be the event
  // of the message that is being sent.
  let isAwaited = false;
  let hasArrived = false;

  const handlers = {
    message: (data) => {
      const message = article(data);
      if (!message) return;
      moveToTop(conversationId);
      if (!isLatest) return offerNewMessages();
      const isMine = message.classList.contains('mine');
      const follows = isAtEnd() || (isMine && isAwaited);
      const isNew = insert(message);
      if (isNew && isMine) {
        isAwaited = false;
        hasArrived = true;
      }
      if (isNew && follows) toEnd();
      // this may be the message that is being sent: `send` shows it after the response
      else if (isNew && !(isMine && sending)) offerNewMessages();
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
    deleted: remove,
    unread: (data) => {
      const { conversation, unread } = JSON.parse(data);
      showUnread(conversation, unread);
    },
    moved: readList,
    renamed: (conversation) => {
      readList();
      if (view && conversation === conversationId) readHeading().catch(() => {});
    },
    reset: openAgain,
    alive: () => {},
  };
  const repeated = ['edited', 'deleted', 'unread'];

  // Opens the stream again if nothing arrives for `time` milliseconds. The server sends something every 15 seconds.
  let silenceTimer;
  const listen = (time) => {
    clearTimeout(silenceTimer);
    silenceTimer = setTimeout(retry, time);
  };

  // Closes the stream and opens it again after a pause. An EventSource reconnects by itself only after a lost
  // connection, not after an error status.
  const retry = () => {
    failures += 1;
    if (failures === 3) showStatus('The connection is lost. New messages appear when it is back.', true);
    close();
    const pause = Math.min(500 * 2 ** failures, 15000) * (0.75 + Math.random() / 2);
    retryTimer = setTimeout(reopen, failures === 1 ? 50 + Math.random() * 200 : pause);
  };

  const open = async () => {
    close();
    // The person has not chosen a company: there is no list to follow, and the server rejects the script's requests.
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
    listen(40000);
    source.onopen = () => {
      isWithoutStream = false;
      if (failures) showStatus('Connected again.');
      // The stream of a conversation reports missed changes of the list only if the cursor is recent, and the stream of
      // the list reports none. So the list is read, except after the first stream of a recently loaded conversation.
      if (wasOpen || !view || performance.now() > 30000) readList();
      failures = 0;
      wasOpen = true;
      markRead();
    };
    for (const [name, act] of Object.entries(handlers)) {
      source.addEventListener(name, (event) => {
        listen(40000);
        if (event.lastEventId) cursor = event.lastEventId;
        act(event.data);
        if (repeated.includes(name)) pending.forEach((events) => events.push(() => act(event.data)));
      });
    }
    source.onerror = retry;
  };

  // Over HTTP/1.1, a browser opens at most six connections to a server, for all windows together. Streams use at most
  // four of them, each with one of four locks, because pages and forms would wait for a connection without end.
  const MAX_STREAMS = 4;
  const { nextHopProtocol = '' } = performance.getEntriesByType('navigation')[0] ?? {};
  const isLimited = Boolean(navigator.locks) && !/^h[23]/.test(nextHopProtocol);
  let releaseStream = null;

  // Takes one of the locks. Resolves to the function that releases it; to null if other windows hold all of them.
  const takeStream = (number = 1) => new Promise((resolve) => {
    if (number > MAX_STREAMS) return resolve(null);
    navigator.locks.request(`stream:${number}`, { ifAvailable: true }, (lock) => (
      lock ? new Promise((release) => { resolve(release); }) : resolve(takeStream(number + 1))
    )).catch(() => resolve(null));
  });

  // Tries again to open the stream, after windows in the background have closed theirs. A window in the background does
  // not try: it opens its stream when it is shown.
  let awaited = 0;
  const streams = isLimited ? new BroadcastChannel('streams') : null;
  const awaitStream = () => {
    if (document.hidden) return;
    isWithoutStream = true;
    streams.postMessage('close');
    awaited += 1;
    if (awaited === 3) showTooMany(streamsInUse);
    // each minute with `reopen`, which notices that the person may not see this page any more
    retryTimer = setTimeout(awaited % 12 ? open : reopen, awaited < 3 ? 500 : 5000);
  };
  streams?.addEventListener('message', () => { if (document.hidden) close(); });

  // Whether too many windows are open, so that this one has no stream. No event then shows the message that it sends.
  let isWithoutStream = false;
  const streamsInUse = 'You have too many windows open, so this one does not show new messages by itself. Close '
    + 'others: this one then connects within seconds.';
  const showTooMany = (reason) => {
    isWithoutStream = true;
    failures = Math.max(failures, 3);
    showStatus(reason, true);
  };

  // the address contains the state of the heading, so that the stream reports a change of the heading that this window
  // missed
  const address = () => {
    if (!path) return '/conversations/live';
    return `${path}/live?${new URLSearchParams({ after: cursor, state: view.dataset.state ?? '' })}`;
  };

  // Returns the status of the page, or 0 if no response arrives. Returns 401 also after another sign-in, or if another
  // company was chosen. The server rejects both the page and the stream for a person who was signed out or left the
  // conversation. The page is requested, because it costs less than a stream that is closed at once.
  const findStatus = () => withTimeout(async (signal) => {
    const response = await fetch(path ?? '/start', { headers: scriptHeaders, signal });
    return isOtherSession(page(await response.text())) ? 401 : response.status;
  }).catch(() => 0);
  const isRefusal = (status) => status >= 400 && status < 500 && status !== 408 && status !== 429;

  // Returns the error text of a stream that is rejected with 429, and the seconds until the next attempt; null
  // otherwise. The stream is fetched for that, because an EventSource does not expose the status of a rejected stream.
  const findReason = () => withTimeout(async (signal) => {
    const response = await fetch(address(), { headers: scriptHeaders, signal });
    if (response.status !== 429) return null;
    const pause = Number(response.headers.get('retry-after')) || 1;
    return { reason: reasonOf(429, await response.text()), pause };
  }).catch(() => null);

  // Number of times that the stream was closed. A `reopen` that began before a close must not open the stream.
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

  const close = () => {
    closeCount += 1;
    clearTimeout(retryTimer);
    clearTimeout(silenceTimer);
    source?.close();
    source = null;
    releaseStream?.();
    releaseStream = null;
  };

  // Opens the stream, unless it is open or nothing is left to follow.
  const resume = () => { if (!source && !isMissing) open(); };

  // Browsers limit the connections to one host, and windows in the background would use them up.
  const closeWhileHidden = () => {
    clearTimeout(hiddenTimer);
    if (document.hidden) hiddenTimer = setTimeout(close, 60000);
  };
  // a window that is opened in the background gets no visibilitychange event
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

  // ---------------------------------------------------------------------------------------------------------------------
  // The composer

  const composer = document.getElementById('composer');
  const field = composer?.elements.namedItem('text');
  const files = composer?.elements.namedItem('file');

  // the unsent text is stored per person and conversation; signing out in this window deletes it
  const draftKey = `draft:${userId}:${conversationId}`;
  for (const form of document.querySelectorAll('form[action="/signout"]')) {
    form.addEventListener('submit', (event) => {
      // the script asks here, because after this event the stored texts of other conversations are deleted, even if the
      // person stays
      if (hasFiles() && !window.confirm('The chosen files will not be kept. Sign out?')) {
        event.preventDefault();
        return;
      }
      isLeaving = true;
      sessionStorage.clear();
    });
  }

  const resizeField = () => {
    field.style.height = 'auto';
    field.style.height = `${Math.min(field.scrollHeight + 2, 280)}px`;
  };

  // The message that is being sent; null if there is none. Its fields:
  // - `files`: its files
  // - `removed`: one of the files that was removed in the meantime
  // - `request`: the request that uploads the files
  // - `isUploaded`: the request has been sent completely, so that removing a file would not stop it
  let sending = null;

  const showFiles = () => {
    let list = composer.querySelector('.chosen');
    if (!list) {
      list = document.createElement('ul');
      list.className = 'chosen';
      composer.querySelector('.composer-row').before(list);
    }
    const hadFocus = list.contains(document.activeElement);
    list.replaceChildren(...[...files.files].map((file, index) => {
      const item = document.createElement('li');
      const name = document.createElement('bdi');
      name.textContent = file.name;
      const drop = document.createElement('button');
      drop.type = 'button';
      drop.textContent = '×';
      drop.setAttribute('aria-label', `Remove ${file.name}`);
      drop.hidden = Boolean(sending?.isUploaded && sending.files.includes(file));
      drop.addEventListener('click', () => {
        const kept = new DataTransfer();
        [...files.files].forEach((other, at) => { if (at !== index) kept.items.add(other); });
        files.files = kept.files;
        showFiles();
        field.focus();
        if (sending?.files.includes(file)) {
          sending.removed = file;
          sending.stop?.();
          sending.request?.abort();
        }
      });
      item.append(name, drop);
      return item;
    }));
    list.hidden = files.files.length === 0;
    if (hadFocus) focusField();
  };

  const addFiles = (added) => {
    const all = new DataTransfer();
    for (const file of [...files.files, ...added]) all.items.add(file);
    files.files = all.files;
    showFiles();
  };

  // Moves the keyboard focus to the text, unless the person has moved it out of the composer.
  const focusField = () => {
    const { activeElement } = document;
    if (!activeElement || activeElement === document.body || composer.contains(activeElement)) field.focus();
  };

  const shortName = ({ name }) => [...name].slice(0, 60).join('');

  // Returns why files cannot be sent, in the words of the server; null if they can. If a form is too large, the server
  // responds before it has received all of the form. Browsers do not pass such a response to scripts, so the check is
  // needed here.
  const reasonAgainst = (sent) => {
    const { maxFiles, maxFileBytes, maxBytes, tooMany, tooLarge, tooLargeTogether } = composer.dataset;
    if (sent.length > Number(maxFiles)) return tooMany;
    const large = sent.find(({ size }) => size > Number(maxFileBytes));
    if (large) return tooLarge.replace('{name}', () => shortName(large));
    const total = sent.reduce((sum, { size }) => sum + size, 0);
    return total > Number(maxBytes) ? tooLargeTogether : null;
  };

  // Returns why a file cannot be read; null if all can be read. Browsers report an upload of an unreadable file as a
  // lost connection. The size of an unreadable file may be 0, and the beginning of an empty file is empty even without
  // a read.
  const reasonUnreadable = async (sent) => {
    for (const file of sent) {
      const isReadable = await new Promise((resolve) => {
        // a network drive may never respond; the removal of a file ends the check too
        const timer = setTimeout(resolve, 60000, false);
        sending.stop = () => resolve(true);
        (file.size ? file.slice(0, 1) : file).arrayBuffer()
          .then(() => resolve(true), () => resolve(false)).finally(() => clearTimeout(timer));
      });
      // `upload` reports that nothing was sent
      if (sending.removed) return null;
      if (!isReadable) {
        return `“${shortName(file)}” cannot be read: it is a folder, or was moved or changed. Remove it.`;
      }
    }
    return null;
  };

  // Posts a form with files by XMLHttpRequest, which reports the progress of an upload. Resolves to null if the server
  // accepts the form, and to the reason if it refuses the form. Also resolves to a reason if one of the files is
  // removed before the form has been sent. Without a response, resolves to `tooSlow` if the upload took longer than the
  // server allows; otherwise the promise is rejected.
  const upload = (address, body) => new Promise((resolve, reject) => {
    const stopped = () => `Nothing was sent, because you removed “${shortName(sending.removed)}” before it was sent.`;
    // a file was removed while the files were checked
    if (sending.removed) return resolve(stopped());
    const bar = document.createElement('progress');
    bar.setAttribute('aria-label', 'Sending');
    composer.querySelector('.composer-row').before(bar);
    const request = new XMLHttpRequest();
    request.upload.addEventListener('progress', (event) => {
      if (event.lengthComputable) {
        bar.max = event.total;
        bar.value = event.loaded;
      }
    });
    let stallTimer;
    const wait = () => {
      clearTimeout(stallTimer);
      stallTimer = setTimeout(() => request.abort(), 60000);
    };
    request.upload.addEventListener('progress', wait);
    request.upload.addEventListener('load', () => {
      sending.isUploaded = true;
      showFiles();
    });
    request.addEventListener('loadend', () => {
      clearTimeout(stallTimer);
      bar.remove();
    });
    const began = performance.now();
    for (const name of ['error', 'abort']) {
      request.addEventListener(name, () => {
        if (sending.removed) resolve(stopped());
        // the server closes the connection of an upload that takes longer; a browser that is still sending then reports
        // no response
        else if (performance.now() - began >= composer.dataset.maxSeconds * 1000) resolve(composer.dataset.tooSlow);
        else reject(new Error('network'));
      });
    }
    request.addEventListener('load', () => {
      if (request.status === 403 || request.status === 404) checkSignIn();
      resolve(request.status < 400 ? null : reasonOf(request.status, request.responseText));
    });
    sending.request = request;
    request.open('POST', address);
    for (const [name, value] of Object.entries(scriptHeaders)) request.setRequestHeader(name, value);
    request.send(body);
    wait();
  });

  const storedDraft = () => {
    try {
      return JSON.parse(sessionStorage.getItem(draftKey));
    } catch {
      // an older version of this script stored the draft
      return null;
    }
  };

  // Stores the text with its idempotency key, so that a message that was sent before a reload is not posted twice.
  // Returns whether it was stored.
  const saveDraft = () => {
    const key = composer.elements.namedItem('client_key').value;
    return store(draftKey, JSON.stringify({ text: field.value, key, reply: replyTarget() }));
  };

  const restoreDraft = () => {
    const draft = storedDraft();
    // some browsers fill in the text by themselves, but not the key or the reply
    const isOther = field.value !== '' && field.value !== draft?.text;
    if (!draft?.text || isOther || document.getElementById('composer-error')) return;
    field.value = draft.text;
    composer.elements.namedItem('client_key').value = draft.key;
    // the page of a message begins a reply to that message; a stored text that is no reply must not become one
    if (draft.reply) showReply(draft.reply);
    else clearReply();
  };

  const showRefusal = (reason) => {
    let note = document.getElementById('composer-error');
    if (!note) {
      note = document.createElement('p');
      note.className = 'note bad';
      note.id = 'composer-error';
      note.setAttribute('role', 'alert');
      composer.prepend(note);
      field.setAttribute('aria-describedby', 'composer-error');
    }
    note.textContent = reason;
    field.setAttribute('aria-invalid', 'true');
  };

  const removeRefusal = () => {
    document.getElementById('composer-error')?.remove();
    field.removeAttribute('aria-invalid');
    field.removeAttribute('aria-describedby');
  };

  // Empties the composer after `text` with the files `sent` was sent as a reply to `thread`. What was added since then
  // stays.
  const clearComposer = (text, sent, thread) => {
    if (field.value.startsWith(text)) field.value = field.value.slice(text.length);
    const added = [...files.files].filter((file) => !sent.includes(file));
    files.value = '';
    composer.elements.namedItem('client_key').value = random();
    if (replyTarget()?.id === thread) clearReply();
    addFiles(added);
    resizeField();
    isAwaited = !hasArrived;
    if (hasArrived) toEnd();
    if (field.value) saveDraft();
    else sessionStorage.removeItem(draftKey);
  };

  const clearReply = () => {
    composer.elements.namedItem('thread_id')?.remove();
    composer.querySelector('.reply-to')?.remove();
  };

  // The class and the text of each mark in an element: whether an app or an assistant wrote a message
  const marksIn = (part) => [...part?.querySelectorAll(':scope > .mark') ?? []].map((mark) => [mark.className, mark.textContent]);

  // The message to which the text replies, as the composer shows it; undefined if there is none
  const replyTarget = () => {
    const id = composer.elements.namedItem('thread_id')?.value;
    const note = composer.querySelector('.reply-to');
    return id && { id, by: note?.querySelector('bdi')?.textContent ?? '', marks: marksIn(note) };
  };

  const showReply = ({ id, by, marks }) => {
    clearReply();
    const thread = document.createElement('input');
    thread.type = 'hidden';
    thread.name = 'thread_id';
    thread.value = id;
    const note = document.createElement('p');
    note.className = 'reply-to';
    const name = document.createElement('bdi');
    name.textContent = by;
    const cancel = document.createElement('button');
    cancel.type = 'button';
    cancel.textContent = 'Cancel';
    cancel.addEventListener('click', () => {
      clearReply();
      saveDraft();
      field.focus();
    });
    const marked = marks.flatMap(([kind, text]) => {
      const mark = document.createElement('bdi');
      mark.className = kind;
      mark.textContent = text;
      return [mark, ' '];
    });
    note.append('Reply to ', name, ' ', ...marked, cancel);
    composer.prepend(thread, note);
  };

  const replyTo = (message) => {
    const by = message.querySelector('.by')?.textContent ?? '';
    showReply({ id: message.id, by, marks: marksIn(message.querySelector(':scope > header')) });
    saveDraft();
    field.focus();
  };

  const send = async () => {
    if (sending || (!field.value.trim() && files.files.length === 0)) return;
    hasArrived = false;
    composer.classList.add('sending');
    saveDraft();
    const body = new FormData(composer);
    const [text, sent, from, thread] = [field.value, [...files.files], cursor, replyTarget()?.id];
    if (sent.length === 0) body.delete('file');
    sending = { files: sent, removed: null, stop: null, request: null, isUploaded: false };
    try {
      let reason = reasonAgainst(sent) ?? await reasonUnreadable(sent);
      if (!reason) {
        removeRefusal();
        reason = await (sent.length ? upload : post)(composer.action, body);
      }
      if (reason) {
        showRefusal(reason);
        saveDraft();
      } else {
        clearComposer(text, sent, thread);
        if (!isLatest || isOutdated || isWithoutStream) {
          // a text that cannot be stored stays, so that it can be copied
          if (saveFields() && (!field.value.trim() || saveDraft())) location.assign(path);
        }
        // the event of the message follows soon; without any event in 5 seconds, the stream is opened again
        else if (source && cursor === from) listen(5000);
      }
    } catch {
      // the key stays, so that the message is posted only once if it is sent again, whether the first request arrived
      // or not
      showRefusal('No answer from the server, so the message was probably not sent. Send it again: it is posted only once.');
    } finally {
      sending = null;
      // the buttons that remove the chosen files appear again
      if (sent.length) showFiles();
      if (hasArrived && !isAtEnd()) offerNewMessages();
      composer.classList.remove('sending');
      focusField();
    }
  };

  if (composer) {
    restoreDraft();
    // the server's note of the reply has no button that cancels it
    const reply = replyTarget();
    if (reply) showReply(reply);
    composer.addEventListener('submit', (event) => {
      event.preventDefault();
      send();
    });
    field.addEventListener('keydown', (event) => {
      // Enter and Escape belong to the input method while it composes a text. Safari ends the composition before the
      // event of the key that confirms it, which has only the key code of a key for the input method.
      if (event.isComposing || event.keyCode === 229) return;
      if (event.key === 'Enter' && !event.shiftKey && matchMedia('(pointer: fine)').matches) {
        event.preventDefault();
        send();
      } else if (event.key === 'Escape') {
        clearReply();
        saveDraft();
      }
    });
    field.addEventListener('input', () => {
      resizeField();
      saveDraft();
    });
    field.addEventListener('paste', (event) => {
      const { files: pasted, types } = event.clipboardData;
      // Spreadsheets and word processors copy formatted text together with a picture of it: only the text is pasted. A
      // file manager copies a file together with its name, which has no formatting: the file is added.
      const isFormatted = types.includes('text/html') || types.includes('text/rtf');
      if (!pasted.length || (isFormatted && event.clipboardData.getData('text/plain'))) return;
      event.preventDefault();
      addFiles(pasted);
      field.focus();
    });
    files.addEventListener('change', showFiles);
    for (const name of ['dragenter', 'dragover']) {
      view.addEventListener(name, (event) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        view.classList.add('dropping');
      });
    }
    for (const name of ['dragleave', 'drop']) {
      view.addEventListener(name, (event) => {
        if (name === 'drop' || !view.contains(event.relatedTarget)) view.classList.remove('dropping');
      });
    }
    view.addEventListener('drop', (event) => {
      if (!event.dataTransfer.files.length) return;
      event.preventDefault();
      addFiles(event.dataTransfer.files);
      field.focus();
    });
    resizeField();
  } else if (view) {
    const text = storedDraft()?.text;
    if (text?.trim()) showTyped(text, () => sessionStorage.removeItem(draftKey));
  }

  // A file that is dropped elsewhere is ignored. The browser would open it in place of the page.
  for (const name of ['dragover', 'drop']) {
    window.addEventListener(name, (event) => {
      if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'none';
    });
  }

  // ---------------------------------------------------------------------------------------------------------------------
  // Buttons of apps, and what can be done with a message

  // The random numbers of presses without a response or with a server error, by address and value of the button.
  // Another press sends the same number, so that the app is notified once. The button's element is not used as the key,
  // because an edit of the message replaces the element.
  const presses = new Map();

  // The buttons that do nothing now. A button is disabled from a press until its answer. If the press was accepted, it
  // is disabled for another second, because a double click is one press.
  const pressed = new Set();
  const keyOf = (button) => `${button.formAction} ${button.value}`;
  const showPressed = () => {
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
      // after a server error the app may have been notified, so the number is kept for another press
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

  const tools = (message) => {
    if (message.querySelector('.tools') || message.classList.contains('system')) return;
    const bar = document.createElement('div');
    bar.className = 'tools';
    // the toolbar is inside the live region of the messages, but must not be announced
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

  log?.addEventListener('click', (event) => {
    // A download does not leave the page, but with chosen files the browser asks as if it did. So the download then
    // begins in a window of its own.
    const file = event.target.closest('.files a');
    if (file) file.target = hasFiles() ? '_blank' : '';
    const button = event.target.closest('button[form=press]');
    if (!button) return;
    event.preventDefault();
    // the second click of a double click must not press a button with which the app has replaced the first one
    if (event.detail <= 1) press(button);
  });
  for (const name of ['pointerover', 'focusin']) {
    log?.addEventListener(name, (event) => {
      const message = event.target.closest?.('article');
      if (message) tools(message);
    });
  }

  // The forms that edit and delete the message of the page. If no response arrives, the page keeps what was typed.
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
          // because of chosen files, the person may decide to stay on the page
          isBusy = false;
          for (const input of form.querySelectorAll('textarea')) input.defaultValue = input.value;
          return location.assign(isDeletion ? path : form.action.replace(/\/edit$/, ''));
        }
      } catch {
        reason = 'No answer from the server, so this was probably not done. Try again: it is done only once.';
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

  // ---------------------------------------------------------------------------------------------------------------------
  // Earlier messages

  // the timer after which new messages are announced again
  let announceTimer;
  const loadEarlier = async (link) => {
    if (link.getAttribute('aria-busy') === 'true') return;
    link.setAttribute('aria-busy', 'true');
    // screen readers announce new messages, but must not announce older ones
    clearTimeout(announceTimer);
    log.setAttribute('aria-live', 'off');
    try {
      await read(link.href, (answer, code) => {
        const older = answer.querySelector('#messages');
        if (!older) throw new Error(`status ${code}`);
        const height = scroller.scrollHeight;
        // if all older messages were deleted, the fetched page has later ones, which are already shown or do not belong
        // here
        const oldest = log.querySelector('article')?.id;
        const isOlder = (child) => child.matches('article') && (!oldest || child.id < oldest);
        const children = [...older.children];
        const added = children.slice(0, children.findLastIndex(isOlder) + 1).filter((child) => child.matches('article, .day'));
        if (added.length) {
          const first = log.querySelector('.day');
          const last = added.filter((child) => child.matches('.day')).at(-1);
          if (first && last && first.dataset.day === last.dataset.day) first.remove();
          log.prepend(...added);
          scroller.scrollTop += scroller.scrollHeight - height;
        }
        const next = answer.querySelector('.page-link.earlier a');
        if (next) {
          link.href = next.href;
          link.removeAttribute('aria-busy');
        } else {
          if (link === document.activeElement) log.focus({ preventScroll: true });
          link.parentElement.remove();
        }
      });
    } catch {
      link.removeAttribute('aria-busy');
      showStatus('Earlier messages cannot be loaded now.');
    }
    // delayed until screen readers have processed the change
    announceTimer = setTimeout(() => log.removeAttribute('aria-live'), 500);
  };

  const earlier = view?.querySelector('.page-link.earlier a');
  if (earlier) {
    earlier.addEventListener('click', (event) => {
      event.preventDefault();
      loadEarlier(earlier);
    });
    scroller.addEventListener('scroll', () => {
      if (scroller.scrollTop < 200 && earlier.isConnected) loadEarlier(earlier);
    }, { passive: true });
  }

  // ---------------------------------------------------------------------------------------------------------------------

  if (scroller) {
    const target = log.querySelector('.highlighted') ?? log.querySelector('.new');
    if (target) target.scrollIntoView({ block: 'center' });
    else toEnd();
    // the newest message stays in view when the window is turned, the composer grows, or images get their height
    const sizeNow = () => `${scroller.clientWidth} × ${scroller.clientHeight} × ${log.offsetHeight}`;
    let wasAtEnd = isAtEnd();
    let size = sizeNow();
    scroller.addEventListener('scroll', () => {
      // a scroll event between a resize and the call of its observer is ignored, because the resize has moved the end
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
  }
  restoreFields();
  open();
})();
