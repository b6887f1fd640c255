// The web client behind a network that delays, cuts and reorders requests and responses. No message is posted twice, no
// typed text is lost, and a window shows every message once. All traffic of the browser goes through a proxy. The API
// calls of the tests do not.
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { freePort } from '../clients/lib/listen.js';
import { startProxy, until } from './proxy.js';
import { asOperator, openPage, screenshot, startBrowser, startSandbox, withhold } from './sandbox.js';

let sandbox;
let browser;
let proxy;
let sessions;
let quiet;
before(async () => {
  const port = await freePort();
  [proxy, browser] = await Promise.all([startProxy(port), startBrowser()]);
  const settings = { SWITCHBOARD_BASE_URL: `http://127.0.0.1:${proxy.port}`, SWITCHBOARD_LIMITS_SCALE: '1000' };
  sandbox = await startSandbox(settings, `127.0.0.1:${port}`);
  sandbox.direct = `http://127.0.0.1:${port}`;
  sessions = { employee: await signIn('employee'), admin: await signIn('admin') };
  quiet = await openQuiet(await signIn('guest'));
});
afterEach(async () => {
  proxy.reset();
  for (const context of browser.contexts()) await context.close();
});
after(async () => {
  quiet?.stop.abort();
  await browser?.close();
  await proxy?.close();
  await sandbox?.stop();
});

const at = (path) => `${sandbox.base}${path}`;
const group = () => sandbox.demo.conversations.public_group;
const here = () => at(`/c/${group()}`);

/** Signs in the person `key` of the demo, such as `employee`. Returns the cookies of the person's browser. */
async function signIn(key) {
  const page = await openPage(browser);
  const { email, password } = sandbox.demo.people[key];
  await page.goto(at('/signin'));
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((url) => url.pathname !== '/signin');
  const state = await page.context().storageState();
  await page.context().close();
  return state;
}

/**
 * Opens the event stream of a person whose conversations do not change. The stream does not use the proxy. Returns
 * `received`, which has the data that have arrived, and `stop`, which closes the stream.
 */
async function openQuiet({ cookies }) {
  const opened = { received: '', stop: new AbortController() };
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const { body } = await fetch(`${sandbox.direct}/conversations/live`, { headers: { cookie }, signal: opened.stop.signal });
  const read = async () => { for await (const data of body) opened.received += new TextDecoder().decode(data); };
  read().catch(() => {});
  return opened;
}

/** Opens a new window of a person. */
async function windowOf(key = 'employee', options = {}) {
  const page = await openPage(browser, { storageState: sessions[key], ...options });
  page.setDefaultTimeout(30_000);
  return page;
}

/** Opens the group in a new window of a person, and waits until its event stream is connected. */
async function follow(key = 'employee') {
  return followOn(await windowOf(key));
}

async function followOn(page) {
  const live = proxy.rule(streams());
  await page.goto(here());
  await live.answered();
  live.remove();
  return page;
}

const posts = () => new RegExp(`^POST /c/${group()}/messages `);
const streams = () => new RegExp(`^GET /c/${group()}/live`);
const pages = (query = '') => new RegExp(`^GET /c/${group()}${query} `);

/** Calls the bot API as the demo's bot, without the proxy. */
async function asBot(method, path, body) {
  const headers = { authorization: `Bearer ${sandbox.demo.installation.bot_token}`, 'content-type': 'application/json' };
  headers['idempotency-key'] = crypto.randomUUID();
  const response = await fetch(`${sandbox.direct}/v1${path}`, { method, headers, body: body && JSON.stringify(body) });
  const answer = await response.json();
  assert.ok(response.ok, JSON.stringify(answer));
  return answer;
}

const send = async (text) => (await asBot('POST', '/messages', { to: { type: 'conversation', id: group() }, text })).message.id;
const edit = (id, text) => asBot('PATCH', `/messages/${id}`, { text });
const erase = (id) => asBot('DELETE', `/messages/${id}`);

/** Returns the stored messages whose text contains `label`, oldest first. */
async function stored(label) {
  const { messages } = await asBot('GET', `/conversations/${group()}/messages?limit=1000`);
  return messages.filter(({ text }) => text?.includes(label)).reverse();
}

/** Returns the texts of the stored messages whose text contains `label`, oldest first. */
const texts = async (label) => (await stored(label)).map(({ text }) => text);

const log = (page) => page.getByRole('log', { name: 'Messages' });
const composer = (page) => page.getByRole('textbox', { name: 'Message', exact: true });
const message = (page, text) => log(page).getByRole('article').filter({ hasText: text });
const refusal = (page) => page.locator('#composer-error');
const emptied = (page) => until(async () => await composer(page).inputValue() === '', 'the composer is empty');

/** Writes a text in the composer and sends it. */
async function write(page, text) {
  await composer(page).fill(text);
  await composer(page).press('Enter');
}

/**
 * Scrolls to the first message. Scrolls to the end first, because a page that is already at its top would not scroll.
 */
const scrollUp = (page) => page.locator('.scroll').evaluate((one) => new Promise((resolve) => {
  one.scrollTop = one.scrollHeight;
  requestAnimationFrame(() => requestAnimationFrame(() => { one.scrollTop = 0; resolve(); }));
}));

/** Returns the ids and texts of the messages that a window shows, from top to bottom. */
const shown = (page) => log(page).getByRole('article').evaluateAll((all) => all.map((one) => (
  { id: one.id, text: one.querySelector('.text')?.textContent })));

/**
 * Asserts that the window soon shows the stored messages whose text contains `label`, in the same order and each once.
 * Stored messages that are older than the first message in the window do not count.
 */
async function assertComplete(page, label = '') {
  let found;
  let expected;
  const same = async () => {
    found = (await shown(page)).filter(({ text }) => text?.includes(label));
    expected = (await stored(label)).map(({ id, text }) => ({ id, text }));
    expected = expected.slice(expected.findIndex(({ id }) => id === found[0]?.id));
    return found.length > 0 && JSON.stringify(found) === JSON.stringify(expected);
  };
  await until(same, 'the window is complete').catch(() => assert.deepEqual(found, expected));
}

// ---------------------------------------------------------------------------------------------------------------------------
// Loading

