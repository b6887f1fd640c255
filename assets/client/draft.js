// The text that the person has typed in the open conversation and not sent, and the message to which this text replies.
// The text is not a draft of an assistant.

import { composer, conversationId, field, userId } from './page.js';
import { store } from './typed.js';

// the key of the text in `sessionStorage`; if the person signs out in this window, the stored text is deleted
export const draftKey = `draft:${userId}:${conversationId}`;

// The class and the text of each mark in an element. A mark shows that an app or an assistant wrote the message.
export const marksIn = (part) => [...part?.querySelectorAll(':scope > .mark') ?? []].map((mark) => [mark.className, mark.textContent]);

// Returns the id of the message to which the text replies, with the author and the marks that the composer shows;
// undefined if the text is not a reply.
export const replyTarget = () => {
  const id = composer.elements.namedItem('thread_id')?.value;
  const note = composer.querySelector('.reply-to');
  return id && { id, by: note?.querySelector('bdi')?.textContent ?? '', marks: marksIn(note) };
};

export const storedDraft = () => {
  try {
    return JSON.parse(sessionStorage.getItem(draftKey));
  } catch {
    // an older version of this script stored a text that is not JSON
    return null;
  }
};

// Stores the text with its idempotency key and the message to which it replies. Returns whether the text was stored.
// After a reload, the stored text is sent with the same key. So a text that was already sent is not posted twice.
export const saveDraft = () => {
  const key = composer.elements.namedItem('client_key').value;
  return store(draftKey, JSON.stringify({ text: field.value, key, reply: replyTarget() }));
};
