// Sets and removes the message to which the text in the composer replies.

import { marksIn, saveDraft } from './draft.js';
import { composer, field } from './page.js';

export const clearReply = () => {
  composer.elements.namedItem('thread_id')?.remove();
  composer.querySelector('.reply-to')?.remove();
};

// `by` is the name of the message's author. `marks` are not empty if an app or an assistant wrote the message
// (`marksIn`).
export const showReply = ({ id, by, marks }) => {
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

export const replyTo = (message) => {
  const by = message.querySelector('.by')?.textContent ?? '';
  showReply({ id: message.id, by, marks: marksIn(message.querySelector(':scope > header')) });
  saveDraft();
  field.focus();
};