test('a page whose response stalls is shown when the rest arrives, with the messages sent meanwhile', async () => {
  for (let n = 0; n < 10; n += 1) await send(`stopped page ${n}.`);
  const page = await windowOf();
  const rule = proxy.rule(pages(), { response: 'hold', holdAfter: 6_000 });
  const loaded = page.goto(here());
  await rule.answered();
  await send('stopped page, written meanwhile');
  rule.release();
  await loaded;
  await message(page, 'written meanwhile').waitFor();
  await assertComplete(page, 'stopped page');
});

test('a page that is cut in the middle opens no event stream, and a reload shows all messages', async () => {
  for (let n = 0; n < 3; n += 1) await send(`cut page ${n}.`);
  for (const by of ['reset', 'end']) {
    const page = await windowOf();
    // the connection is cut inside the second of the three messages
    const rule = proxy.rule(pages(), { cutInside: 'cut page 1.', by });
    const live = proxy.rule(streams());
    await page.goto(here(), { waitUntil: 'commit' });
    await rule.cut();
    await until(() => page.errors.some((error) => /Failed to load/.test(error)), 'the browser reports the cut');
    assert.equal(await message(page, 'cut page 2.').count(), 0);
    assert.equal(live.requests, 0, 'a page that was cut opens no event stream');
    rule.remove();
    await page.reload();
    await message(page, 'cut page 2.').waitFor();
    await assertComplete(page, 'cut page');
    await page.context().close();
  }
});

test('if the script of a page was cut, the form of the page still sends a message', async () => {
  const page = await windowOf();
  const rule = proxy.rule(/client.*\.js/, { cutResponseAfter: 2_000 });
  await page.goto(here());
  await rule.cut();
  await composer(page).fill('sent without the script');
  await page.getByRole('button', { name: 'Send' }).click();
  await message(page, 'sent without the script').waitFor();
  assert.equal((await stored('sent without the script')).length, 1);
});

test('earlier messages load after a cut, once each, with their latest text', async () => {
  const sent = [];
  for (let n = 0; n < 120; n += 1) sent.push(await send(`earlier ${n}.`));
  const older = pages('\\?before=\\S+');
  const lost = proxy.rule(older, { cutResponseAfter: 3_000 });
  const page = await follow();
  await scrollUp(page);
  await lost.cut();
  await page.getByText('Earlier messages cannot be loaded now.').waitFor();
  lost.remove();
  // the changes below happen after the server has created the held response, so the response does not contain them
  const late = proxy.rule(older, { response: 'hold' });
  await page.getByRole('link', { name: 'Earlier' }).click();
  await late.answered();
  await erase(sent[60]);
  await edit(sent[61], 'earlier 61. changed');
  const newest = await send('earlier, written meanwhile');
  await page.locator(`[id="${newest}"]`).waitFor();
  late.release();
  await page.locator(`[id="${sent[59]}"]`).waitFor({ state: 'attached' });
  await until(async () => { await scrollUp(page); return page.locator(`[id="${sent[0]}"]`).count(); }, 'the oldest message');
  await assertComplete(page, 'earlier');
});

test('screen readers announce new messages, and not earlier messages that are loaded', async () => {
  for (let n = 0; n < 110; n += 1) await send(`announced ${n}.`);
  const page = await windowOf();
  await page.clock.install();
  await followOn(page);
  await page.evaluate(() => {
    const messages = document.getElementById('messages');
    globalThis.announced = [];
    new MutationObserver((changes) => {
      const added = changes.flatMap(({ addedNodes }) => [...addedNodes]).filter((one) => one.matches('article'));
      if (added.length) globalThis.announced.push(messages.getAttribute('aria-live') !== 'off');
    }).observe(messages, { childList: true });
  });
  const announced = () => page.evaluate(() => globalThis.announced);
  const loaded = (number) => until(async () => (await announced()).length === number, `load ${number} of earlier messages`);
  const earlier = page.getByRole('link', { name: 'Earlier' });
  // leaves the top, at which the script would load earlier messages by itself
  await page.locator('.scroll').evaluate((one) => { one.scrollTop = one.scrollHeight; });
  // The timers of the page are paused, so announcements are still switched off (`aria-live`) when the second request begins.
  await page.clock.pauseAt(Date.now() + 10_000);
  await earlier.dispatchEvent('click');
  await loaded(1);
  const late = proxy.rule(pages('\\?before=\\S+'), { response: 'hold' });
  await earlier.dispatchEvent('click');
  await late.answered();
  // without the second request, the page would switch announcements on half a second after the first response
  await page.clock.fastForward(600);
  late.release();
  await loaded(2);
  assert.deepEqual(await announced(), [false, false]);
  await page.clock.fastForward(600);
  await until(() => page.locator('#messages:not([aria-live])').count(), 'new messages are announced again');
  await page.clock.resume();
  await send('announced, at last');
  await until(async () => (await announced()).includes(true), 'the new message');
});

/** Creates a group with `number` long messages. Returns the group's id, and the ids of the messages, oldest first. */
async function groupWith(number, name) {
  const operator = { ...sandbox, base: sandbox.direct };
  const { workspace_id: company, bot_user_id: bot } = sandbox.demo.installation;
  const body = { kind: 'group', name, member_ids: [sandbox.demo.people.employee.id, bot] };
  const { conversation: { id } } = await asOperator(operator, 'POST', `/workspaces/${company}/conversations`, body);
  const sent = [];
  for (let n = 0; n < number; n += 1) {
    const text = `number ${n}.\n${'a line\n'.repeat(3)}`;
    sent.push((await asBot('POST', '/messages', { to: { type: 'conversation', id }, text })).message.id);
  }
  return { id, sent };
}

test('if the earlier messages were deleted after a page was opened, the link “Earlier” shows no message twice', async () => {
  const { id, sent } = await groupWith(55, 'Deleted');
  const page = await windowOf();
  await page.goto(at(`/c/${id}`));
  const all = log(page).getByRole('article');
  assert.equal(await all.count(), 50);
  for (const old of sent.slice(0, 5)) await erase(old);
  const link = page.getByRole('link', { name: 'Earlier' });
  // the focus scrolls the page to its top, and this loads the earlier messages
  await link.focus();
  await link.waitFor({ state: 'detached' });
  assert.equal(await page.evaluate(() => document.activeElement.id), 'messages', 'the keyboard focus is not lost');
  assert.deepEqual(await all.evaluateAll((found) => found.map((one) => one.id)), sent.slice(5));
});

