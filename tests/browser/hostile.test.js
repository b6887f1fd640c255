// Hostile texts cannot become markup in a browser. The texts are stored, typed, or in a URL. Pages with these texts run
// no script of the texts, load nothing from other hosts, do not navigate, and do not violate their content security
// policy. The tests in tests/suite/pages/hostile use the same texts, and parse the pages without a browser.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { connect, register } from './assistant.js';
import { asOperator, openPage, screenshot, startBrowser, startSandbox } from './sandbox.js';

const corpus = JSON.parse(readFileSync(new URL('hostile.json', import.meta.url), 'utf8'));
// the server rejects texts with U+0000, so they cannot be stored
const texts = corpus.filter((text) => !text.includes('\0'));

let sandbox;
let browser;
let me;
let group;
let draft;
let opened;
const at = (path) => `${sandbox.base}${path}`;
const company = () => sandbox.demo.installation.workspace_id;
const admin = (method, path, body) => asOperator(sandbox, method, path, body);

async function asBot(method, path, body) {
  const response = await fetch(at(path), {
    method,
    headers: {
      authorization: `Bearer ${sandbox.demo.installation.bot_token}`, 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID(),
    },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  assert.ok(response.ok, JSON.stringify(answer));
  return answer;
}

const blocks = (text) => [
  { type: 'header', text },
  { type: 'section', text },
  { type: 'context', text },
  { type: 'fields', fields: [{ label: text, value: text }] },
  { type: 'actions', items: [{ action_id: '"><img/src/onerror=pwned=1>', text: [...text].slice(0, 30).join('') }] },
];

before(async () => {
  [sandbox, browser] = await Promise.all([startSandbox({ SWITCHBOARD_LIMITS_SCALE: '1000' }), startBrowser()]);
  me = { email: 'target@example.com', password: 'extremely long' };
  const { user } = await admin('POST', `/workspaces/${company()}/users`, { name: texts[0], title: texts[1], is_admin: true, ...me });
  me.id = user.id;
  const body = { kind: 'group', name: texts[4], topic: texts[5], member_ids: [me.id, sandbox.demo.installation.bot_user_id] };
  group = (await admin('POST', `/workspaces/${company()}/conversations`, body)).conversation.id;
  const call = await connect(sandbox, me, texts[0]);
  for (const [n, text] of texts.entries()) {
    const person = { name: text, title: text, display_name: text, email: `p${n}@example.com` };
    const { user: { id } } = await admin('POST', `/workspaces/${company()}/users`, person);
    await admin('PUT', `/conversations/${group}/members/${id}`);
    const other = { kind: 'group', name: text, topic: text, member_ids: [me.id] };
    const { conversation } = await admin('POST', `/workspaces/${company()}/conversations`, other);
    const uploaded = await fetch(at(`/admin/v1/workspaces/${company()}/files?name=${encodeURIComponent(text)}`), {
      method: 'POST',
      headers: { authorization: `Bearer ${sandbox.operatorKey}`, 'content-type': n % 2 ? 'image/svg+xml' : 'text/html', 'x-acting-user': id },
      body: '<svg xmlns="http://www.w3.org/2000/svg" onload="globalThis.pwned=1"><script>pwned=1</script></svg>',
    });
    const { file } = await uploaded.json();
    await admin('POST', `/conversations/${group}/messages`, { user_id: id, type: 'text', text, file_ids: [file.id] });
    draft = (await call('draft_message', { conversation: conversation.id, text })).draft.id;
  }
});
after(async () => { await browser?.close(); await sandbox?.stop(); });

/** Opens a signed-in page that records dialogs, windows, downloads and frames in `opened`. */
async function open(options) {
  const page = await openPage(browser, options);
  opened = [];
  page.on('dialog', (dialog) => { opened.push(`a dialog: ${dialog.message()}`); dialog.dismiss(); });
  page.context().on('page', (other) => opened.push(`a window: ${other.url()}`));
  page.on('download', (download) => opened.push(`a download: ${download.suggestedFilename()}`));
  page.on('frameattached', () => opened.push('a frame'));
  await page.goto(at('/signin'));
  await page.getByLabel('E-mail address').fill(me.email);
  await page.getByLabel('Password').fill(me.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((url) => url.pathname !== '/signin');
  return page;
}

/**
 * Dispatches DOM events to all elements in `main`. Then asserts that the page ran no script of a hostile text, opened
 * no dialog, window, download or frame, caused no error except 4xx responses, requested nothing from other hosts, and
 * did not navigate.
 */
async function assertQuiet(page, name) {
  const url = page.url();
  await page.evaluate(() => {
    for (const element of document.querySelectorAll('main *')) {
      for (const type of ['mouseover', 'pointerover', 'focus', 'error', 'load', 'toggle', 'beforetoggle', 'animationend']) element.dispatchEvent(new Event(type));
    }
  });
  assert.equal(await page.evaluate(() => 'pwned' in globalThis), false, `${name}: a script ran`);
  assert.equal(page.url(), url, `${name}: the page has navigated`);
  assert.deepEqual(opened, [], name);
  assert.deepEqual(page.errors.filter((error) => !/status of 4\d\d/.test(error)), [], name);
  const outside = page.asked.filter((asked) => !asked.startsWith(`${sandbox.base}/`) && !asked.startsWith('data:'));
  assert.deepEqual(outside, [], `${name}: requests to other hosts`);
}

test('no page runs the hostile texts that are stored', async () => {
  const page = await open();
  const { url } = await register(sandbox, texts[3]);
  const install = new URLSearchParams({
    client_id: sandbox.demo.apps.spare.client_id, redirect_uri: sandbox.demo.apps.spare.redirect_uri, state: texts[4],
  });
  const paths = [
    `/c/${group}`, '/conversations', '/people', `/people/${me.id}`, '/conversations/new', '/conversations/new?kind=channel', '/start',
    '/drafts', `/drafts/${draft}`, '/settings/connections', '/settings/activity', '/settings/privacy', '/admin/assistants',
    '/admin/activity', '/admin/apps', '/admin/people', `/oauth/authorize?${install}`, url.slice(sandbox.base.length),
  ];
  for (const path of paths) {
    const response = await page.goto(at(path));
    assert.equal(response.status(), 200, path);
    await assertQuiet(page, path);
    await screenshot(page, `hostile-${path.split('?')[0].replaceAll('/', '-').slice(1)}`);
  }
  await page.context().close();
});

test('no page runs hostile texts in its URL', async () => {
  const page = await open();
  const paths = ['/search?q=', '/conversations?q=', '/signin?next=', '/people?q=', '/authorize?client_id=', '/settings/'];
  for (const [n, text] of corpus.entries()) {
    const path = paths[n % paths.length] + encodeURIComponent(text);
    await page.goto(at(path));
    await assertQuiet(page, path);
  }
  await page.context().close();
});

test('an open window shows hostile texts unchanged, and does not run them', async () => {
  const page = await open();
  await page.goto(at(`/c/${group}`));
  await page.evaluate(() => document.body.append(Object.assign(document.createElement('i'), { id: 'same-page' })));
  const ids = [];
  for (const text of texts) {
    const { message: { id } } = await asBot('POST', '/v1/messages', { to: { type: 'conversation', id: group }, text, blocks: blocks(text) });
    ids.push([id, text]);
  }
  await asBot('PATCH', `/v1/messages/${ids[0][0]}`, { text: `${texts[1]} edited` });
  await page.locator(`[id="${ids.at(-1)[0]}"]`).waitFor();
  await page.locator(`[id="${ids[0][0]}"] .edited`).waitFor();
  for (const [id, text] of ids.slice(1)) {
    const shown = await page.evaluate((one) => {
      const article = document.getElementById(one);
      return [...article.querySelectorAll('.text, .block.header, .block.section, .block.context, dt, dd')].map((part) => part.textContent);
    }, id);
    const lines = text.replace(/\r\n?/g, '\n');
    assert.deepEqual(shown, Array(6).fill(lines), JSON.stringify(text));
  }
  assert.equal(await page.locator('#same-page').count(), 1, 'the messages appear without loading the page again');
  await assertQuiet(page, 'the live page');
  await page.context().close();
});

test('the composer does not run hostile texts that are typed, quoted or attached', async () => {
  const page = await open();
  await page.goto(at(`/c/${group}`));
  const composer = page.getByRole('textbox', { name: 'Message', exact: true });
  for (const text of texts.slice(0, 12)) {
    await page.getByLabel('Files').setInputFiles([{ name: text.replaceAll('/', '∕'), mimeType: 'image/svg+xml', buffer: Buffer.from('<svg onload="pwned=1"/>') }]);
    await composer.fill(text);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const shown = page.locator('#messages article.mine').last();
    await page.waitForFunction(() => !document.querySelector('#composer textarea').value);
    await shown.hover();
    await shown.getByRole('button', { name: 'Reply' }).click();
    await composer.fill(`re: ${text}`);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.waitForFunction(() => !document.querySelector('#composer textarea').value);
  }
  await assertQuiet(page, 'the composer');
  await page.context().close();
});

test('the console does not run hostile texts of requests', async () => {
  const page = await open();
  await page.goto(sandbox.consoleLink);
  for (const text of corpus) {
    await fetch(at(`/v1/${encodeURIComponent(text)}?q=${encodeURIComponent(text)}`), {
      method: 'POST', headers: { 'user-agent': text.replace(/[^ -~]/g, ''), 'content-type': 'application/json' }, body: JSON.stringify({ text }),
    }).catch(() => {});
  }
  for (const path of ['/console/requests', '/console/events', '/console/conversations', '/console/secrets', '/console/verify', '/console/time']) {
    await page.goto(at(path));
    await assertQuiet(page, path);
  }
  await page.goto(at('/console/requests'));
  const links = await page.locator('th.path a').evaluateAll((all) => all.slice(0, 25).map((link) => link.href));
  assert.ok(links.length > 20);
  for (const link of links) {
    await page.goto(link);
    await assertQuiet(page, link);
  }
  await page.context().close();
});
