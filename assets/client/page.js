// Elements of the page, and values that the server writes into attributes of these elements.

export const sidebar = document.querySelector('nav.side');
export const main = document.getElementById('main');
export const view = document.getElementById('conversation');
export const log = document.getElementById('messages');
export const scroller = view?.querySelector('.scroll');
// The lists of the person's conversations on the page of all conversations; null if the page does not show them
export const ownLists = document.getElementById('own-lists');
export const userId = sidebar.dataset.me;
export const conversationId = view?.dataset.conversation;
export const path = conversationId && `/c/${conversationId}`;
// Whether the page has the newest messages of the conversation
export const isLatest = view?.dataset.latest === 'true';

// The page to open in place of a reload. It is set only if this page is the response to a form, because a reload would
// submit the form again.
export const pageOfForm = sidebar.dataset.page;

// The form that sends a message. It is null on pages without a conversation. If the person may not write, it is null
// unless the page shows a rejected message.
export const composer = document.getElementById('composer');
export const field = composer?.elements.namedItem('text');
export const files = composer?.elements.namedItem('file');

// Whether files are chosen in the composer. Chosen files cannot be kept when the page is left.
export const hasFiles = () => Boolean(composer?.isConnected && files.files.length);

// Returns a random number as 32 hexadecimal digits.
export const random = () => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
};