test('if the earlier messages were deleted after a page was opened, the link “Earlier” adds no later messages', async () => {
  const { id, sent } = await groupWith(120, 'Deleted around');
  const page = await windowOf();
  const live = proxy.rule(new RegExp(`^GET /c/${id}/live`));
  await page.goto(at(`/c/${id}/${sent[39]}`));
  await live.answered();
  const ids = async () => (await shown(page)).map((one) => one.id);
  const before = await ids();
  const first = sent.indexOf(before[0]);
  assert.ok(first > 0 && sent.indexOf(before.at(-1)) < 110, 'the page shows neither the first message nor the last ones');
  for (const old of sent.slice(0, first)) await erase(old);
  // After these deletions, 45 messages remain in the window, and there are no older messages. So the response to the
  // request below has the 45 messages in the window and five later messages.
  for (const old of before.slice(-5)) await erase(old);
  await until(async () => (await ids()).length === before.length - 5, 'the window notices the deletions');
  const older = proxy.rule(new RegExp(`^GET /c/${id}\\?before=`));
  const link = page.getByRole('link', { name: 'Earlier' });
  // the focus scrolls the page to its top, so the earlier messages may be loaded before the key is pressed
  await link.focus();
  await page.keyboard.press('Enter');
  await link.waitFor({ state: 'detached' });
  assert.equal(older.requests, 1);
  assert.deepEqual(await ids(), before.slice(0, -5));
});

test('if another window chooses another company, a window offers to open its own company again', async () => {
  for (let n = 0; n < 120; n += 1) await send(`refused later ${n}.`);
  const { first, second } = sandbox.demo.workspaces;
  sessions.both_companies = await signIn('both_companies');
  const page = await windowOf('both_companies');
  await page.goto(here());
  await page.getByRole('button', { name: 'Open', exact: true }).and(page.locator(`[value="${first.id}"]`)).click();
  await page.waitForURL(here());
  const beside = await page.context().newPage();
  const chooseSecond = async () => {
    await beside.goto(at('/start'));
    await beside.locator('.menu summary').click();
    await beside.locator('.menu-companies').getByRole('button', { name: second.name }).click();
    await beside.locator('.top-company').filter({ hasText: second.name }).waitFor();
  };
  const offer = page.getByRole('button', { name: `Open ${first.name}` });
  // withholds the responses from which the window would notice that the other company was chosen
  const release = await withhold(page);
  await page.reload();
  await chooseSecond();
  // A dispatched event does not scroll to the link. Scrolling would load the earlier messages without a click.
  await page.getByRole('link', { name: 'Earlier' }).dispatchEvent('click');
  await offer.waitFor();
  // the list of conversations never loads, so it does not make the window notice the choice either
  await release();
  await page.route(/\/start$/, () => {});
  const live = proxy.rule(streams());
  await offer.click();
  await live.answered();
  await chooseSecond();
  const operator = { ...sandbox, base: sandbox.direct };
  await asOperator(operator, 'PATCH', `/conversations/${group()}`, { topic: 'After the choice' });
  await offer.waitFor();
});

test('a list of conversations that arrives late does not overwrite newer numbers of unread messages', async () => {
  const page = await windowOf();
  // opens the group, so that the messages of other tests are marked as read: a count above 99 would be shown as `99+`
  await page.goto(here());
  // The script requests the list from the URL of the page, when its stream is open. The rule `list` is added after the
  // page has loaded, so it holds only the request of the script.
  const live = proxy.rule(/^GET \/conversations\/live/, { response: 'hold' });
  await page.goto(at('/conversations'));
  const list = proxy.rule(/^GET \/conversations /, { response: 'hold' });
  live.release();
  await list.answered();
  const item = `a[data-conversation="${group()}"] .unread`;
  const badge = page.getByRole('navigation', { name: 'Conversations' }).locator(item);
  const unread = async (shown = badge) => ((await shown.isVisible()) ? Number(await shown.textContent()) : 0);
  const old = await unread();
  await send('for the list');
  await until(async () => (await unread()) > old, 'the new message is counted');
  const number = await unread();
  const before = await page.locator('nav.side > *').first().elementHandle();
  list.release();
  await until(() => before.evaluate((element) => !element.isConnected), 'the list is replaced');
  for (const shown of [badge, page.getByRole('main').locator(item)]) assert.equal(await unread(shown), number);
});

// ---------------------------------------------------------------------------------------------------------------------------
// Sending

for (const by of ['reset', 'end']) {
  test(`a message whose response is lost (${by}) is posted once when it is sent again, also after a reload`, async () => {
    const page = await follow();
    for (const way of ['again', 'after a reload']) {
      const text = `answer lost ${by} ${way}`;
      const rule = proxy.rule(posts(), { cutResponseAfter: 0, by });
      await write(page, text);
      await refusal(page).waitFor();
      assert.ok(rule.cuts >= 1);
      // the event stream makes the window show the posted message
      await message(page, text).waitFor();
      assert.equal(await composer(page).inputValue(), text);
      rule.remove();
      if (way === 'after a reload') {
        await page.reload();
        assert.equal(await composer(page).inputValue(), text, 'a reload keeps the typed text');
      }
      await page.getByRole('button', { name: 'Send' }).click();
      await emptied(page);
      await refusal(page).waitFor({ state: 'detached' });
      assert.deepEqual(await texts(text), [text]);
      assert.equal(await message(page, text).count(), 1);
    }
    // the message has been accepted, so the same text is now sent as a new message
    await write(page, `answer lost ${by} again`);
    await emptied(page);
    assert.equal((await stored(`answer lost ${by} again`)).length, 2);
  });
}

test('over a slow connection, messages of the window and of others appear once, in order', async () => {
  const page = await windowOf();
  proxy.rule(/./, { delay: 100 });
  await page.goto(here());
  for (let n = 0; n < 4; n += 1) {
    await Promise.all([write(page, `slow ${n}, mine`), send(`slow ${n}, of others`)]);
    await emptied(page);
  }
  await message(page, 'slow 3, mine').waitFor();
  await message(page, 'slow 3, of others').waitFor();
  await assertComplete(page, 'slow ');
  assert.equal((await stored('slow ')).filter(({ text }) => / mine$/.test(text)).length, 4);
});

