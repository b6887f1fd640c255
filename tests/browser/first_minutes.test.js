// Tests the steps of "The first five minutes" in README.md: the console's one-time link, the bot's message in the
// browser of a person, a button, and the event with its attempts. If the environment variable IMAGES names a folder,
// the test saves the pictures of README.md in this folder.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { openPage, startBrowser, startSandbox } from './sandbox.js';

const screen = { viewport: { width: 1280, height: 720 }, colorScheme: 'light' };

let sandbox;
let browser;
let app;
const received = [];
before(async () => {
  [sandbox, browser] = await Promise.all([startSandbox(), startBrowser()]);
  // The app's server only records events. After the click, the test itself edits the message with the bot's token.
  const server = http.createServer((request, response) => {
    let body = '';
    request.on('data', (data) => { body += data; });
    request.on('end', () => {
      received.push(JSON.parse(body));
      response.end();
    });
  });
  // listens at the callback URL of the demo's app, at which `switchboard listen` also receives events
  const { port, hostname } = new URL(sandbox.demo.apps.installed.callback_url);
  await new Promise((resolve, reject) => { server.once('error', reject).listen(port, hostname, resolve); });
  app = { server };
});
after(async () => { app?.server.close(); await browser?.close(); await sandbox?.stop(); });

async function image(page, name) {
  const folder = process.env.IMAGES;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: path.join(folder, `${name}.png`) });
}

const asBot = async (method, where, body) => {
  const headers = {
    authorization: `Bearer ${sandbox.demo.installation.bot_token}`,
    'content-type': 'application/json',
    'idempotency-key': crypto.randomUUID(),
  };
  const response = await fetch(`${sandbox.base}/v1${where}`, { method, headers, body: JSON.stringify(body) });
  assert.ok(response.ok, `${method} ${where}: ${response.status}`);
  return response.json();
};

test('a person clicks a button of a bot, and the app receives the click as an event', async () => {
  const person = sandbox.demo.people.employee;
  const board = await openPage(browser, screen);
  await board.goto(sandbox.consoleLink);
  await board.goto(`${sandbox.base}/console/conversations`);
  const opened = board.waitForEvent('popup');
  await board.getByRole('button', { name: `Open as ${person.name}` }).click();
  const web = await opened;
  await web.waitForLoadState();

  // the first message creates the conversation; the second message arrives while the person looks at the conversation
  const first = await asBot('POST', '/messages', { to: { type: 'user', id: person.id }, text: 'Hello from my bot' });
  await web.goto(`${sandbox.base}/c/${first.message.conversation_id}`);
  const { message } = await asBot('POST', '/messages', {
    to: { type: 'user', id: person.id },
    text: 'Version 42 is built: 318 tests passed.',
    blocks: [
      { type: 'fields', fields: [{ label: 'Branch', value: 'main' }, { label: 'Duration', value: '4 min 12 s' }] },
      { type: 'actions', items: [
        { action_id: 'release', text: 'Release', value: '42', style: 'primary' }, { action_id: 'wait', text: 'Wait' },
      ] },
    ],
  });
  const shown = web.locator(`[id="${message.id}"]`);
  await shown.getByRole('button', { name: 'Release' }).waitFor();
  await image(web, 'web-client');
  await shown.getByRole('button', { name: 'Release' }).click();
  await web.getByText('Sent: Release').waitFor();

  // the event identifies the button, the person and the message
  while (!received.some((event) => event.type === 'interaction')) await web.waitForTimeout(50);
  const { data } = received.find((event) => event.type === 'interaction');
  assert.deepEqual([data.action_id, data.value, data.user.id, data.message.id], ['release', '42', person.id, message.id]);
  await asBot('PATCH', `/messages/${message.id}`, { text: 'Version 42 is released.' });
  await shown.getByText('Version 42 is released.').waitFor();
  assert.equal(await shown.getByRole('button').filter({ hasText: 'Release' }).count(), 0);

  await board.goto(`${sandbox.base}/console/events`);
  await board.getByText('interaction').first().waitFor();
  await board.getByText('delivered').first().waitFor();
  await image(board, 'console');
  assert.equal(received.filter((event) => event.type === 'interaction').length, 1);
});
