// The web client as people use it: with and without its script, by keyboard, on a phone, in dark mode, and after the
// browser was offline. The library axe-core checks the accessibility of the pages.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { until } from './proxy.js';
import { asOperator, openPage, screenshot, startBrowser, startSandbox, violations, withhold } from './sandbox.js';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

let sandbox;
let browser;
before(async () => { [sandbox, browser] = await Promise.all([startSandbox(), startBrowser()]); });
after(async () => { await browser?.close(); await sandbox?.stop(); });
// the tests sign in more often than ten times a minute, which is the limit of an account from one address
beforeEach(() => asOperator(sandbox, 'POST', '/rate_limits/reset'));

const at = (path) => `${sandbox.base}${path}`;
const group = () => sandbox.demo.conversations.public_group;

/** Opens a page and signs in the person `key` of the demo, such as `employee`. */
async function signedIn(key, options) {
  const page = await openPage(browser, options);
  await page.goto(at('/signin'));
  await signIn(page, key);
  return page;
}

/** Signs a person of the demo in. The sign-in page must be open. */
async function signIn(page, key) {
  const { email, password } = sandbox.demo.people[key];
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((url) => url.pathname !== '/signin');
}

/** Opens another window of the same browser, and signs out in it. */
async function signOutBeside(page) {
  const other = await page.context().newPage();
  await other.goto(at('/settings/privacy'));
  await other.getByRole('button', { name: 'Sign out' }).click();
  await other.waitForURL(/\/signin/);
  return other;
}

/** Calls the bot API as the demo's bot. */
async function asBot(method, path, body) {
  const headers = { authorization: `Bearer ${sandbox.demo.installation.bot_token}`, 'content-type': 'application/json' };
  headers['idempotency-key'] = crypto.randomUUID();
  const response = await fetch(at(`/v1${path}`), { method, headers, body: JSON.stringify(body) });
  const answer = await response.json();
  assert.ok(response.ok, JSON.stringify(answer));
  return answer;
}

/** Sends a message to `group` as the demo's bot. Returns the message's id. */
const send = async (text, more = {}) => (await asBot('POST', '/messages', {
  to: { type: 'conversation', id: group() }, text, ...more,
})).message.id;

/** Creates a group of the demo's bot and of people of the demo. Returns its id. */
async function newGroup(name, ...keys) {
  const { workspace_id: company, bot_user_id: bot } = sandbox.demo.installation;
  const body = { kind: 'group', name, member_ids: [...keys.map((key) => sandbox.demo.people[key].id), bot] };
  return (await asOperator(sandbox, 'POST', `/workspaces/${company}/conversations`, body)).conversation.id;
}

const log = (page) => page.getByRole('log', { name: 'Messages' });
const composer = (page) => page.getByRole('textbox', { name: 'Message', exact: true });
// the field from which a person can copy a typed text that can no longer be sent
const kept = (page) => page.getByRole('textbox', { name: 'What you typed' });
const message = (page, text) => log(page).getByRole('article').filter({ hasText: text });

/** Returns the accessibility violations that axe-core finds. */
async function problems(page) {
  await page.addScriptTag({ content: axe });
  const { violations: found } = await page.evaluate((values) => globalThis.axe.run(document, { runOnly: values }), standards);
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}

test('a message of a bot appears, changes and disappears in every open window', async () => {
  const pages = [await signedIn('employee'), await signedIn('admin')];
  for (const page of pages) await page.goto(at(`/c/${group()}`));
  const id = await send('The release is out 🎉');
  for (const page of pages) {
    await message(page, 'The release is out 🎉').waitFor();
    assert.equal(await page.locator(`[id="${id}"]`).getByText('App', { exact: true }).count(), 1);
  }
  await asBot('PATCH', `/messages/${id}`, { text: 'The release is out, really' });
  for (const page of pages) {
    await message(page, 'really').waitFor();
    await page.locator(`[id="${id}"] .edited`).waitFor();
  }
  await asBot('DELETE', `/messages/${id}`);
  for (const page of pages) {
    await message(page, 'really').waitFor({ state: 'detached' });
    assert.deepEqual(page.errors, []);
    await page.context().close();
  }
});

test('a person writes by keyboard, and others see the message', async () => {
  const [ann, bob] = [await signedIn('employee'), await signedIn('admin')];
  await ann.goto(at(`/c/${group()}`));
  await bob.goto(at('/conversations'));
  await composer(ann).focus();
  await ann.keyboard.type('Good morning');
  await ann.keyboard.press('Shift+Enter');
  await ann.keyboard.type('everybody <b>');
  await ann.keyboard.press('Enter');
  await message(ann, 'everybody <b>').waitFor();
  // the event of the message may arrive before the response, and the composer is emptied only after the response
  await until(async () => await composer(ann).inputValue() === '', 'the composer is empty');
  assert.equal(new URL(ann.url()).pathname, `/c/${group()}`);
  // the other person's list counts the message
  const item = bob.getByRole('navigation', { name: 'Conversations' }).locator(`a[data-conversation="${group()}"]`);
  await item.locator('.unread:not([hidden])').waitFor();
  await item.click();
  await message(bob, 'Good morning').waitFor();
  // a reply quotes the message
  await message(bob, 'Good morning').hover();
  await message(bob, 'Good morning').getByRole('button', { name: 'Reply' }).click();
  await bob.keyboard.type('Morning!');
  await bob.keyboard.press('Enter');
  await message(ann, 'Morning!').locator('.quote').getByText('Good morning').waitFor();
  for (const page of [ann, bob]) {
    assert.deepEqual(violations(page), []);
    assert.deepEqual(page.errors, []);
    await page.context().close();
  }
});

test('Enter and Escape that belong to an input method neither send the message nor cancel the reply', async () => {
  const page = await signedIn('employee');
  await page.goto(at(`/c/${group()}`));
  const id = await send('In which language?');
  await message(page, 'In which language?').hover();
  await message(page, 'In which language?').getByRole('button', { name: 'Reply' }).click();
  await composer(page).fill('こんにち');
  let posts = 0;
  page.on('request', (request) => { if (request.method() === 'POST' && request.url().endsWith('/messages')) posts += 1; });
  const press = (init) => composer(page).evaluate((field, more) => (
    field.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...more }))), init);
  // Safari ends the composition before it sends the event. So only the key code 229 shows that the key belongs to the
  // input method.
  for (const how of [{ keyCode: 229 }, { keyCode: 13, isComposing: true }]) {
    assert.ok(await press({ key: 'Enter', ...how }), 'the key is left to the input method');
    assert.ok(await press({ key: 'Escape', ...how }));
  }
  assert.equal(posts, 0);
  assert.equal(await composer(page).inputValue(), 'こんにち');
  assert.equal(await page.locator('#composer [name=thread_id]').getAttribute('value'), id);
  await composer(page).press('Enter');
  await message(page, 'こんにち').locator('.quote').waitFor();
  assert.equal(posts, 1);
  await page.context().close();
});