test('a message whose request is lost stays in the composer with an error, and can be sent again', async () => {
  const page = await follow();
  const text = 'request lost';
  for (const cutRequestAfter of [0, 600]) {
    const rule = proxy.rule(posts(), { cutRequestAfter });
    await write(page, `${text} ${cutRequestAfter}`);
    await refusal(page).waitFor();
    assert.equal(await refusal(page).getAttribute('role'), 'alert');
    assert.equal(await composer(page).inputValue(), `${text} ${cutRequestAfter}`);
    assert.deepEqual(await texts(`${text} ${cutRequestAfter}`), []);
    await screenshot(page, `network-not-sent-${cutRequestAfter}`);
    rule.remove();
    await page.getByRole('button', { name: 'Send' }).click();
    await message(page, `${text} ${cutRequestAfter}`).waitFor();
    await emptied(page);
    assert.equal((await stored(`${text} ${cutRequestAfter}`)).length, 1);
  }
});

test('a text that was changed after a lost response can be sent as another message', async () => {
  const page = await follow();
  const rule = proxy.rule(posts(), { cutResponseAfter: 0 });
  await write(page, 'changed afterwards');
  await refusal(page).waitFor();
  rule.remove();
  await write(page, 'changed afterwards, really');
  await refusal(page).filter({ hasText: 'was sent before' }).waitFor();
  assert.deepEqual(await texts('changed afterwards'), ['changed afterwards']);
  await page.getByRole('button', { name: 'Send' }).click();
  await emptied(page);
  assert.deepEqual(await texts('changed afterwards'), ['changed afterwards', 'changed afterwards, really']);
});

test('after a lost response and a reload, a reply still belongs to the message to which it replies', async () => {
  const page = await follow();
  const id = await send('to reply to');
  await message(page, 'to reply to').hover();
  await message(page, 'to reply to').getByRole('button', { name: 'Reply' }).click();
  const rule = proxy.rule(posts(), { cutResponseAfter: 0 });
  await write(page, 'the one reply');
  await refusal(page).waitFor();
  rule.remove();
  await page.reload();
  await page.locator('.reply-to').waitFor();
  await page.getByRole('button', { name: 'Send' }).click();
  await emptied(page);
  assert.deepEqual((await stored('the one reply')).map(({ thread_id: thread }) => thread), [id]);
});

test('a message appears once, whether its event or its response arrives first, and text typed meanwhile stays', async () => {
  const page = await follow();
  const answer = proxy.rule(posts(), { response: 'hold' });
  await write(page, 'event first');
  await message(page, 'event first').waitFor();
  await composer(page).press('End');
  await page.keyboard.type(' and what follows');
  answer.release();
  await until(async () => await composer(page).inputValue() !== 'event first and what follows', 'the response');
  assert.equal((await composer(page).inputValue()).trim(), 'and what follows');
  await composer(page).press('Enter');
  await emptied(page);
  await message(page, 'and what follows').waitFor();
  assert.equal(await message(page, 'event first').count(), 1);

  // the proxy holds the event back, so the response arrives first
  const live = proxy.rule(streams(), { response: 'hold', holdAfter: 300 });
  await page.reload();
  await live.answered();
  await write(page, 'answer first');
  await emptied(page);
  assert.equal(await message(page, 'answer first').count(), 0);
  live.release();
  await message(page, 'answer first').waitFor();
  await write(page, 'answer first, and more');
  await message(page, 'and more').waitFor();
  await assertComplete(page, 'first');
});

test('messages whose requests overtake each other are in the same order in every window', async () => {
  const [one, two] = [await follow(), await follow()];
  const other = await follow('admin');
  const first = proxy.rule(posts(), { request: 'hold' });
  await write(one, 'overtaken, sent first');
  await first.requested();
  first.remove();
  await write(two, 'overtaken, sent second');
  await message(one, 'sent second').waitFor();
  first.release();
  for (const page of [one, two, other]) {
    await message(page, 'sent first').waitFor();
    await assertComplete(page, 'overtaken');
  }
  assert.deepEqual(await texts('overtaken'), ['overtaken, sent second', 'overtaken, sent first']);
});

test('a request that arrives after its message was sent again does not post it twice', async () => {
  const page = await windowOf();
  await page.clock.install();
  await page.goto(here());
  const late = proxy.rule(posts(), { request: 'hold' });
  await write(page, 'once, and late');
  await late.requested();
  late.remove();
  // the request gets no response and the connection stays open, so the window stops waiting after a timeout
  await until(async () => { await page.clock.fastForward(10_000); return refusal(page).isVisible(); }, 'the window times out');
  assert.equal(await composer(page).inputValue(), 'once, and late');
  await page.getByRole('button', { name: 'Send' }).click();
  await emptied(page);
  late.release();
  await late.answered();
  assert.deepEqual(await texts('once, and late'), ['once, and late']);
});

test('two buttons that are pressed before the first response count as two clicks', async () => {
  const items = ['Deploy', 'Stop'].map((text) => ({ action_id: text.toLowerCase(), text }));
  await asBot('POST', '/messages', {
    to: { type: 'conversation', id: group() }, text: 'two buttons', blocks: [{ type: 'actions', items }],
  });
  const page = await follow();
  const pressed = proxy.rule(/^POST \S+\/actions /, { response: 'hold' });
  const said = [];
  await page.exposeFunction('noteStatus', (text) => { if (text) said.push(text); });
  await page.evaluate(() => {
    const status = document.querySelector('p.status');
    new MutationObserver(() => globalThis.noteStatus(status.textContent)).observe(status, { childList: true });
  });
  for (const [at, { text }] of items.entries()) {
    await message(page, 'two buttons').getByRole('button', { name: text }).click();
    await pressed.answered(at + 1);
  }
  pressed.release();
  await until(() => said.length === items.length, 'both answers');
  assert.deepEqual(said.sort(), ['Sent: Deploy', 'Sent: Stop']);
});

