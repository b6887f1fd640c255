// Opens the page again, so that it shows what the person may see and do now. Keeps what the person has typed.

import { draftKey, saveDraft } from './draft.js';
import { readList, showTitle } from './list.js';
import { pageState, setReopen } from './outdated.js';
import { composer, field, files, hasFiles, main, pageOfForm } from './page.js';
import { page, scriptHeaders, withTimeout } from './requests.js';
import { showAction, showStatus } from './status.js';
import { close } from './stream.js';
import { discards, fieldsKey, saveFields, showTyped, typedFields } from './typed.js';

// Returns the error page if the server now answers 404 for this page, and null if it does not. There is one exception.
// If the conversation is in another company, the error page has a form that chooses the company. In this case null is
// returned, so that the caller reloads the page and the person gets the form.
const findMissing = () => withTimeout(async (signal) => {
  const response = await fetch(pageOfForm ?? location.href, { headers: scriptHeaders, signal });
  if (response.status !== 404) return null;
  const answer = page(await response.text());
  return answer.querySelector('.trouble form') ? null : answer;
}).catch(() => null);

// Replaces the content of this page by the error page, and keeps what was typed. The person may no longer see the
// rest of this page. The page is not reloaded, because the error page has no script that could show the typed texts.
const showMissing = (answer) => {
  if (pageState.isMissing) return;
  pageState.isMissing = true;
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
  showTitle(answer.title);
  readList();
};

// Opens the page again, so that it shows what the person may see and do now. If the server answers 404, a reload
// would lose typed texts, so `showMissing` keeps them. If the server does not answer 404, a reload loses only chosen
// files, and texts that the browser could not store. If there are such files or texts, the page is reloaded only when
// the person presses a button.
const reopenPage = async () => {
  if (pageState.isMissing) return;
  const missing = typedFields().length || files?.files.length ? await findMissing() : null;
  if (missing) return showMissing(missing);
  const areFieldsStored = saveFields();
  const isTextStored = !composer?.isConnected || !field.value.trim() || saveDraft();
  const losses = [];
  if (!areFieldsStored || !isTextStored) losses.push('Copy what you typed before you open it again.');
  if (files?.files.length) losses.push('When it is opened again, your files have to be chosen again.');
  if (!losses.length) return reload();
  pageState.isOutdated = true;
  close();
  showAction(['This page is out of date.', ...losses].join(' '), 'Open again', reload);
};

// Whether the script itself leaves the page: it reloads the page or signs the person out. The script has then already
// asked about chosen files, so `beforeunload` does not ask again.
let isLeaving = false;
const reload = () => {
  saveFields();
  isLeaving = true;
  if (!pageOfForm) return location.reload();
  if (composer?.isConnected) saveDraft();
  location.replace(pageOfForm);
};

// Lets the other modules open the page again (`openAgain`).
export const registerReopening = () => setReopen(reopenPage);

// If files are chosen, asks for confirmation before the person leaves the page, even during an upload. Deletes the
// stored texts when the person signs out.
export const watchLeaving = () => {
  window.addEventListener('beforeunload', (event) => {
    if (hasFiles() && !isLeaving) event.preventDefault();
  });
  for (const form of document.querySelectorAll('form[action="/signout"]')) {
    form.addEventListener('submit', (event) => {
      // The script asks here and not in `beforeunload`. When the event `beforeunload` occurs, the stored texts have
      // already been deleted, so they would be lost even if the person stays.
      if (hasFiles() && !window.confirm('The chosen files will not be kept. Sign out?')) {
        event.preventDefault();
        return;
      }
      isLeaving = true;
      sessionStorage.clear();
    });
  }
};