test('a window that is scrolled up scrolls to a new message only if it has sent the message itself', async () => {
  const id = await newGroup('To be read above', 'employee');
  for (let n = 0; n < 3; n += 1) {
    await asBot('POST', '/messages', { to: { type: 'conversation', id }, text: `long ${n}\n${'a line\n'.repeat(60)}` });
  }
  const [page, other] = [await signedIn('employee'), await signedIn('employee')];
  for (const one of [page, other]) await one.goto(at(`/c/${id}`));
  const scroll = page.locator('.scroll');
  const top = () => scroll.evaluate((one) => one.scrollTop);
  const isAtEnd = () => scroll.evaluate((one) => one.scrollHeight - one.scrollTop - one.clientHeight < 80);
  const write = async (one, text) => {
    await composer(one).fill(text);
    await composer(one).press('Enter');
  };
  await scroll.evaluate((one) => { one.scrollTop = 300; });
  await write(other, 'from another window');
  const show = page.getByRole('status').getByRole('button', { name: 'Show' });
  await show.waitFor();
  await message(page, 'from another window').waitFor();
  assert.equal(await top(), 300, 'the window does not scroll');
  const follows = async (text) => {
    await scroll.evaluate((one) => { one.scrollTop = 300; });
    await write(page, text);
    await message(page, text).waitFor();
    await until(isAtEnd, text);
    await until(async () => await show.count() === 0, 'the note about new messages disappears');
  };
  await follows('from this window');
  // delays the response to the form, so that the event of the message arrives first
  await page.route(/\/messages$/, async (route) => {
    const answer = await route.fetch({ maxRedirects: 0 });
    assert.equal(answer.status(), 303);
    await message(page, 'with a late answer').waitFor();
    await route.fulfill({ status: 200, body: '' });
  });
  await follows('with a late answer');
  await page.unroute(/\/messages$/);
  // the window does not scroll to a message that another window sends later
  await scroll.evaluate((one) => { one.scrollTop = 300; });
  await write(other, 'and once more from there');
  await show.waitFor();
  assert.equal(await top(), 300);
  for (const one of [page, other]) await one.context().close();
});

test('a text is sent even if the browser cannot store it because its storage is full', async () => {
  const page = await signedIn('employee');
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => { throw new DOMException('the storage is full', 'QuotaExceededError'); };
  });
  await page.goto(at(`/c/${group()}`));
  await composer(page).fill('too much for the window');
  await composer(page).press('Enter');
  await message(page, 'too much for the window').waitFor();
  await until(async () => await composer(page).inputValue() === '', 'the composer is empty');
  assert.deepEqual(page.errors, []);
  await page.context().close();
});

test('after a send, the keyboard focus stays where the person has moved it', async () => {
  const page = await signedIn('employee');
  await page.goto(at(`/c/${group()}`));
  const search = page.getByRole('searchbox', { name: 'Search messages' });
  const isFocused = (locator) => locator.evaluate((element) => element === document.activeElement);
  const choose = (...names) => page.getByLabel('Files').setInputFiles(
    names.map((name) => ({ name, mimeType: 'text/plain', buffer: Buffer.from('content') })));
  let duringSend;
  await page.route(/\/messages$/, async (route) => {
    await duringSend();
    await route.continue();
  });
  const sends = async (text, act) => {
    duringSend = act;
    await composer(page).fill(text);
    await page.getByRole('button', { name: 'Send' }).click();
    await message(page, text).waitFor();
    await until(async () => await composer(page).inputValue() === '', 'the message is accepted');
    await page.locator('#composer:not(.sending)').waitFor();
  };
  await sends('focus in the search', () => search.focus());
  assert.ok(await isFocused(search));
  // a file that is added while the form is sent stays chosen
  await choose('first.txt');
  await sends('focus in the search, with files', async () => {
    await choose('second.txt');
    await search.focus();
  });
  await page.getByRole('button', { name: 'Remove second.txt' }).waitFor();
  assert.ok(await isFocused(search));
  await sends('focus in the composer', () => {});
  assert.ok(await isFocused(composer(page)), 'after a click on Send, the person can go on writing');
  await page.context().close();
});

test('the composer shows that a reply is to an app', async () => {
  const page = await signedIn('employee');
  await page.goto(at(`/c/${group()}`));
  const id = await send('The build is red');
  await message(page, 'The build is red').hover();
  assert.equal(await message(page, 'The build is red').locator('.tools').getAttribute('aria-live'), 'off', 'screen readers do not announce the buttons');
  await message(page, 'The build is red').getByRole('button', { name: 'Reply' }).click();
  await page.locator('.reply-to').getByText('App', { exact: true }).waitFor();
  await page.keyboard.type('I look at it');
  await page.keyboard.press('Enter');
  const quote = message(page, 'I look at it').locator('.quote');
  await quote.getByText('App', { exact: true }).waitFor();
  await asBot('PATCH', `/messages/${id}`, { text: 'The build is green' });
  await quote.getByText('The build is green').waitFor();
  await quote.getByText('App', { exact: true }).waitFor();
  await page.context().close();
});

test('a reload keeps a reply that was begun after its text was typed, and does not restore a cancelled reply', async () => {
  const page = await signedIn('employee');
  await page.goto(at(`/c/${group()}`));
  const id = await send('Who comes along?');
  await composer(page).fill('I do');
  await message(page, 'Who comes along?').hover();
  await message(page, 'Who comes along?').getByRole('button', { name: 'Reply' }).click();
  const thread = page.locator('#composer [name=thread_id]');
  await page.reload();
  assert.equal(await composer(page).inputValue(), 'I do');
  assert.equal(await thread.getAttribute('value'), id);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.reload();
  assert.equal(await composer(page).inputValue(), 'I do');
  assert.equal(await thread.count(), 0);
  await page.context().close();
});

test('a reply stays a reply on a page without the message to which it replies', async () => {
  const page = await signedIn('employee');
  await page.goto(at(`/c/${group()}`));
  const id = await send('Far above soon');
  await message(page, 'Far above soon').hover();
  await message(page, 'Far above soon').getByRole('button', { name: 'Reply' }).click();
  await page.keyboard.type('Still to you');
  await page.goto(at(`/c/${group()}?before=${id}`));
  assert.equal(await page.locator(`[id="${id}"]`).count(), 0);
  const note = page.locator('.reply-to');
  assert.match(await note.textContent(), /^Reply to \S.* App /);
  assert.equal(await page.locator('#composer [name=thread_id]').getAttribute('value'), id);
  await composer(page).press('Enter');
  await page.waitForURL(at(`/c/${group()}`));
  await message(page, 'Still to you').locator('.quote').getByText('Far above soon').waitFor();
  assert.equal(await note.count(), 0);
  await page.context().close();
});

test('a reply that is begun while another reply is being sent stays in the composer', async () => {
  const page = await signedIn('employee');
  await page.goto(at(`/c/${group()}`));
  const [first, second] = [await send('The first question'), await send('The second question')];
  const thread = page.locator('#composer [name=thread_id]');
  const reply = async (text) => {
    await message(page, text).hover();
    await message(page, text).getByRole('button', { name: 'Reply' }).click();
  };
  let duringSend = async () => {};
  await page.route(/\/messages$/, async (route) => {
    await duringSend();
    await route.continue();
  });
  const sends = async (text) => {
    await composer(page).fill(text);
    await composer(page).press('Enter');
    await message(page, text).waitFor();
    await until(async () => await composer(page).inputValue() === '', 'the message is accepted');
  };
  await reply('The first question');
  assert.equal(await thread.getAttribute('value'), first);
  duringSend = () => reply('The second question');
  await sends('Answered first');
  assert.equal(await thread.getAttribute('value'), second);
  await page.locator('.reply-to').waitFor();
  duringSend = async () => {};
  await sends('Answered second');
  assert.equal(await thread.count(), 0);
  for (const [text, quoted] of [['Answered first', 'The first question'], ['Answered second', 'The second question']]) {
    await message(page, text).locator('.quote').getByText(quoted).waitFor();
  }
  await page.context().close();
});