test('a press is repeated with the same id after a server error, and with a new id after a refusal', async () => {
  const items = [{ action_id: 'retry', text: 'Retry me' }];
  await asBot('POST', '/messages', {
    to: { type: 'conversation', id: group() }, text: 'one button', blocks: [{ type: 'actions', items }],
  });
  const page = await follow();
  const sent = [];
  await page.route(/\/actions$/, async (route) => {
    sent.push(new URLSearchParams(route.request().postData()).get('press'));
    const status = [503, 409, 303][sent.length - 1];
    if (status === 303) return route.continue();
    return route.fulfill({ status, contentType: 'text/html', body: '<main><p class="status">1</p><p>The reason.</p></main>' });
  });
  for (const said of ['The reason.', 'The reason.', 'Sent: Retry me']) {
    await message(page, 'one button').getByRole('button', { name: 'Retry me' }).click();
    await page.locator('p.status').filter({ hasText: said }).waitFor();
    await page.locator('p.status').evaluate((status) => { status.textContent = ''; });
  }
  assert.equal(sent.length, 3);
  assert.equal(sent[1], sent[0], 'after a 503 the outcome is unknown, so the press keeps its id');
  assert.notEqual(sent[2], sent[1], 'after a refusal the next press has a new id');
});

// ---------------------------------------------------------------------------------------------------------------------------
// Editing and deleting

test('an edit whose request or response is lost stays in the form, and can be saved again', async () => {
  const page = await follow();
  await write(page, 'to edit');
  const path = await message(page, 'to edit').locator('a.at').getAttribute('href');
  await page.goto(at(path));
  const field = page.getByRole('textbox', { name: 'Edited message' });
  for (const [text, loss] of [['to edit: request', { cutRequestAfter: 0 }], ['to edit: answer', { cutResponseAfter: 0 }]]) {
    await page.getByText('Edit', { exact: true }).click();
    await field.fill(text);
    const rule = proxy.rule(/^POST \S+\/edit /, loss);
    await page.getByRole('button', { name: 'Save' }).click();
    await rule.cut();
    await page.getByRole('alert').waitFor();
    assert.equal(await field.inputValue(), text);
    rule.remove();
    await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Save' }).click()]);
    await message(page, text).locator('.edited').waitFor();
    assert.deepEqual(await texts('to edit'), [text]);
  }
});

test('a deletion whose request or response is lost can be repeated', async () => {
  const page = await follow();
  for (const loss of [{ cutRequestAfter: 0 }, { cutResponseAfter: 0 }]) {
    await page.goto(here());
    await write(page, 'to delete');
    const path = await message(page, 'to delete').locator('a.at').getAttribute('href');
    await page.goto(at(path));
    await page.getByText('Delete', { exact: true }).click();
    const rule = proxy.rule(/^POST \S+\/delete /, loss);
    await page.getByRole('button', { name: 'Delete message' }).click();
    await page.getByRole('alert').waitFor();
    rule.remove();
    await page.getByRole('button', { name: 'Delete message' }).click();
    await page.waitForURL(here());
    await message(page, 'to delete').waitFor({ state: 'detached' });
    assert.deepEqual(await stored('to delete'), []);
  }
});

// ---------------------------------------------------------------------------------------------------------------------------
// Files

test('an upload shows its progress', async () => {
  const page = await follow();
  const buffer = Buffer.alloc(8 << 20, 'switchboard ');
  await page.getByLabel('Files').setInputFiles([{ name: 'large.txt', mimeType: 'text/plain', buffer }]);
  await composer(page).fill('a large file');
  // the proxy holds the request, so the server receives nothing yet
  const held = proxy.rule(posts(), { request: 'hold' });
  await page.getByRole('button', { name: 'Send' }).click();
  const bar = page.getByRole('progressbar', { name: 'Sending' });
  await bar.waitFor();
  await until(async () => await bar.evaluate(({ max }) => max) > buffer.length, 'the size of the form');
  const { max, value } = await bar.evaluate((element) => ({ max: element.max, value: element.value }));
  assert.ok(value > 0 && value < max, `the bar shows a part of the form: ${value} of ${max} bytes`);
  held.release();
  await emptied(page);
  assert.equal(await bar.count(), 0);
  await message(page, 'a large file').getByText('large.txt').waitFor();
});

test('removing a file stops its upload and sends nothing; after the upload no file can be removed', async () => {
  const page = await follow();
  const [large, small] = [Buffer.alloc(8 << 20, 'switchboard '), Buffer.from('content')];
  await page.getByLabel('Files').setInputFiles([
    { name: 'large.txt', mimeType: 'text/plain', buffer: large }, { name: 'small.txt', mimeType: 'text/plain', buffer: small },
  ]);
  await composer(page).fill('without the large file');
  // the proxy holds the request, so the server receives nothing
  const held = proxy.rule(posts(), { request: 'hold' });
  await page.getByRole('button', { name: 'Send' }).click();
  await held.requested();
  await page.getByRole('button', { name: 'Remove large.txt' }).click();
  await refusal(page).filter({ hasText: 'Nothing was sent, because you removed “large.txt”' }).waitFor();
  assert.equal(await page.locator('progress').count(), 0);
  assert.equal(await composer(page).inputValue(), 'without the large file');
  assert.deepEqual(await stored('without the large file'), []);
  held.remove();
  // only the response is held: the server has received everything and may have posted the message
  const answer = proxy.rule(posts(), { response: 'hold' });
  await page.getByRole('button', { name: 'Send' }).click();
  await answer.answered();
  await page.getByRole('button', { name: 'Remove small.txt' }).waitFor({ state: 'hidden' });
  assert.ok(await page.locator('.chosen').getByText('small.txt').isVisible());
  answer.release();
  await emptied(page);
  await message(page, 'without the large file').getByText('small.txt').waitFor();
  assert.deepEqual((await stored('without the large file')).map(({ files }) => files.length), [1]);
});

test('an upload that is cut keeps its file, and its message is posted once', async () => {
  const page = await follow();
  const buffer = Buffer.alloc(1 << 20, 'switchboard ');
  const losses = { 'cut upload by reset': { cutRequestAfter: 300_000 }, 'cut upload by end': { cutRequestAfter: 300_000, by: 'end' },
    'answer of an upload lost': { cutResponseAfter: 0 } };
  for (const [text, loss] of Object.entries(losses)) {
    await page.getByLabel('Files').setInputFiles([{ name: 'long.txt', mimeType: 'text/plain', buffer }]);
    await composer(page).fill(text);
    const rule = proxy.rule(posts(), loss);
    await page.getByRole('button', { name: 'Send' }).click();
    await refusal(page).waitFor();
    await rule.cut();
    assert.equal(await page.locator('progress').count(), 0);
    assert.equal(await composer(page).inputValue(), text);
    await page.getByRole('button', { name: 'Remove long.txt' }).waitFor();
    assert.equal((await stored(text)).length, loss.cutResponseAfter === 0 ? 1 : 0);
    rule.remove();
    await page.getByRole('button', { name: 'Send' }).click();
    await emptied(page);
    await message(page, text).getByText('long.txt').waitFor();
    assert.deepEqual((await stored(text)).map(({ files }) => files.length), [1]);
    assert.equal(await page.getByRole('button', { name: 'Remove long.txt' }).count(), 0);
  }
});

