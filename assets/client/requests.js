// Requests: forms, and pages that are read in the background.

import { openAgain } from './outdated.js';
import { composer, path, sidebar } from './page.js';

// The header of requests by this script. With it, the server answers 401 to a person who was signed out, and 409 to a
// person who has not chosen a company. Without it, the server redirects, and the script would take the redirect for
// success.
export const scriptHeaders = { 'x-switchboard-script': '1' };
const signedOut = 'You were signed out. Open this page again to sign in.';
export const page = (text) => new DOMParser().parseFromString(text, 'text/html');

// Calls `call` with a signal that aborts after 30 seconds, because a connection can be lost without an error.
export const withTimeout = async (call) => {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), 30000);
  try {
    return await call(stop.signal);
  } finally {
    clearTimeout(timer);
    stop.abort();
  }
};

// Posts a form. The server answers an accepted form with a redirect to the changed page. The redirect is not
// followed. A status of 2xx also means that the form was accepted, and so does the status that the parameter `done`
// has. Returns an object:
// - `code`: the status, 0 for a redirect
// - `reason`: the text of the error; null if the form was accepted
// - `pause`: only with an error, the seconds to wait before the next attempt
export const submit = (address, body, done) => withTimeout(async (signal) => {
  const response = await fetch(address, { method: 'POST', body, redirect: 'manual', headers: scriptHeaders, signal });
  const { status: code } = response;
  if (response.type === 'opaqueredirect' || response.ok || code === done) return { code, reason: null };
  if (code === 403 || code === 404) checkSignIn();
  const pause = Number(response.headers.get('retry-after')) || 1;
  return { code, reason: reasonOf(code, await response.text()), pause };
});

export const post = async (address, body, done) => (await submit(address, body, done)).reason;

export const reasonOf = (code, text) => {
  if (code === 401) return signedOut;
  const answer = page(text);
  // if the composer's idempotency key was already used for another message, the error page has a new key
  const key = answer.querySelector('#composer:has(#composer-error) [name=client_key]');
  if (key && composer) composer.elements.namedItem('client_key').value = key.value;
  const reason = answer.querySelector('.note.bad, [role=alert]')
    // the paragraph below the title of an error page
    ?? answer.querySelector('.trouble h1 + p')
    ?? answer.querySelector('main p:not(.status), main h1');
  return reason?.textContent.trim() || 'It was refused.';
};

// One array for each call of `read` in progress. The functions in the array run the handlers of the events that have
// arrived since the call began.
export const pending = new Set();

// Fetches a page and calls `show` with it. The page can be older than the events that arrive before the response. So
// the handlers of these events run again after `show`, if `repeated` (updates.js) lists them.
export const read = (address, show) => withTimeout(async (signal) => {
  const events = [];
  pending.add(events);
  try {
    const response = await fetch(address, { headers: scriptHeaders, signal });
    const answer = page(await response.text());
    // in these cases, `openAgain` shows the error, or leads to the sign-in page or to the choice of a company
    if (isOtherSession(answer) || isRefusal(response.status)) return openAgain();
    show(answer, response.status);
    events.forEach((repeat) => repeat());
  } finally {
    pending.delete(events);
  }
});

export const csrf = () => document.querySelector('input[name=csrf]')?.value ?? '';

// Returns whether a fetched page belongs to another sign-in than this page, or to another chosen company. If it does,
// the server rejects the forms of this page, although this page does not show that it is out of date.
export const isOtherSession = (answer) => {
  const signIn = answer.querySelector('nav.side')?.dataset.signIn;
  return Boolean(signIn) && signIn !== sidebar.dataset.signIn;
};

export const checkSignIn = async () => {
  if (isRefusal(await findStatus())) openAgain();
};

// Requests the page of this page's conversation, or `/start` on a page without a conversation. Returns the status of
// the response; 0 if no response arrives. Returns 401 also if the person has signed in again or chosen another company
// since this page was loaded. If the person was signed out or left the conversation, the server rejects both the page
// and the stream. This function requests the page, because a page costs less than a stream that is closed immediately.
export const findStatus = () => withTimeout(async (signal) => {
  const response = await fetch(path ?? '/start', { headers: scriptHeaders, signal });
  return isOtherSession(page(await response.text())) ? 401 : response.status;
}).catch(() => 0);

export const isRefusal = (status) => status >= 400 && status < 500 && status !== 408 && status !== 429;