test('a reply on the page of a message can be cancelled, and a stored text that is not a reply does not become one', async () => {
  const page = await signedIn('employee');
  await page.goto(at(`/c/${group()}`));
  const id = await send('To be opened');
  const [note, thread] = [page.locator('.reply-to'), page.locator('#composer [name=thread_id]')];
  await page.goto(at(`/c/${group()}/${id}`));
  assert.equal(await thread.getAttribute('value'), id);
  assert.match(await note.textContent(), /^Reply to \S.* App /);
  await note.getByRole('button', { name: 'Cancel' }).click();
  assert.equal(await thread.count(), 0);
  await composer(page).fill('to nobody in particular');
  await page.reload();
  assert.equal(await composer(page).inputValue(), 'to nobody in particular');
  assert.deepEqual([await thread.count(), await note.count()], [0, 0]);
  await page.goto(at(`/c/${group()}`));
  await page.goto(at(`/c/${group()}/${id}`));
  assert.equal(await composer(page).inputValue(), 'to nobody in particular');
  assert.equal(await thread.count(), 0);
  await composer(page).press('Enter');
  await message(page, 'to nobody in particular').waitFor();
  assert.equal(await message(page, 'to nobody in particular').locator('.quote').count(), 0);
  await page.context().close();
});

test('the keyboard focus stays in a message that is edited', async () => {
  const page = await signedIn('employee');
  await page.goto(at(`/c/${group()}`));
  const id = await send('To be edited');
  const one = page.locator(`[id="${id}"]`);
  await one.waitFor();
  const controls = { time: one.locator('a.at'), reply: one.getByRole('button', { name: 'Reply' }), link: one.getByRole('link', { name: 'Link' }) };
  await controls.time.focus();
  for (const [name, control] of Object.entries(controls)) {
    await control.focus();
    await asBot('PATCH', `/messages/${id}`, { text: `Edited with the focus on: ${name}` });
    await one.getByText(`Edited with the focus on: ${name}`).waitFor();
    assert.ok(await control.evaluate((element) => element === document.activeElement), name);
  }
  assert.deepEqual(page.errors, []);
  await page.context().close();
});

test('the keyboard focus stays near a button, a quote or a message that is removed', async () => {
  const page = await signedIn('employee');
  await page.goto(at(`/c/${group()}`));
  const items = [{ action_id: 'yes', text: 'Approve it' }];
  const id = await send('To be approved', { blocks: [{ type: 'actions', items }] });
  const answer = await send('By whom?', { thread_id: id });
  const hasFocus = (locator) => until(() => locator.evaluate((element) => element === document.activeElement), `${locator}`);
  const one = page.locator(`[id="${id}"]`);
  await one.getByRole('button', { name: 'Approve it' }).focus();
  await asBot('PATCH', `/messages/${id}`, { text: 'Approved' });
  await one.getByText('Approved', { exact: true }).waitFor();
  await hasFocus(one.locator('a.at'));
  const reply = page.locator(`[id="${answer}"]`);
  await reply.locator('.quote').focus();
  await asBot('DELETE', `/messages/${id}`);
  await one.waitFor({ state: 'detached' });
  await hasFocus(reply.locator('a.at'));
  await asBot('DELETE', `/messages/${answer}`);
  await reply.waitFor({ state: 'detached' });
  await hasFocus(log(page));
  assert.deepEqual(page.errors, []);
  await page.context().close();
});

test('a quote changes when its message is edited, and disappears when its message is deleted', async () => {
  const page = await signedIn('employee');
  await page.goto(at(`/c/${group()}`));
  const id = await send('The meeting is at nine');
  await send('So early?', { thread_id: id });
  const quote = message(page, 'So early?').locator('.quote');
  await quote.getByText('The meeting is at nine').waitFor();
  const long = `The meeting is at ten 🎉 ${'and long '.repeat(40)}`;
  await asBot('PATCH', `/messages/${id}`, { text: long });
  await quote.getByText('The meeting is at ten').waitFor();
  const live = await quote.textContent();
  // the server renders the same quote
  await page.reload();
  assert.equal(await quote.textContent(), live);
  // a quote also changes if the page does not have the quoted message
  await page.locator(`[id="${id}"]`).evaluate((element) => element.remove());
  await asBot('PATCH', `/messages/${id}`, { text: 'The meeting is at noon' });
  await quote.getByText('The meeting is at noon').waitFor();
  await asBot('DELETE', `/messages/${id}`);
  await quote.waitFor({ state: 'detached' });
  await message(page, 'So early?').waitFor();
  await page.reload();
  await message(page, 'So early?').waitFor();
  assert.equal(await quote.count(), 0);
  assert.deepEqual(page.errors, []);
  await page.context().close();
});

test('the time of an edit is in the time zone of the reader, in an open window and after a reload', async () => {
  // the employee's time zone, which differs from UTC all year
  const times = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'Europe/Stockholm' });
  const page = await signedIn('employee');
  await page.goto(at(`/c/${group()}`));
  const id = await send('To be edited in time');
  await asBot('PATCH', `/messages/${id}`, { text: 'Edited in time' });
  const edited = page.locator(`[id="${id}"] .edited`);
  const time = async () => /\d\d:\d\d/.exec(await edited.getAttribute('title'))[0];
  await edited.waitFor();
  const live = await time();
  assert.equal(live, times.format(new Date(await edited.getAttribute('data-at'))));
  await page.reload();
  assert.equal(live, await time());
  await page.context().close();
});

test('the separators of a day and of unread messages stay as long as they have messages', async () => {
  const id = await newGroup('Separated', 'employee');
  const say = async (text) => (await asBot('POST', '/messages', { to: { type: 'conversation', id }, text })).message.id;
  const read = await say('read');
  const page = await signedIn('employee');
  await page.goto(at(`/c/${id}`));
  await page.goto(at('/start'));
  const unread = await say('unread');
  await page.goto(at(`/c/${id}`));
  const separators = page.locator('#messages > .day, #messages > .new');
  const shown = () => separators.evaluateAll((all) => all.map((one) => one.className));
  assert.deepEqual(await shown(), ['day', 'new']);
  await asBot('DELETE', `/messages/${read}`);
  await page.locator(`[id="${read}"]`).waitFor({ state: 'detached' });
  assert.deepEqual(await shown(), ['day', 'new'], 'the separators stay above the remaining message');
  await asBot('DELETE', `/messages/${unread}`);
  await page.locator(`[id="${unread}"]`).waitFor({ state: 'detached' });
  assert.deepEqual(await shown(), []);
  await say('later');
  await message(page, 'later').waitFor();
  assert.deepEqual(await shown(), ['day']);
  await page.context().close();
});

test('a window that was offline shows every missed message once, in order', async () => {
  const page = await signedIn('employee');
  await page.goto(at(`/c/${group()}`));
  await send('before the tunnel');
  await message(page, 'before the tunnel').waitFor();
  await page.context().setOffline(true);
  const sent = [];
  for (let n = 0; n < 12; n += 1) {
    await asOperator(sandbox, 'POST', '/rate_limits/reset');
    sent.push(await send(`in the tunnel ${n}.`));
  }
  await page.context().setOffline(false);
  await message(page, 'in the tunnel 11.').waitFor();
  const shown = await log(page).getByRole('article').evaluateAll((all) => all.map((one) => one.id));
  assert.deepEqual(shown.filter((id) => sent.includes(id)), sent);
  await page.context().close();
});