// ---------------------------------------------------------------------------------------------------------------------------
// The stream

test('a stream that is cut inside an event is resumed, and every message is shown once', async () => {
  const page = await follow();
  const other = await follow('admin');
  const ids = [];
  for (let n = 0; n < 6; n += 1) {
    const by = n % 2 ? 'end' : 'reset';
    const rule = proxy.rule(streams(), { cutInside: `piece ${n}.`, by });
    // the rule applies only to new requests, so the open streams are cut, and the windows request them again
    proxy.cut(streams());
    await rule.answered(2);
    ids.push(await send(`piece ${n}. ${'of a text '.repeat(n)}`));
    await rule.cut(2);
    rule.remove();
    if (n % 3 === 0) await edit(ids[n], `piece ${n}. changed`);
    if (n % 4 === 1) await erase(ids[n - 1]);
  }
  for (const window of [page, other]) {
    await message(window, 'piece 5.').waitFor();
    await assertComplete(window, 'piece');
  }
});

test('a window reopens a stream that has stopped without an end of the connection', async () => {
  const page = await windowOf();
  await page.clock.install();
  await followOn(page);
  await send('before the silence');
  await message(page, 'before the silence').waitFor();
  proxy.freeze();
  const deleted = await send('in the silence 1.');
  await send('in the silence 2.');
  await erase(deleted);
  await until(async () => {
    await page.clock.fastForward(15_000);
    // waits a second of real time for open requests, because advancing the page's clock can time them out
    return message(page, 'in the silence 2.').waitFor({ timeout: 1000 }).then(() => true, () => false);
  }, 'the window connects again');
  await send('after the silence');
  await message(page, 'after the silence').waitFor();
  await assertComplete(page, 'the silence');
  // a stream with traffic stays open
  await write(page, 'my words after the silence');
  await emptied(page);
  await message(page, 'my words').waitFor();
  const again = proxy.rule(streams());
  await page.clock.fastForward(20_000);
  await send('the last after the silence');
  await message(page, 'the last after the silence').waitFor();
  assert.equal(again.requests, 0);
});

test('a window marks messages as read while further messages arrive, and again after a refused request', async () => {
  const page = await windowOf();
  const marks = [];
  await page.route(/\/read$/, async (route) => {
    marks.push(new URLSearchParams(route.request().postData()).get('message_id'));
    if (marks.length === 1) return route.fulfill({ status: 429, headers: { 'retry-after': '1' }, body: 'too many' });
    return route.continue();
  });
  await followOn(page);
  // the messages are sent less than a second apart
  const sent = [];
  await until(async () => { sent.push(await send(`busy ${sent.length}.`)); return marks.length >= 3; }, 'the marks');
  for (const mark of marks.slice(1)) assert.ok(sent.includes(mark), mark);
  assert.ok(marks[1] > marks[0], 'a refused mark is sent again, with the newest message');
  // when no more messages arrive, the last message is marked
  await until(() => marks.at(-1) === sent.at(-1), 'the last message is marked');
  const number = marks.length;
  const last = await send('busy, at last');
  await until(() => marks.at(-1) === last, 'the next message is marked');
  assert.ok(marks.length <= number + 2, 'at most one mark is repeated');
});

test('a window that shows older messages says that new ones are below, and counts them', async () => {
  for (let n = 0; n < 12; n += 1) await send(`above ${n}.\n${'a line\n'.repeat(10)}`);
  const page = await follow();
  const badge = page.getByRole('navigation', { name: 'Conversations' }).locator(`a[data-conversation="${group()}"] .unread`);
  await until(async () => !await badge.isVisible(), 'the messages are read');
  await page.locator('.scroll').evaluate((one) => { one.scrollTop = 600; });
  await send('new, and below');
  const show = page.getByRole('status').getByRole('button', { name: 'Show' });
  await show.waitFor();
  await until(async () => await badge.textContent() === '1', 'the number');
  await show.press('Enter');
  await until(async () => !await badge.isVisible(), 'the message is read');
  assert.equal(await show.count(), 0);
  assert.ok(await message(page, 'new, and below').isVisible());
  assert.equal(await page.evaluate(() => document.activeElement.id), 'messages', 'the keyboard focus is on the messages');
  // on a page of older messages, the button opens the page with the newest messages
  const first = await message(page, 'above 3.').getAttribute('id');
  await page.goto(`${here()}?before=${first}`);
  await send('new, and on another page');
  await show.waitFor();
  await until(async () => await badge.textContent() === '1', 'the number');
  await show.click();
  await page.waitForURL(here());
  await message(page, 'new, and on another page').waitFor();
});

test('a window that was in the background updates the numbers of unread messages in its list', async () => {
  const page = await windowOf();
  await page.clock.install();
  await followOn(page);
  const other = sandbox.demo.conversations.private_group;
  const badge = page.getByRole('navigation', { name: 'Conversations' }).locator(`a[data-conversation="${other}"] .unread`);
  const before = await badge.textContent();
  const setHidden = (isHidden) => page.evaluate((value) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => value });
    document.dispatchEvent(new Event('visibilitychange'));
  }, isHidden);
  await setHidden(true);
  await page.clock.fastForward(31_000);
  // an event arrives, so the window does not consider the stream broken and does not reopen it
  await send('while in the background');
  await message(page, 'while in the background').waitFor();
  await page.clock.fastForward(30_000);
  const live = proxy.rule(streams());
  await asBot('POST', '/messages', { to: { type: 'conversation', id: other }, text: 'elsewhere meanwhile' });
  assert.equal(live.requests, 0, 'a window in the background opens no stream');
  assert.equal(await badge.textContent(), before);
  await setHidden(false);
  await until(async () => Number(await badge.textContent()) === Number(before) + 1, 'the new number');
});

