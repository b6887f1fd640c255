// The files of a message: chosen, dropped or pasted, and uploaded with their progress.

import { focusField } from './focus.js';
import { outgoing } from './outgoing.js';
import { composer, field, files, view } from './page.js';
import { checkSignIn, reasonOf, scriptHeaders } from './requests.js';

export const showFiles = () => {
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
    drop.hidden = Boolean(outgoing.current?.isUploaded && outgoing.current.files.includes(file));
    drop.addEventListener('click', () => {
      const kept = new DataTransfer();
      [...files.files].forEach((other, at) => { if (at !== index) kept.items.add(other); });
      files.files = kept.files;
      showFiles();
      field.focus();
      if (outgoing.current?.files.includes(file)) {
        outgoing.current.removed = file;
        outgoing.current.stop?.();
        outgoing.current.request?.abort();
      }
    });
    item.append(name, drop);
    return item;
  }));
  list.hidden = files.files.length === 0;
  if (hadFocus) focusField();
};

export const addFiles = (added) => {
  const all = new DataTransfer();
  for (const file of [...files.files, ...added]) all.items.add(file);
  files.files = all.files;
  showFiles();
};

const shortName = ({ name }) => [...name].slice(0, 60).join('');

// Returns why the files are too many or too large to be sent; null if they can be sent. The server wrote these reasons
// into the page. If a form is too large, the server responds before it has received the whole form. Browsers do not
// pass such a response to scripts, so the script has to check the files itself.
export const reasonAgainst = (sent) => {
  const { maxFiles, maxFileBytes, maxBytes, tooMany, tooLarge, tooLargeTogether } = composer.dataset;
  if (sent.length > Number(maxFiles)) return tooMany;
  const large = sent.find(({ size }) => size > Number(maxFileBytes));
  if (large) return tooLarge.replace('{name}', () => shortName(large));
  const total = sent.reduce((sum, { size }) => sum + size, 0);
  return total > Number(maxBytes) ? tooLargeTogether : null;
};

// Returns why one of the files cannot be read; null if all can be read, or if the person removed a file during the
// check. The check is needed, because browsers report the upload of an unreadable file as a lost connection. The check
// reads the first byte. An unreadable file, such as a folder, can have the size 0. For an empty slice browsers read
// nothing, so a file of the size 0 is read as a whole.
export const reasonUnreadable = async (sent) => {
  for (const file of sent) {
    const isReadable = await new Promise((resolve) => {
      // the timeout ends the check if a network drive does not respond; `stop` ends it if the person removes a file
      const timer = setTimeout(resolve, 60000, false);
      outgoing.current.stop = () => resolve(true);
      (file.size ? file.slice(0, 1) : file).arrayBuffer()
        .then(() => resolve(true), () => resolve(false)).finally(() => clearTimeout(timer));
    });
    // the caller then calls `upload`, which reports that nothing was sent
    if (outgoing.current.removed) return null;
    if (!isReadable) {
      return `“${shortName(file)}” cannot be read: it is a folder, or was moved or changed. Remove it.`;
    }
  }
  return null;
};

// Posts a form with files by XMLHttpRequest, which reports the progress of an upload. The promise resolves to
// - null, if the server accepts the form;
// - the reason, if the server rejects the form, or if the person removes a file before the form has been sent;
// - the page's text `tooSlow`, if there is no response and the upload took longer than the server allows.
// If there is no response for another cause, the promise is rejected.
export const upload = (address, body) => new Promise((resolve, reject) => {
  const stopped = () => `Nothing was sent, because you removed “${shortName(outgoing.current.removed)}” before it was sent.`;
  // a file was removed while the files were checked
  if (outgoing.current.removed) return resolve(stopped());
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
  const restartStallTimer = () => {
    clearTimeout(stallTimer);
    stallTimer = setTimeout(() => request.abort(), 60000);
  };
  request.upload.addEventListener('progress', restartStallTimer);
  request.upload.addEventListener('load', () => {
    outgoing.current.isUploaded = true;
    showFiles();
  });
  request.addEventListener('loadend', () => {
    clearTimeout(stallTimer);
    bar.remove();
  });
  const began = performance.now();
  for (const name of ['error', 'abort']) {
    request.addEventListener(name, () => {
      if (outgoing.current.removed) resolve(stopped());
      // The server closes the connection after `maxSeconds`. A browser that is still sending then reports an error.
      else if (performance.now() - began >= composer.dataset.maxSeconds * 1000) resolve(composer.dataset.tooSlow);
      else reject(new Error('network'));
    });
  }
  request.addEventListener('load', () => {
    if (request.status === 403 || request.status === 404) checkSignIn();
    resolve(request.status < 400 ? null : reasonOf(request.status, request.responseText));
  });
  outgoing.current.request = request;
  request.open('POST', address);
  for (const [name, value] of Object.entries(scriptHeaders)) request.setRequestHeader(name, value);
  request.send(body);
  restartStallTimer();
});

// Adds files that are pasted into the composer or dropped on the conversation.
export const acceptFiles = () => {
  field.addEventListener('paste', (event) => {
    const { files: pasted, types } = event.clipboardData;
    // Spreadsheets and word processors copy formatted text together with a picture of it. In this case only the text
    // is pasted. A file manager copies a file together with its name, which has no formatting. In this case the file
    // is added.
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
};

// Ignores files that are dropped outside the conversation. By default, browsers open a dropped file in place of the
// page.
export const ignoreOtherFiles = () => {
  for (const name of ['dragover', 'drop']) {
    window.addEventListener(name, (event) => {
      if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'none';
    });
  }
};