test('a window reconnects after a restart of the server, and keeps the typed text', async () => {
  const page = await signedIn('employee');
  await page.goto(at(`/c/${group()}`));
  await composer(page).fill('a draft of mine');
  await sandbox.restart();
  const id = await send('after the restart');
  await page.locator(`[id="${id}"]`).waitFor();
  assert.equal(await page.locator(`[id="${id}"]`).count(), 1);
  assert.equal(await composer(page).inputValue(), 'a draft of mine');
  await page.context().close();
});

test('the text typed in a form is restored after signing in again', async () => {
  const page = await signedIn('employee');
  await page.goto(at(`/c/${group()}`));
  await composer(page).fill('of the one who types');
  await page.getByRole('button', { name: 'Send' }).click();
  const path = await message(page, 'of the one who types').locator('a.at').getAttribute('href');
  await page.goto(at(path));
  await page.getByText('Edit', { exact: true }).click();
  const field = page.getByRole('textbox', { name: 'Edited message' });
  await field.fill('changed by the one who types');
  await composer(page).fill('and an answer');
  await signOutBeside(page);
  await page.waitForURL(/\/signin/);
  await signIn(page, 'employee');
  await page.waitForURL(at(path));
  assert.equal(await field.inputValue(), 'changed by the one who types');
  assert.ok(await field.isVisible(), 'the form is open');
  assert.equal(await composer(page).inputValue(), 'and an answer');
  await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Save' }).click()]);
  await message(page, 'changed by the one who types').locator('.edited').waitFor();
  // the text is restored only once, so the form is now closed
  await page.goto(at(path));
  assert.equal(await field.count(), 0);
  await page.context().close();
});

test('the people ticked for a new conversation are ticked again after signing in again', async () => {
  const page = await signedIn('employee');
  await page.goto(at('/conversations/new'));
  const { name } = sandbox.demo.people.admin;
  const person = page.getByRole('checkbox', { name });
  await page.getByLabel('Name', { exact: true }).fill('Not lost');
  await page.getByRole('radio', { name: 'Only people who are added' }).check();
  await person.check();
  await signOutBeside(page);
  await page.waitForURL(/\/signin/);
  await signIn(page, 'employee');
  await page.waitForFunction(() => document.getElementById('name')?.value === 'Not lost');
  assert.ok(await person.isChecked());
  assert.ok(await page.getByRole('radio', { name: 'Only people who are added' }).isChecked());
  assert.equal(await page.locator('[name=member_ids]:checked').count(), 1);
  await page.context().close();
});

test('after signing in again, a page that was the response to a form has the typed text, and the form is not sent again', async () => {
  const { workspace_id: company } = sandbox.demo.installation;
  // The form of a new conversation offers the 30 people who were created first. So it does not offer the last person
  // created here, who has to be searched for.
  for (let n = 0; n < 31; n += 1) {
    const person = { name: `Found Late ${n}`, email: `late-${n}@answers.example` };
    await asOperator(sandbox, 'POST', `/workspaces/${company}/users`, person);
  }
  const page = await signedIn('employee');
  await page.goto(at('/conversations/new?kind=channel'));
  await page.getByLabel('Group', { exact: true }).selectOption(group());
  await page.getByLabel('Name', { exact: true }).fill('Kept over a search');
  await page.getByLabel('Find people to add').fill('Late 30');
  await page.getByRole('button', { name: 'Find', exact: true }).click();
  const person = page.getByRole('checkbox', { name: 'Found Late 30' });
  await person.check();
  let posts = 0;
  page.on('request', (request) => { if (request.method() === 'POST' && /\/conversations\/new/.test(request.url())) posts += 1; });
  await signOutBeside(page);
  await page.waitForURL(/\/signin/);
  await signIn(page, 'employee');
  await page.waitForFunction(() => document.getElementById('name')?.value === 'Kept over a search');
  assert.equal(posts, 0, 'the form was not sent again');
  assert.ok(await person.isChecked(), 'a person whom only the search has found is ticked again');
  assert.equal(await page.getByLabel('Group', { exact: true }).inputValue(), group());
  assert.deepEqual(violations(page), []);
  await page.context().close();
});

test('if a message is rejected, the unchanged text of an edit form on the same page is not kept', async () => {
  const page = await signedIn('employee');
  await page.goto(at(`/c/${group()}`));
  await composer(page).fill('with a form that edits it');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.goto(at(await message(page, 'with a form that edits it').locator('a.at').getAttribute('href')));
  // sends the form as the page does without its script
  await page.evaluate(() => {
    const form = document.getElementById('composer');
    form.elements.namedItem('text').value = 'x'.repeat(4001);
    HTMLFormElement.prototype.submit.call(form);
  });
  await page.locator('#composer-error').filter({ hasText: 'The message has 4001 characters.' }).waitFor();
  assert.equal(await page.locator('form.edit textarea').inputValue(), 'with a form that edits it');
  await signOutBeside(page);
  await page.waitForURL(/\/signin/);
  await signIn(page, 'employee');
  await page.waitForURL(at(`/c/${group()}`));
  await page.waitForFunction(() => document.querySelector('#composer textarea')?.value.length === 4001);
  assert.equal(await kept(page).count(), 0);
  await page.context().close();
});

test('a window that was in the background while its person signed in again can still send', async () => {
  const page = await signedIn('employee');
  await page.clock.install();
  await page.goto(at(`/c/${group()}`));
  await composer(page).fill('typed under the earlier sign-in');
  const setHidden = (isHidden) => page.evaluate((value) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => value });
    document.dispatchEvent(new Event('visibilitychange'));
  }, isHidden);
  await setHidden(true);
  // a window closes its stream after a minute in the background
  await page.clock.fastForward(61_000);
  const other = await signOutBeside(page);
  await signIn(other, 'employee');
  await Promise.all([page.waitForEvent('load'), setHidden(false)]);
  await composer(page).press('Enter');
  await message(page, 'typed under the earlier sign-in').waitFor();
  await page.context().close();
});

test('a window that is opened in the background closes its stream after a minute, and opens it again when it is shown', async () => {
  const page = await signedIn('employee');
  await page.clock.install();
  await page.addInitScript(() => {
    globalThis.isHidden = true;
    globalThis.streams = [];
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => globalThis.isHidden });
    globalThis.EventSource = class extends EventSource {
      constructor(...address) {
        super(...address);
        globalThis.streams.push(this);
      }
    };
  });
  // 1 means an open stream, 2 a closed stream
  const states = () => page.evaluate(() => globalThis.streams.map(({ readyState }) => readyState));
  await page.goto(at(`/c/${group()}`));
  await until(async () => (await states()).at(-1) === 1, 'the stream is open');
  await page.clock.fastForward(61_000);
  assert.ok((await states()).every((state) => state === 2), 'the stream is closed');
  const number = (await states()).length;
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await page.clock.fastForward(61_000);
  assert.equal((await states()).length, number, 'the stream is not opened again in the background');
  await page.evaluate(() => {
    globalThis.isHidden = false;
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await until(async () => (await states()).at(-1) === 1, 'the stream is open again');
  await page.context().close();
});