test('a window notices that its conversation was renamed or archived while its stream was closed', async () => {
  const { id } = await groupWith(1, 'Before the pause');
  const change = (body) => asOperator({ ...sandbox, base: sandbox.direct }, 'PATCH', `/conversations/${id}`, body);
  const stream = new RegExp(`^GET /c/${id}/live`);
  const page = await windowOf();
  await page.clock.install();
  const first = proxy.rule(stream);
  await page.goto(at(`/c/${id}`));
  await first.answered();
  first.remove();
  const setHidden = (isHidden) => page.evaluate((value) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => value });
    document.dispatchEvent(new Event('visibilitychange'));
  }, isHidden);
  await setHidden(true);
  await page.clock.fastForward(31_000);
  // an event arrives, so the window does not consider the stream broken and does not reopen it
  await asBot('POST', '/messages', { to: { type: 'conversation', id }, text: 'while in the background' });
  await message(page, 'while in the background').waitFor();
  await page.clock.fastForward(30_000);
  const again = proxy.rule(stream);
  await change({ name: 'After the pause' });
  assert.equal(again.requests, 0, 'a window in the background opens no stream');
  await setHidden(false);
  await page.getByRole('heading', { level: 1, name: 'After the pause' }).waitFor();
  await until(async () => /After the pause/.test(await page.title()), 'the title');
  again.remove();
  const held = proxy.rule(stream, { request: 'hold' });
  proxy.cut(stream);
  await held.requested();
  await change({ is_archived: true });
  assert.equal(await composer(page).count(), 1);
  held.release();
  await page.getByText('This group is archived.').waitFor();
  assert.equal(await composer(page).count(), 0);
});

test('a new message moves its conversation to the top of the sidebar, or adds it there if it is missing', async () => {
  const [operator, { workspace_id: company, bot_user_id: bot }] = [{ ...sandbox, base: sandbox.direct }, sandbox.demo.installation];
  const create = (what, body) => asOperator(operator, 'POST', `/workspaces/${company}/${what}`, body);
  const person = { name: 'Busy Bee', email: 'busy@network.example', password: 'many conversations' };
  const { user } = await create('users', person);
  const groups = [];
  for (let n = 0; n < 62; n += 1) {
    const { conversation } = await create('conversations', { kind: 'group', name: `Busy ${n}`, member_ids: [user.id, bot] });
    groups.push(conversation.id);
  }
  sandbox.demo.people.busy = person;
  sessions.busy = await signIn('busy');
  const page = await windowOf('busy');
  const lists = proxy.rule(/^GET \/start /);
  await page.goto(at('/start'));
  await lists.answered(2);
  const items = page.getByRole('navigation', { name: 'Conversations' }).locator('a[data-conversation]');
  const listed = () => items.evaluateAll((all) => all.map((one) => one.dataset.conversation));
  await until(async () => (await listed())[0] === groups[61], 'the newest group');
  assert.ok(!(await listed()).includes(groups[0]));
  const post = (id, text) => asBot('POST', '/messages', { to: { type: 'conversation', id }, text });
  await post(groups[30], 'in the middle of the sidebar');
  await until(async () => (await listed())[0] === groups[30], 'the conversation moves');
  assert.equal(lists.requests, 2, 'the conversation moves without a request for the list');
  const focused = () => page.evaluate(() => document.activeElement.dataset.conversation);
  await page.locator(`a[data-conversation="${groups[60]}"]`).focus();
  await post(groups[60], 'moved with the focus');
  await until(async () => (await listed())[0] === groups[60], 'the focused conversation moves');
  assert.equal(await focused(), groups[60]);
  for (let n = 0; n < 3; n += 1) await post(groups[0], `beyond the sidebar ${n}`);
  await until(async () => (await listed())[0] === groups[0], 'the missing conversation');
  await until(async () => await items.first().locator('.unread').textContent() === '3', 'its number');
  assert.equal(await focused(), groups[60], 'the focus stays');
  assert.equal(lists.requests, 3, 'one request for the three messages');
});

test('a new message changes the order and the time on the page of conversations without a request', async () => {
  const { id } = await groupWith(1, 'Timed first');
  await groupWith(1, 'Timed second');
  const page = await windowOf();
  await page.clock.install();
  const lists = proxy.rule(/^GET \/conversations\?q=timed /);
  await page.goto(at('/conversations?q=timed'));
  // the two responses are the page, and the list that the script reads when its stream is open
  await lists.answered(2);
  const items = page.getByRole('main').locator('a[data-conversation]');
  const item = page.getByRole('main').locator(`a[data-conversation="${id}"]`);
  const time = item.locator('time');
  const before = await time.getAttribute('datetime');
  assert.notEqual(await items.first().getAttribute('data-conversation'), id);
  const post = async (unread) => {
    await asBot('POST', '/messages', { to: { type: 'conversation', id }, text: `to the top with ${unread}` });
    await until(async () => await item.locator('.unread').textContent() === unread, `the number ${unread}`);
  };
  await post('2');
  assert.equal(await items.first().getAttribute('data-conversation'), id);
  const after = await time.getAttribute('datetime');
  assert.ok(after > before, `${after} is later than ${before}`);
  const timeZone = await page.locator('#own-lists').getAttribute('data-zone') || 'UTC';
  const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone });
  assert.equal(await time.textContent(), clock.format(new Date(after)));
  // if the script requested the list, it would do so within these seconds
  await page.clock.fastForward(10_000);
  await post('3');
  assert.equal(lists.requests, 2, 'the list is not requested again');
});

// The server counts at most 100 unread messages. So above 99 the count does not show whether there is a new message.
test('above 99 unread messages, a new message makes the page of conversations read its list again', async () => {
  const { id } = await groupWith(101, 'Unread beyond 99');
  const page = await windowOf();
  await page.clock.install();
  const lists = proxy.rule(/^GET \/conversations\?q=beyond /);
  await page.goto(at('/conversations?q=beyond'));
  // the two responses are the page, and the list that the script reads when its stream is open
  await lists.answered(2);
  await asBot('POST', '/messages', { to: { type: 'conversation', id }, text: 'one more' });
  await until(async () => {
    await page.clock.fastForward(1_000);
    return lists.requests === 3;
  }, 'the list is read again');
});

