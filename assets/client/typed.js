// Keeps what was typed in the forms of the page until the page is opened again. The composer is not included: it stores
// its text while the person types (`saveDraft`).

import { field, main, pageOfForm, userId } from './page.js';

// Stores a text for this window, and returns whether it was stored. Browsers limit how much a window can store, and
// throw an error above the limit. A text that was not stored can still be sent.
export const store = (key, text) => {
  try {
    sessionStorage.setItem(key, text);
    return true;
  } catch {
    // the earlier text is removed, because it would be taken for this text
    sessionStorage.removeItem(key);
    return false;
  }
};

export const fieldsKey = `fields:${userId}:${pageOfForm?.split('?')[0] ?? location.pathname}`;
// The required checkbox above "Send" of a draft is not kept: ticking it confirms the text that the page shows at that
// moment.
const fieldSelector = 'input:not([type=file], [type=checkbox][required]), select, textarea';
const fieldsOf = (form) => [...form.elements].filter((one) => one.name && one.matches(fieldSelector));
const isChoice = ({ type }) => type === 'checkbox' || type === 'radio';
const isChanged = (one) => {
  if (isChoice(one)) return one.checked !== one.defaultChecked;
  if (one.options) return [...one.options].some((option) => option.selected !== option.defaultSelected);
  return one.value !== one.defaultValue;
};

// Whether this page is the response to the form. If it is, the server has filled in what was typed. The attribute
// `action` is read, because a field with the name `action` hides the property `form.action`.
const isAnswered = (form) => Boolean(pageOfForm && form)
  && new URL(form.getAttribute('action') ?? '', location.href).href === location.href.split('#')[0];
const isTyped = (one) => one.type !== 'hidden' && (isAnswered(one.form) || isChanged(one));

// The kept texts for which the page no longer has a form, because the message or the draft can no longer be changed
let unplaced = [];
const saveUnplaced = () => {
  if (unplaced.length) store(fieldsKey, JSON.stringify(unplaced));
  else sessionStorage.removeItem(fieldsKey);
};

// Keeps what was typed in the forms of the page, except in `submitted`. Returns whether everything was stored.
export const saveFields = (submitted = null) => {
  const kept = [...unplaced];
  for (const form of document.querySelectorAll('main form:not(#composer)')) {
    if (form === submitted) continue;
    const fields = fieldsOf(form).filter(isTyped);
    // Two hidden fields are kept too. With the version of the draft, the server detects changes by others. With the
    // idempotency key, nothing is created twice.
    const hidden = fields.length ? fieldsOf(form).filter(({ name }) => name === 'version' || name === 'client_key') : [];
    for (const one of [...fields, ...hidden]) {
      const { name, value, checked } = one;
      const label = isChoice(one) ? one.labels[0]?.textContent.trim() : undefined;
      kept.push({ action: form.getAttribute('action'), name, value, checked, label, isText: one.matches('textarea') });
    }
  }
  // this field has the text that the person typed for a draft, if the draft was sent or discarded elsewhere
  const shown = document.getElementById('typed');
  if (shown) kept.push({ action: '', name: 'typed', value: shown.value, isText: true });
  if (kept.length) return store(fieldsKey, JSON.stringify(kept));
  sessionStorage.removeItem(fieldsKey);
  return true;
};

// Returns a list item with a ticked checkbox for a person. Needed if an earlier search found the person, and this page
// does not list the person.
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

export const restoreFields = () => {
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

// The functions of the "Discard" buttons. The key is the field that shows the text.
export const discards = new WeakMap();

// Shows a text that was typed and cannot be sent from this page, so that it can be copied.
export const showTyped = (text, discard) => {
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

export const typedFields = () => [...main.querySelectorAll('textarea')].filter((one) => (
  one.value.trim() && (one === field || one.readOnly || isTyped(one))));

// Submitting a form replaces the page. What was typed in the page's other forms is kept, for when the person comes
// back, for example to the list of drafts. If a script submits the form, the page stays.
export const keepTyped = () => {
  main.addEventListener('submit', (event) => {
    if (!event.defaultPrevented) saveFields(event.target);
  });
};