test('a window whose form is refused because of another sign-in is reloaded and keeps the text', async () => {
  const page = await signedIn('employee');
  // withholds the responses from which the window would notice that its session has ended
  const release = await withhold(page);
  await page.goto(at(`/c/${group()}`));
  await composer(page).fill('sent under the earlier sign-in');
  const other = await signOutBeside(page);
  await signIn(other, 'employee');
  await release();
  await Promise.all([page.waitForEvent('load'), composer(page).press('Enter')]);
  // the script restores the text after the event `load`
  await page.waitForFunction((text) => document.querySelector('#composer textarea')?.value === text, 'sent under the earlier sign-in');
  await composer(page).press('Enter');
  await message(page, 'sent under the earlier sign-in').waitFor();
  await page.context().close();
});

test('a window of one company is reopened with its text after another company was chosen', async () => {
  const { first, second } = sandbox.demo.workspaces;
  const page = await openPage(browser);
  await page.goto(at(`/signin?next=${encodeURIComponent(`/c/${group()}`)}`));
  await signIn(page, 'both_companies');
  await page.getByRole('button', { name: 'Open', exact: true }).and(page.locator(`[value="${first.id}"]`)).click();
  await page.waitForURL(at(`/c/${group()}`));
  const beside = await page.context().newPage();
  const choose = async (company) => {
    await beside.goto(at('/start'));
    await beside.locator('.menu summary').click();
    await beside.locator('.menu-companies').getByRole('button', { name: company.name }).click();
    await beside.locator('.top-company').filter({ hasText: company.name }).waitFor();
  };
  // withholds the responses from which the window would notice that the other company was chosen
  const release = await withhold(page);
  await page.reload();
  await composer(page).fill('typed before the choice');
  await choose(second);
  await composer(page).press('Enter');
  const offer = page.getByRole('button', { name: `Open ${first.name}` });
  await offer.waitFor();
  await release();
  await offer.click();
  const isRestored = (text) => document.querySelector('#composer textarea')?.value === text;
  await page.waitForFunction(isRestored, 'typed before the choice');
  await composer(page).press('Enter');
  await message(page, 'typed before the choice').waitFor();
  // The page `/people` exists in both companies. After its stream has ended, the window opens the page again, which now
  // shows the other company.
  await page.goto(at('/people'));
  await page.locator('.top-company').filter({ hasText: first.name }).waitFor();
  await choose(second);
  await Promise.all([page.waitForEvent('load'), sandbox.restart()]);
  await page.locator('.top-company').filter({ hasText: second.name }).waitFor();
  await page.context().close();
});

test('a window with chosen files is not reloaded automatically after its person has signed out', async () => {
  const page = await signedIn('employee');
  await page.goto(at(`/c/${group()}`));
  await page.getByLabel('Files').setInputFiles([{ name: 'chosen.txt', mimeType: 'text/plain', buffer: Buffer.from('content') }]);
  await composer(page).fill('with a file');
  const other = await signOutBeside(page);
  const again = page.getByRole('button', { name: 'Open again' });
  await again.waitFor();
  await page.getByRole('button', { name: 'Remove chosen.txt' }).waitFor();
  await page.getByRole('button', { name: 'Send' }).click();
  await page.locator('#composer-error').filter({ hasText: 'You were signed out.' }).waitFor();
  assert.equal(await composer(page).inputValue(), 'with a file');
  await other.close();
  await again.click();
  await page.waitForURL(/\/signin/);
  await signIn(page, 'employee');
  assert.equal(await composer(page).inputValue(), 'with a file');
  await page.context().close();
});

test('a window is not reloaded automatically if the browser cannot store the typed text because its storage is full', async () => {
  const page = await signedIn('employee');
  const path = `/c/${group()}`;
  await page.goto(at(path));
  const fillStorage = () => page.evaluate(() => {
    Storage.prototype.setItem = () => { throw new DOMException('the storage is full', 'QuotaExceededError'); };
  });
  await fillStorage();
  await composer(page).fill('too much to be kept');
  await (await signOutBeside(page)).close();
  await page.getByText('This page is out of date. Copy what you typed before you open it again.').waitFor();
  assert.equal(await composer(page).inputValue(), 'too much to be kept');
  await page.getByRole('button', { name: 'Open again' }).click();
  await page.waitForURL(/\/signin/);
  await signIn(page, 'employee');
  await page.waitForURL(at(path));
  // no text was typed, so a reload loses nothing, and the window is reloaded automatically
  await fillStorage();
  await signOutBeside(page);
  await page.waitForURL(/\/signin/);
  await page.context().close();
});

test('on a phone, the page of conversations shows new conversations, and moves a conversation with a new message to the top', async () => {
  const older = await newGroup('Listed first', 'employee');
  const newer = await newGroup('Listed second', 'employee');
  const page = await signedIn('employee', { viewport: { width: 360, height: 740 } });
  await page.goto(at('/conversations?q=listed'));
  const items = page.getByRole('main').locator('a[data-conversation]');
  const ids = () => items.evaluateAll((all) => all.map((one) => one.dataset.conversation));
  assert.deepEqual(await ids(), [newer, older]);
  await items.last().focus();
  await asBot('POST', '/messages', { to: { type: 'conversation', id: older }, text: 'to the top' });
  await until(async () => (await ids())[0] === older, 'the conversation moves');
  await items.first().locator('.unread:not([hidden])').waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.dataset.conversation), older, 'the keyboard focus stays');
  const third = await newGroup('Listed third', 'employee');
  await until(async () => (await ids()).includes(third), 'the new conversation');
  // The page of a rejected search shows no lists, so the script updates only the sidebar.
  await page.goto(at(`/conversations?q=${'x'.repeat(201)}`));
  await page.getByRole('alert').getByText('The search text is too long.').waitFor();
  await page.evaluate(() => { globalThis.isSame = true; });
  await newGroup('Listed fourth', 'employee');
  await page.locator('nav.side').getByText('Listed fourth').waitFor({ state: 'attached' });
  assert.ok(await page.evaluate(() => globalThis.isSame), 'the page is not opened again');
  assert.deepEqual(violations(page), []);
  await page.context().close();
});

test('a window shows no new messages after its person was removed from the conversation', async () => {
  const page = await signedIn('admin');
  await page.goto(at(`/c/${group()}`));
  const { id } = sandbox.demo.people.admin;
  await asOperator(sandbox, 'DELETE', `/conversations/${group()}/members/${id}`);
  await send('a secret');
  await page.getByRole('heading', { level: 1, name: /not found|no page|not here/i }).waitFor();
  assert.equal(await page.getByText('a secret').count(), 0);
  await asOperator(sandbox, 'PUT', `/conversations/${group()}/members/${id}`);
  await page.context().close();
});

test('a text that is in the composer when its group is archived can be copied, and sent after the group is unarchived', async () => {
  const id = await newGroup('To be archived', 'employee');
  const change = (body) => asOperator(sandbox, 'PATCH', `/conversations/${id}`, body);
  const page = await signedIn('employee');
  await page.goto(at(`/c/${id}`));
  await composer(page).fill('half a <b>sentence');
  await change({ is_archived: true });
  await page.getByText('This group is archived.').waitFor();
  await kept(page).waitFor();
  assert.equal(await kept(page).inputValue(), 'half a <b>sentence');
  assert.equal(await kept(page).isEditable(), false);
  assert.equal(await composer(page).count(), 0);
  await screenshot(page, 'client-archived-while-typing');
  await page.reload();
  await kept(page).waitFor();
  assert.equal(await kept(page).inputValue(), 'half a <b>sentence');
  await change({ is_archived: false });
  await page.waitForFunction(() => document.querySelector('#composer textarea')?.value === 'half a <b>sentence');
  assert.equal(await kept(page).count(), 0);
  await composer(page).press('Enter');
  await message(page, 'half a <b>sentence').waitFor();
  assert.deepEqual(violations(page), []);
  await page.context().close();
});