test('the page of conversations shows the numbers that it missed while its stream was cut', async () => {
  const page = await windowOf();
  const live = proxy.rule(/^GET \/conversations\/live/);
  await page.goto(at('/conversations'));
  await live.answered();
  live.remove();
  const other = sandbox.demo.conversations.private_group;
  const item = `a[data-conversation="${other}"]`;
  const lists = [page.getByRole('navigation', { name: 'Conversations' }), page.getByRole('main')];
  const numbers = () => Promise.all(lists.map(async (list) => Number(await list.locator(`${item} .unread`).textContent())));
  const [before] = await numbers();
  const again = proxy.rule(/^GET \/conversations\/live/, { request: 'hold' });
  proxy.cut(/^GET \/conversations\/live/);
  await again.requested();
  await asBot('POST', '/messages', { to: { type: 'conversation', id: other }, text: 'while the stream is cut' });
  assert.deepEqual(await numbers(), [before, before]);
  again.release();
  await until(async () => (await numbers()).every((number) => number === before + 1), 'the new numbers');
  for (const list of lists) assert.equal(await list.locator(item).getAttribute('class').then((it) => /has-unread/.test(it)), true);
  assert.match(await page.title(), /^\([1-9]/);
});

test('after all connections were refused for long, a window shows the messages that it missed', async () => {
  const page = await windowOf();
  await page.clock.install();
  await followOn(page);
  const ids = [];
  for (let n = 0; n < 4; n += 1) ids.push(await send(`before the refusal ${n}.`));
  await message(page, 'before the refusal 3.').waitFor();
  await composer(page).fill('typed before the refusal');
  await proxy.refuse();
  await composer(page).press('Enter');
  await refusal(page).waitFor();
  await edit(ids[1], 'before the refusal 1. changed');
  await erase(ids[2]);
  for (let n = 0; n < 30; n += 1) ids.push(await send(`in the refusal ${n}.`));
  // advances the clock in steps of a second, so that the window tries to connect again
  const later = (condition, what) => until(async () => { await page.clock.fastForward(1_000); return condition(); }, what);
  const lost = page.getByText('The connection is lost. New messages appear when it is back.');
  await later(() => lost.isVisible(), 'the page reports the lost connection');
  await screenshot(page, 'network-refused');
  // the report does not cover the error of the composer
  for (const x of [10, 200, 400]) await refusal(page).click({ trial: true, position: { x, y: 30 } });
  await proxy.accept();
  await later(() => message(page, 'in the refusal 29.').count(), 'the window connects again');
  await page.getByText('The connection is lost.').waitFor({ state: 'detached' });
  await assertComplete(page, 'the refusal');
  await page.getByRole('button', { name: 'Send' }).click();
  await emptied(page);
  await message(page, 'typed before the refusal').waitFor();
  await assertComplete(page, 'the refusal');
});

test('a window beyond the limit of open windows shows the reason, retries slowly, and connects later', async () => {
  const page = await windowOf();
  await page.clock.install();
  let refused = 0;
  const live = /\/live/;
  const body = '<main class="trouble"><p class="status">429</p><h1>Too many windows</h1><p>Close other windows.</p></main>';
  await page.route(live, (route) => {
    refused += 1;
    return route.fulfill({ status: 429, headers: { 'retry-after': '60' }, contentType: 'text/html', body });
  });
  await page.goto(here());
  const status = page.locator('p.status');
  const reports = (text) => until(async () => {
    await page.clock.fastForward(1_000);
    return await status.textContent() === text;
  }, text);
  await reports('Close other windows.');
  const number = refused;
  for (let second = 0; second < 50; second += 1) await page.clock.fastForward(1_000);
  assert.equal(await status.textContent(), 'Close other windows.');
  assert.equal(refused, number, 'the window does not try again within 50 seconds');
  await page.unroute(live);
  await reports('Connected again.');
  await send('after the windows were closed');
  await message(page, 'after the windows were closed').waitFor();
});

// Over HTTP/1.1, a browser opens at most six connections to a server. All windows of the browser share them.
test('eight windows load and send over six connections; hidden windows give their streams to others', async () => {
  const first = await windowOf();
  const windows = [first];
  await first.goto(here());
  for (let number = 1; number < 8; number += 1) {
    const page = await first.context().newPage();
    await page.goto(here(), { timeout: 30_000 });
    windows.push(page);
  }
  const last = windows.at(-1);
  const reports = (page, text) => until(async () => (await page.locator('p.status').textContent()).startsWith(text), text);
  // writes at once, before the window reports that it has no stream
  await write(last, 'from a window without a stream');
  await message(last, 'from a window without a stream').waitFor();
  await message(first, 'from a window without a stream').waitFor();
  await reports(last, 'You have too many windows open');

  const hide = (isHidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => isHidden });
    document.dispatchEvent(new Event('visibilitychange'));
  };
  const others = windows.slice(0, -1);
  for (const page of others) await page.evaluate(hide, true);
  await reports(last, 'Connected again.');
  await send('after the others were hidden');
  await message(last, 'after the others were hidden').waitFor();
  await first.evaluate(hide, false);
  await message(first, 'after the others were hidden').waitFor();
});

// ---------------------------------------------------------------------------------------------------------------------------
// Without JavaScript

test('without JavaScript, a form whose request or response is lost posts once after a reload', async () => {
  for (const [text, loss] of [['form, answer', { cutResponseAfter: 0 }], ['form, request', { cutRequestAfter: 0 }]]) {
    const page = await windowOf('employee', { javaScriptEnabled: false });
    await page.goto(here());
    await composer(page).fill(text);
    const rule = proxy.rule(posts(), loss);
    await page.getByRole('button', { name: 'Send' }).click({ noWaitAfter: true });
    await rule.cut();
    await until(() => page.evaluate(() => location.protocol === 'chrome-error:').catch(() => false), 'the error page');
    assert.equal((await stored(text)).length, loss.cutResponseAfter === 0 ? 1 : 0);
    rule.remove();
    await page.reload();
    await message(page, text).waitFor();
    assert.equal((await stored(text)).length, 1);
    assert.equal(await message(page, text).count(), 1);
    await page.context().close();
  }
});

// ---------------------------------------------------------------------------------------------------------------------------
// This test is at the end, because the stream must have had no events for 15 seconds.

test('a stream without messages sends keep-alive events that scripts receive', async () => {
  await until(() => quiet.received.includes('event: alive\n'), 'a keep-alive event');
});
