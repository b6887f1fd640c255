// The composer, in which the person writes a message. The script posts the message, so that the page stays open.

import { draftKey, replyTarget, saveDraft, storedDraft } from './draft.js';
import { acceptFiles, addFiles, reasonAgainst, reasonUnreadable, showFiles, upload } from './files.js';
import { focusField } from './focus.js';
import { isAtEnd, toEnd } from './messages.js';
import { pageState } from './outdated.js';
import { outgoing } from './outgoing.js';
import { composer, field, files, isLatest, path, random, view } from './page.js';
import { offerNewMessages } from './reading.js';
import { clearReply, showReply } from './reply.js';
import { post } from './requests.js';
import { expectEvent, lacksStream, lastEvent } from './stream.js';
import { saveFields, showTyped } from './typed.js';

const resizeField = () => {
  field.style.height = 'auto';
  field.style.height = `${Math.min(field.scrollHeight + 2, 280)}px`;
};

const restoreDraft = () => {
  const draft = storedDraft();
  // Some browsers restore the text by themselves, but not the idempotency key and the reply. So the script restores the
  // key and the reply even if the field already has the stored text. If the field has another text, the script restores
  // nothing.
  const isOther = field.value !== '' && field.value !== draft?.text;
  if (!draft?.text || isOther || document.getElementById('composer-error')) return;
  field.value = draft.text;
  composer.elements.namedItem('client_key').value = draft.key;
  // If the address is the permalink of a message, the composer from the server already replies to this message. A
  // stored text that is no reply must not become a reply to it.
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

// Empties the composer after `text` was sent with the files `sent`, as a reply to `thread`. Text and files that the
// person added during the request stay.
const clearComposer = (text, sent, thread) => {
  if (field.value.startsWith(text)) field.value = field.value.slice(text.length);
  const added = [...files.files].filter((file) => !sent.includes(file));
  files.value = '';
  composer.elements.namedItem('client_key').value = random();
  if (replyTarget()?.id === thread) clearReply();
  addFiles(added);
  resizeField();
  outgoing.isAwaited = !outgoing.hasArrived;
  if (outgoing.hasArrived) toEnd();
  if (field.value) saveDraft();
  else sessionStorage.removeItem(draftKey);
};

const send = async () => {
  if (outgoing.current || (!field.value.trim() && files.files.length === 0)) return;
  outgoing.hasArrived = false;
  composer.classList.add('sending');
  saveDraft();
  const body = new FormData(composer);
  const [text, sent, from, thread] = [field.value, [...files.files], lastEvent(), replyTarget()?.id];
  if (sent.length === 0) body.delete('file');
  outgoing.current = { files: sent, removed: null, stop: null, request: null, isUploaded: false };
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
      if (!isLatest || pageState.isOutdated || lacksStream()) {
        // This page does not get the sent message by an event, so the script opens the newest page of the conversation.
        // If a typed text cannot be stored, the script stays on this page, so that the person can copy the text.
        if (saveFields() && (!field.value.trim() || saveDraft())) location.assign(path);
      }
      // the event of the message follows soon; if no event arrives within 5 seconds, the stream is opened again
      else expectEvent(from);
    }
  } catch {
    // The idempotency key (`client_key`) does not change. So if the person sends the message again, the server posts it
    // only once, even if the first request has reached the server.
    showRefusal('No answer from the server, so the message was probably not sent. Send it again: it is posted only once.');
  } finally {
    outgoing.current = null;
    // the buttons that remove the chosen files appear again
    if (sent.length) showFiles();
    if (outgoing.hasArrived && !isAtEnd()) offerNewMessages();
    composer.classList.remove('sending');
    focusField();
  }
};

// Shows the unsent text, so that it can be copied. Used if the person may not write in the conversation any more.
const showUnsent = () => {
  const text = storedDraft()?.text;
  if (text?.trim()) showTyped(text, () => sessionStorage.removeItem(draftKey));
};

// Lets the script send the form instead of the browser, and restores the unsent text.
export const startComposer = () => {
  if (!composer) {
    if (view) showUnsent();
    return;
  }
  restoreDraft();
  // the server's note about the reply has no button that cancels the reply, so the script replaces the note
  const reply = replyTarget();
  if (reply) showReply(reply);
  composer.addEventListener('submit', (event) => {
    event.preventDefault();
    send();
  });
  field.addEventListener('keydown', (event) => {
    // During a composition, Enter and Escape are for the input method. In Safari the composition has already ended when
    // the `keydown` event of the confirming key arrives, so `isComposing` is false. Key code 229, which means a key for
    // the input method, identifies this event.
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
  acceptFiles();
  resizeField();
};