test('after a conversation becomes announcement-only, the text of an unsaved edit can be copied until it is discarded', async () => {
  const id = await newGroup('To be for announcements', 'employee');
  const page = await signedIn('employee');
  await page.goto(at(`/c/${id}`));
  await composer(page).fill('to be corrected');
  await composer(page).press('Enter');
  await until(async () => await composer(page).inputValue() === '', 'the message is accepted');
  const path = await message(page, 'to be corrected').locator('a.at').getAttribute('href');
  await page.goto(at(path));
  await page.getByText('Edit', { exact: true }).click();
  await page.getByRole('textbox', { name: 'Edited message' }).fill('half corrected');
  await asOperator(sandbox, 'PATCH', `/conversations/${id}`, { announcement_only: true });
  await page.getByText('Only admins can write here').waitFor();
  await kept(page).waitFor();
  assert.equal(await kept(page).inputValue(), 'half corrected');
  await page.reload();
  await kept(page).waitFor();
  assert.equal(await kept(page).inputValue(), 'half corrected');
  await page.getByRole('button', { name: 'Discard' }).click();
  assert.equal(await kept(page).count(), 0);
  await page.reload();
  await page.locator('p.status').waitFor({ state: 'attached' });
  assert.equal(await kept(page).count(), 0);
  await page.context().close();
});

test('if a person is removed from a conversation while typing, the window shows only the typed text', async () => {
  const id = await newGroup('To be left', 'employee', 'admin');
  const say = (text) => asBot('POST', '/messages', { to: { type: 'conversation', id }, text });
  await say('known to members');
  const page = await signedIn('employee');
  await page.goto(at(`/c/${id}`));
  await message(page, 'known to members').waitFor();
  await composer(page).fill('never finished');
  await asOperator(sandbox, 'DELETE', `/conversations/${id}/members/${sandbox.demo.people.employee.id}`);
  await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
  assert.equal(await kept(page).inputValue(), 'never finished');
  assert.ok(await kept(page).evaluate((element) => element === document.activeElement), 'the keyboard focus is not lost');
  await say('a secret');
  // These events usually make the script open the stream again. On this page the script must not open it, because
  // the server would answer 404. A request for the stream would begin before the response to the other request.
  const streams = [];
  page.on('request', (request) => { if (new URL(request.url()).pathname.endsWith('/live')) streams.push(request.url()); });
  await page.evaluate(async () => {
    document.dispatchEvent(new Event('visibilitychange'));
    window.dispatchEvent(new Event('online'));
    await fetch('/conversations');
  });
  assert.deepEqual(streams, []);
  await until(async () => !/To be left/.test(await page.content()), 'the list without the group');
  for (const text of ['known to members', 'a secret']) assert.equal(await page.getByText(text).count(), 0, text);
  assert.doesNotMatch(await page.title(), /To be left/);
  await screenshot(page, 'client-removed-while-typing');
  await page.context().close();
});

test('the texts of an unsaved edit and an unsent reply can be copied when their message is deleted', async () => {
  const page = await signedIn('employee');
  await page.goto(at(`/c/${group()}`));
  await composer(page).fill('to be deleted');
  await composer(page).press('Enter');
  await until(async () => await composer(page).inputValue() === '', 'the message is accepted');
  const path = await message(page, 'to be deleted').locator('a.at').getAttribute('href');
  // withholds the responses from which the window would notice that the message was deleted, or that the session of the
  // window has ended
  await withhold(page);
  await page.goto(at(path));
  await page.getByText('Edit', { exact: true }).click();
  await page.getByRole('textbox', { name: 'Edited message' }).fill('corrected in vain');
  await composer(page).fill('and an answer');
  const other = await page.context().newPage();
  await other.goto(at(path));
  await other.getByText('Delete', { exact: true }).click();
  await other.getByRole('button', { name: 'Delete message' }).click();
  await other.waitForURL(at(`/c/${group()}`));
  await signIn(await signOutBeside(page), 'employee');
  // The form belongs to the earlier sign-in, so it is refused. The page of the deleted message is not found.
  await composer(page).press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Message not found' }).waitFor();
  const texts = await kept(page).evaluateAll((all) => all.map(({ value }) => value));
  assert.deepEqual(texts, ['corrected in vain', 'and an answer']);
  await page.getByRole('link', { name: 'Open the conversation' }).click();
  await page.waitForURL(at(`/c/${group()}`));
  await page.context().close();
});

test('a double click on a button of an app is one press, and a later click is another press', async () => {
  const items = [{ action_id: 'yes', text: 'Release it' }, { action_id: 'no', text: 'Wait a day' }];
  await send('Release?', { blocks: [{ type: 'actions', items }] });
  const page = await signedIn('employee');
  const presses = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/actions')) presses.push(new URLSearchParams(request.postData()).get('press'));
  });
  await page.clock.install();
  await page.goto(at(`/c/${group()}`));
  // while the timers of the page are paused, the clicks are less than a second apart
  await page.clock.pauseAt(new Date(Date.now() + 60_000));
  const button = (name) => message(page, 'Release?').getByRole('button', { name });
  const click = async (name) => {
    const { x, y, width, height } = await button(name).boundingBox();
    await page.mouse.click(x + width / 2, y + height / 2);
  };
  const reports = (text) => until(async () => await page.locator('p.status').textContent() === text, text);
  await click('Release it');
  await reports('Sent: Release it');
  // the response to the first click arrived before the second click
  await click('Release it');
  assert.equal(await button('Release it').getAttribute('aria-disabled'), 'true');
  await click('Wait a day');
  await reports('Sent: Wait a day');
  assert.equal(presses.length, 2);
  await page.clock.runFor(1_100);
  assert.equal(await button('Release it').getAttribute('aria-disabled'), null);
  // The second click of a double click is ignored, even if another button has replaced the button of the first click.
  await button('Release it').dispatchEvent('click', { detail: 2 });
  await click('Release it');
  await until(() => presses.length > 2, 'the later press');
  await reports('Sent: Release it');
  assert.equal(new Set(presses).size, 3, 'each press has its own random number');
  assert.equal(presses.length, 3);
  await page.context().close();
});

test('the page shows why a press was refused', async () => {
  await send('Refused?', { blocks: [{ type: 'actions', items: [{ action_id: 'yes', text: 'Press in vain' }] }] });
  const { id, callback_url: callback } = sandbox.demo.apps.installed;
  const page = await signedIn('employee');
  await page.goto(at(`/c/${group()}`));
  await asOperator(sandbox, 'PATCH', `/apps/${id}`, { callback_url: null });
  await message(page, 'Refused?').getByRole('button', { name: 'Press in vain' }).click();
  await page.locator('p.status').filter({ hasText: 'has no callback URL; nothing was sent.' }).waitFor();
  await asOperator(sandbox, 'PATCH', `/apps/${id}`, { callback_url: callback });
  await message(page, 'Refused?').getByRole('button', { name: 'Press in vain' }).click();
  await page.locator('p.status').filter({ hasText: 'Sent: Press in vain' }).waitFor();
  await page.context().close();
});

test('attached files are sent and shown', async () => {
  const page = await signedIn('employee');
  await page.goto(at(`/c/${group()}`));
  const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
  await page.getByLabel('Files').setInputFiles([
    { name: 'plan.png', mimeType: 'image/png', buffer: png },
    { name: 'notes <b>.txt', mimeType: 'text/plain', buffer: Buffer.from('notes') },
  ]);
  await page.getByRole('button', { name: 'Remove plan.png' }).waitFor();
  await composer(page).fill('two files');
  await page.getByRole('button', { name: 'Send' }).click();
  const shown = message(page, 'two files');
  await shown.locator('img').waitFor();
  assert.ok(await shown.locator('img').evaluate((image) => image.decode().then(() => image.naturalWidth === 1)));
  await shown.getByText('notes <b>.txt').waitFor();
  await screenshot(page, 'client-files');
  assert.deepEqual(violations(page), []);
  await page.context().close();
});

test('the newest message stays in view when images are taller than the space reserved for them', async () => {
  const id = await newGroup('Pictures', 'employee');
  const page = await signedIn('employee', { viewport: { width: 1330, height: 720 } });
  await page.goto(at(`/c/${id}`));
  // The image has 100 by 800 pixels. The page reserves a space that is wider than it is tall.
  const tall = Buffer.from('R0lGODlhZAAgA4AAAAAAAP///ywAAAAAAQABAAACAUwAOw==', 'base64');
  const images = Array.from({ length: 12 }, (_, n) => ({ name: `${n}.gif`, mimeType: 'image/gif', buffer: tall }));
  await page.getByLabel('Files').setInputFiles(images);
  await page.getByRole('button', { name: 'Send' }).click();
  const shown = log(page).locator('img');
  const areLoaded = () => shown.evaluateAll((all) => all.length === 12 && all.every((one) => one.complete && one.naturalHeight === 800));
  const isAtEnd = () => page.locator('.scroll').evaluate((one) => one.scrollHeight - one.scrollTop - one.clientHeight < 2);
  await until(areLoaded, 'the images of the new message');
  await until(isAtEnd, 'the end of the new message');
  // the images arrive only after the browser has shown the end of the page
  let release;
  const held = new Promise((resolve) => { release = resolve; });
  await page.route(/\/files\//, async (route) => { await held; await route.continue(); });
  await page.goto(at(`/c/${id}`), { waitUntil: 'domcontentloaded' });
  await until(isAtEnd, 'the page is shown at its end');
  const before = await log(page).evaluate((one) => one.offsetHeight);
  release();
  await until(areLoaded, 'the images of the page');
  assert.ok(await log(page).evaluate((one) => one.offsetHeight) > before + 80, 'the messages have grown');
  await until(isAtEnd, 'the end is still in view');
  await page.context().close();
});

test('files that are dropped and pasted are attached', async () => {
  const page = await signedIn('employee');
  await page.goto(at(`/c/${group()}`));
  const files = (name) => page.evaluateHandle((value) => {
    const data = new DataTransfer();
    data.items.add(new File([`content of ${value}`], value, { type: 'text/plain' }));
    return data;
  }, name);
  const view = page.locator('#conversation');
  const dropped = await files('dropped.txt');
  await view.dispatchEvent('dragenter', { dataTransfer: dropped });
  assert.match(await view.getAttribute('class'), /dropping/, 'the page shows where to drop');
  await view.dispatchEvent('dragover', { dataTransfer: dropped });
  await view.dispatchEvent('drop', { dataTransfer: dropped });
  await page.getByRole('button', { name: 'Remove dropped.txt' }).waitFor();
  assert.doesNotMatch(await view.getAttribute('class'), /dropping/);
  const pasted = await files('pasted.txt');
  await composer(page).evaluate((field, clipboardData) => {
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, pasted);
  await page.getByRole('button', { name: 'Remove pasted.txt' }).waitFor();
  await composer(page).fill('dropped and pasted');
  await page.getByRole('button', { name: 'Send' }).click();
  const sent = message(page, 'dropped and pasted');
  for (const name of ['dropped.txt', 'pasted.txt']) await sent.getByText(name).waitFor();
  assert.equal(await sent.getByRole('listitem').count(), 2);
  await page.context().close();
});

test('a page with chosen files asks before it is left, and a file that is dropped beside the conversation is ignored', async () => {
  const page = await signedIn('employee');
  await page.goto(at(`/c/${group()}`));
  // returns whether the browser would ask the person before it leaves the page
  const asks = () => page.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })));
  await composer(page).fill('kept without a question');
  assert.equal(await asks(), false, 'the browser does not ask about a typed text, because it stores the text');
  await page.getByLabel('Files').setInputFiles([{ name: 'asked.txt', mimeType: 'text/plain', buffer: Buffer.from('content') }]);
  assert.equal(await asks(), true);
  let dialogs = 0;
  page.on('dialog', (dialog) => { dialogs += 1; return dialog.accept(); });
  // browsers ask only if the person has used the page
  await composer(page).press('End');
  await page.getByRole('link', { name: 'People', exact: true }).click();
  await page.waitForURL(at('/people'));
  assert.equal(dialogs, 1);
  await page.goto(at(`/c/${group()}`));
  // returns whether the script leaves the event to the browser, which would then open the dropped file
  const drop = (selector, name) => page.locator(selector).first().evaluate((part, type) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['content'], 'beside.txt', { type: 'text/plain' }));
    return part.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
  }, name);
  for (const part of ['nav.side', 'header.top', '#messages']) {
    for (const name of ['dragover', 'drop']) assert.equal(await drop(part, name), false, `${name} on ${part}`);
  }
  assert.equal(await page.locator('.chosen li').count(), 1, 'only the file that was dropped on the conversation is attached');
  await page.context().close();
});

test('files beyond the limits are refused before they are sent, with the reason', async () => {
  const page = await signedIn('employee');
  await page.goto(at(`/c/${group()}`));
  let posts = 0;
  page.on('request', (request) => { if (request.method() === 'POST' && request.url().endsWith('/messages')) posts += 1; });
  // Chooses files of these sizes in MiB. All files are made of the same MiB of memory.
  const choose = (sizes) => page.getByLabel('Files').evaluate((input, all) => {
    const part = new Blob([new Uint8Array(1 << 20)]);
    const chosen = new DataTransfer();
    all.forEach((size, n) => chosen.items.add(new File(Array(size).fill(part), `file ${n}.bin`)));
    input.files = chosen.files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
  }, sizes);
  await composer(page).fill('with files');
  for (const [sizes, reason] of [
    [Array(201).fill(0), 'A message can have at most 200 files; send them in several messages.'],
    [[1, 101], 'The file “file 1.bin” was not sent: it is larger than 100 MiB.'],
    [Array(11).fill(99), 'The files of a message can have at most 1 GiB together. Send them in several messages.'],
  ]) {
    await choose(sizes);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('#composer-error').filter({ hasText: reason }).waitFor();
    assert.equal(await page.locator('.chosen li').count(), sizes.length, 'the files stay chosen');
    assert.equal(await composer(page).inputValue(), 'with files');
  }
  assert.equal(posts, 0);
  await choose([0, 1]);
  await page.getByRole('button', { name: 'Send' }).click();
  await message(page, 'with files').getByText('file 1.bin').waitFor();
  assert.equal(await page.locator('#composer-error').count(), 0);
  assert.equal(posts, 1);
  await page.context().close();
});

test('a file that was deleted after it was chosen is refused with its name, and an empty file is sent', async () => {
  const page = await signedIn('employee');
  await page.goto(at(`/c/${group()}`));
  let posts = 0;
  page.on('request', (request) => { if (request.method() === 'POST' && request.url().endsWith('/messages')) posts += 1; });
  const folder = mkdtempSync(join(tmpdir(), 'switchboard-files-'));
  const [lost, empty] = ['lost.txt', 'empty.txt'].map((name) => join(folder, name));
  writeFileSync(lost, 'content');
  writeFileSync(empty, '');
  // the browser reads these files from the disk, like files that a person chooses
  const devtools = await page.context().newCDPSession(page);
  const { root } = await devtools.send('DOM.getDocument');
  const { nodeId } = await devtools.send('DOM.querySelector', { nodeId: root.nodeId, selector: '#composer [type=file]' });
  await devtools.send('DOM.setFileInputFiles', { nodeId, files: [lost, empty] });
  await page.getByRole('button', { name: 'Remove lost.txt' }).waitFor();
  rmSync(lost);
  await composer(page).fill('with a file that is lost');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.locator('#composer-error').filter({ hasText: '“lost.txt” cannot be read' }).waitFor();
  assert.equal(posts, 0);
  assert.equal(await composer(page).inputValue(), 'with a file that is lost');
  await page.getByRole('button', { name: 'Remove lost.txt' }).click();
  await page.getByRole('button', { name: 'Send' }).click();
  await message(page, 'with a file that is lost').getByText('empty.txt').waitFor();
  assert.equal(posts, 1);
  rmSync(folder, { recursive: true });
  await page.context().close();
});

test('if an upload fails after the time limit, the page names the time limit', async () => {
  const page = await signedIn('employee');
  await page.clock.install();
  await page.goto(at(`/c/${group()}`));
  await page.getByLabel('Files').setInputFiles([{ name: 'slow.txt', mimeType: 'text/plain', buffer: Buffer.from('content') }]);
  await page.route(/\/messages$/, async (route) => {
    // the upload makes progress, so the script does not abort it
    for (let minute = 0; minute < 11; minute += 1) {
      await page.evaluate(() => globalThis.uploads[0].upload.dispatchEvent(new ProgressEvent('progress')));
      await page.clock.fastForward(59_000);
    }
    await route.abort('connectionreset');
  });
  await page.evaluate(() => {
    globalThis.uploads = [];
    const { send } = XMLHttpRequest.prototype;
    XMLHttpRequest.prototype.send = function note(body) {
      globalThis.uploads.push(this);
      send.call(this, body);
    };
  });
  await page.getByRole('button', { name: 'Send' }).click();
  await page.locator('#composer-error').filter({ hasText: 'Sending took longer than 10 minutes' }).waitFor();
  await page.getByRole('button', { name: 'Remove slow.txt' }).waitFor();
  await page.context().close();
});

test('text that is pasted together with a picture of the text stays text, and a copied file is attached', async () => {
  const page = await signedIn('employee');
  await page.goto(at(`/c/${group()}`));
  // returns whether the script leaves the paste to the browser, which then inserts the text
  const paste = (name, data) => composer(page).evaluate((field, [file, texts]) => {
    const clipboardData = new DataTransfer();
    for (const [type, text] of Object.entries(texts)) clipboardData.setData(type, text);
    clipboardData.items.add(new File(['content'], file, { type: 'image/png' }));
    return field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, [name, data]);
  const cells = { 'text/plain': 'May\t12\nJune\t14', 'text/html': '<table><tr><td>May<td>12<tr><td>June<td>14</table>' };
  assert.ok(await paste('cells.png', cells), 'cells of a spreadsheet');
  assert.ok(await paste('word.png', { 'text/plain': 'a paragraph', 'text/rtf': '{\\rtf1 a paragraph}' }), 'text of a word processor');
  assert.equal(await page.locator('.chosen li').count(), 0);
  for (const [name, data] of [
    ['screenshot.png', {}],
    // a picture that was copied from a web page
    ['picture.png', { 'text/html': '<img src="https://example.com/picture.png">' }],
    // a file that was copied in a file manager
    ['copied.png', { 'text/plain': 'copied.png' }],
  ]) {
    assert.equal(await paste(name, data), false, name);
    await page.getByRole('button', { name: `Remove ${name}` }).waitFor();
  }
  assert.equal(await page.locator('.chosen li').count(), 3);
  await page.context().close();
});

test('reading, writing, replying, editing, deleting and searching work without JavaScript', async () => {
  const page = await signedIn('employee', { javaScriptEnabled: false });
  await page.goto(at(`/c/${group()}`));
  await composer(page).fill('written without a script');
  await page.getByRole('button', { name: 'Send' }).click();
  await message(page, 'written without a script').locator('a.at').click();
  await page.getByText('Edit', { exact: true }).click();
  await page.getByRole('textbox', { name: 'Edited message' }).fill('changed without a script');
  await page.getByRole('button', { name: 'Save' }).click();
  await message(page, 'changed without a script').locator('.edited').waitFor();
  await message(page, 'changed without a script').locator('a.at').click();
  await composer(page).fill('a reply without a script');
  await page.getByRole('button', { name: 'Send' }).click();
  await message(page, 'a reply without a script').locator('.quote').waitFor();
  await message(page, 'a reply without a script').locator('a.at').click();
  await page.getByText('Delete', { exact: true }).click();
  await page.getByRole('button', { name: 'Delete message' }).click();
  await page.goto(at(`/c/${group()}`));
  assert.equal(await message(page, 'a reply without a script').count(), 0);
  await page.goto(at('/search?q=changed'));
  await page.getByText('changed').first().waitFor();
  await page.context().close();
});

test('pages have no accessibility error that axe-core finds, in light, in dark and on a phone', async () => {
  await send('A longer report\n\n' + 'word '.repeat(400), {
    blocks: [
      { type: 'header', text: 'Deploy 42?' },
      { type: 'actions', items: [
        { action_id: 'yes', text: 'Deploy', style: 'primary' }, { action_id: 'no', text: 'Stop', style: 'danger' },
        { action_id: 'later', text: 'Later' },
      ] },
    ],
  });
  await send('שלום עולם, مرحبا — a text from right to left');
  await send(`https://example.com/${'averylongword'.repeat(30)}`);
  const screens = {
    light: { viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
    dark: { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
    phone: { viewport: { width: 360, height: 740 }, colorScheme: 'light', deviceScaleFactor: 2, hasTouch: true },
  };
  const paths = {
    conversation: `/c/${group()}`,
    conversations: '/conversations',
    'new-conversation': '/conversations/new',
    people: '/people',
    profile: `/people/${sandbox.demo.people.admin.id}`,
    search: '/search?q=build',
    drafts: '/drafts',
    start: '/start',
  };
  for (const [look, options] of Object.entries(screens)) {
    // the pages' content security policy would block the script of axe-core
    const page = await signedIn('employee', { ...options, bypassCSP: true });
    for (const [name, path] of Object.entries(paths)) {
      await page.goto(at(path));
      await page.waitForLoadState('load');
      await screenshot(page, `client-${name}-${look}`);
      assert.deepEqual(await problems(page), [], `${name} (${look})`);
      const [wide, shown] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      assert.ok(wide <= shown, `${name} (${look}) scrolls sideways: ${wide} > ${shown}`);
    }
    assert.deepEqual(page.errors, []);
    await page.context().close();
    await asOperator(sandbox, 'POST', '/rate_limits/reset');
  }
});
