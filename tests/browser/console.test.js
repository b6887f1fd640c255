// The sandbox console: with and without its script, in each colour scheme and on a phone.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { until } from './proxy.js';
import { openPage, screenshot, startBrowser, startSandbox } from './sandbox.js';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

const screens = {
  light: { viewport: { width: 1360, height: 850 }, colorScheme: 'light' },
  dark: { viewport: { width: 1360, height: 850 }, colorScheme: 'dark' },
  phone: { viewport: { width: 360, height: 740 }, colorScheme: 'light', deviceScaleFactor: 2, hasTouch: true },
};

let sandbox;
let browser;
let page;
before(async () => {
  [sandbox, browser] = await Promise.all([startSandbox(), startBrowser()]);
  page = await openPage(browser, screens.light);
  await page.goto(sandbox.consoleLink);
  await page.waitForURL(/\/console\/requests$/);
});
after(async () => { await browser?.close(); await sandbox?.stop(); });

const at = (path) => `${sandbox.base}${path}`;
const token = () => sandbox.demo.installation.bot_token;

/** Sends a message with the bot's token, like the printed curl command. */
async function send(text, more = {}) {
  const body = { to: { type: 'user', id: sandbox.demo.people.employee.id }, text, ...more };
  const headers = { authorization: `Bearer ${token()}`, 'content-type': 'application/json', 'idempotency-key': `t-${Math.random()}` };
  return fetch(at('/v1/messages'), { method: 'POST', headers, body: JSON.stringify(body) });
}

/** Opens a page of the console in each of `screens`, checks it with `checkPage`, and saves screenshots. */
async function inspect(path, name) {
  const cookies = await page.context().cookies(at('/console'));
  for (const [look, options] of Object.entries(screens)) {
    const other = await openPage(browser, options);
    await other.context().addCookies(cookies);
    await other.goto(at(path));
    await checkPage(other, `${name} (${look})`);
    await screenshot(other, `console-${name}-${look}`);
    await other.context().close();
  }
}

/** Asserts that the open page is accessible, fits the screen, and has no errors and no requests to other hosts. */
async function checkPage(other, name) {
  // the content security policy of the page would block axe-core in a `script` element
  await other.evaluate(axe);
  const result = await other.evaluate((values) => window.axe.run(document, { runOnly: { type: 'tag', values } }), standards);
  const found = result.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`);
  assert.deepEqual(found, [], name);
  assert.deepEqual(other.errors, [], `${name}: errors in the browser's console`);
  const wide = await other.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(wide <= 0, `${name}: ${wide} pixels wider than the screen`);
  const outside = other.asked.filter((url) => !url.startsWith(`${sandbox.base}/`) && !url.startsWith('data:'));
  assert.deepEqual(outside, [], `${name}: requests to other hosts`);
}

test('the printed link opens the console once; later, the operator key signs in', async () => {
  const other = await openPage(browser, screens.light);
  await other.goto(sandbox.consoleLink);
  await other.getByText('This link is not valid').waitFor();
  await checkPage(other, 'a used link');
  await other.getByLabel('Operator key').fill('svc_op_wrong');
  await other.getByRole('button', { name: 'Sign in' }).click();
  await other.getByText('This is not the operator key').waitFor();
  await screenshot(other, 'console-sign-in');
  await other.getByLabel('Operator key').fill(sandbox.operatorKey);
  await other.getByRole('button', { name: 'Sign in' }).click();
  await other.getByRole('heading', { level: 1, name: 'Requests' }).waitFor();
  await other.context().close();
});

test('a request appears by itself unless the list is paused, and its page hides the token', async () => {
  await page.goto(at('/console/requests'));
  await send('Seen in the console');
  const row = page.getByRole('row', { name: /createMessage/ }).first();
  await row.waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  await fetch(at('/v1/users?limit=2'), { headers: { authorization: `Bearer ${token()}` } });
  await fetch(at('/v1/users/usr_x'), { headers: { authorization: `Bearer ${token()}` } });
  await fetch(at('/v1/no-such-path'));
  await page.getByRole('link', { name: '/v1/no-such-path' }).waitFor();
  await inspect('/console/requests', 'requests');
  await inspect('/console/requests?q=nothing-like-this', 'requests-empty');
  // the list does not change while it is paused
  await page.getByRole('button', { name: 'Pause' }).click();
  await fetch(at('/v1/while-paused'));
  await page.waitForTimeout(1500);
  assert.equal(await page.getByRole('link', { name: '/v1/while-paused' }).count(), 0);
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('link', { name: '/v1/while-paused' }).waitFor();
  const link = page.getByRole('row', { name: /createMessage/ }).first().getByRole('link');
  await link.focus();
  await page.waitForTimeout(1500);
  assert.ok(await link.evaluate((element) => element === document.activeElement), 'a refresh keeps the focus');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: /\/v1\/messages/ }).waitFor();
  assert.ok(!(await page.content()).includes(token()), 'the token is hidden');
  await page.getByText('svc_bot_test_…').first().waitFor();
  await inspect(new URL(page.url()).pathname, 'request');
});

test('the console makes an attempt fail, shows the attempts of the event, and redelivers the event', async () => {
  await page.goto(at('/console/events'));
  await inspect('/console/events', 'events-empty');
  await page.goto(at('/console/events'));
  await page.getByLabel('Next delivery attempts').fill('1');
  await page.getByRole('button', { name: 'Let them fail' }).click();
  await page.getByText('The next delivery attempt will be answered with 503').waitFor();
  const path = `/apps/${sandbox.demo.apps.installed.id}/test_events`;
  await fetch(at(`/admin/v1${path}`), {
    method: 'POST',
    headers: { authorization: `Bearer ${sandbox.operatorKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'directory.changed' }),
  });
  await page.getByText('to be retried').first().waitFor();
  await inspect('/console/events', 'events');
  await page.locator('th.path a').first().click();
  await page.getByRole('button', { name: 'Redeliver now' }).click();
  await page.getByText('The event is due now').waitFor();
  await page.getByText('Attempt 2').waitFor();
  await inspect(`${new URL(page.url()).pathname}?app=${sandbox.demo.apps.installed.id}`, 'event');
});

test('a pasted request is verified', async () => {
  await page.goto(at('/console/events'));
  await page.locator('th.path a').first().click();
  await page.getByText('Attempt 1').waitFor();
  const value = (name) => page.locator('.attempts div', { hasText: name }).first().locator('dd').innerText();
  const headers = `X-Service-Timestamp: ${await value('x-service-timestamp')}\nX-Service-Signature: ${await value('x-service-signature')}`;
  const body = await page.locator('#raw-body').textContent();
  await page.goto(at('/console/verify'));
  await page.getByLabel('Headers').fill(headers);
  await page.getByLabel('Raw body').fill(body);
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.getByRole('heading', { name: 'This request is authentic' }).waitFor();
  await page.getByLabel('Raw body').fill(JSON.stringify(JSON.parse(body), null, 1));
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.getByRole('heading', { name: 'This request must be rejected' }).waitFor();
  await page.getByText('It is the same JSON, written differently').waitFor();
  await checkPage(page, 'verify');
  await screenshot(page, 'console-verify-light');
  await inspect('/console/verify', 'verify-form');
});

test('the console moves the clock, and shows and resets rate limits', async () => {
  await page.goto(at('/console/time'));
  // The page lists the limit of a conversation only while its bucket is not full. The bucket regains capacity for one
  // message a second. So five messages keep the limit on the page for some seconds.
  await Promise.all([1, 2, 3, 4, 5].map((number) => send(`Message ${number}`)));
  await page.getByText(/^Messages to dm_/).waitFor();
  await inspect('/console/time', 'time');
  await page.goto(at('/console/time'));
  await page.getByRole('button', { name: '1 hour', exact: true }).click();
  await page.getByText('The clock was moved').waitFor();
  await page.getByText('The server’s clock is 1 h').waitFor();
  await page.getByRole('button', { name: 'Reset all limits' }).click();
  await page.getByText('All rate limits were reset').waitFor();
  await page.getByRole('button', { name: 'Back to real time' }).click();
  await page.getByText('shows real time again').waitFor();
});

test('a button copies the bot token', async () => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(at('/console/secrets'));
  await page.getByRole('button', { name: 'Copy: Bot token' }).click();
  await page.getByText('Copied').waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), token());
  await page.getByText(/switchboard dev --fresh/).waitFor();
  await inspect('/console/secrets', 'secrets');
});

test('the curl command follows the form only while the browser has a session', async () => {
  const other = await openPage(browser, screens.light);
  const cookies = await page.context().cookies();
  await other.context().addCookies(cookies);
  await other.goto(at('/console/conversations'));
  // Counts the responses that have arrived completely. The browser reports the end of a response only if a script reads
  // it. The page's script does not read error responses, so this code reads a copy of each response.
  await other.evaluate(() => {
    const request = globalThis.fetch;
    globalThis.answers = 0;
    globalThis.fetch = async (...all) => {
      const answer = await request(...all);
      await answer.clone().text();
      globalThis.answers += 1;
      return answer;
    };
    globalThis.lines = [];
    const sample = document.getElementById('sample');
    new MutationObserver(() => globalThis.lines.push(sample.textContent)).observe(sample, { childList: true });
  });
  const text = other.getByLabel('Text', { exact: true });
  const answered = (number) => until(() => other.evaluate((all) => globalThis.answers === all, number), `answer ${number}`);
  await other.context().clearCookies();
  await text.fill('typed too late');
  await answered(1);
  // the text is too long for a URL, so the script sends it in a POST
  await text.fill('я'.repeat(3_900));
  await answered(2);
  await other.context().addCookies(cookies);
  await text.fill('typed in time');
  await other.locator('#sample', { hasText: 'typed in time' }).waitFor();
  const lines = await other.evaluate(() => globalThis.lines);
  assert.deepEqual(lines.map((line) => /^curl .*typed in time/s.test(line)), [true]);
  await other.context().close();
});

test('the form sends a message as the bot and shows the request as curl; a button opens the web client', async () => {
  await page.goto(at('/console/conversations'));
  await page.getByLabel('Text', { exact: true }).fill("It's from the console");
  await page.locator('#sample', { hasText: "It'\\''s from the console" }).waitFor();
  // a typed token replaces the token of the sandbox's bot
  await page.getByLabel('Bot token').fill('svc_bot_test_other');
  await page.locator('#sample', { hasText: 'Authorization: Bearer svc_bot_test_other\'' }).waitFor();
  await page.getByLabel('Bot token').fill('');
  await page.locator('#sample', { hasText: `Authorization: Bearer ${token()}'` }).waitFor();
  // the text is too long for a URL, so the script sends it in a POST
  await page.getByLabel('Text', { exact: true }).fill(`From the console: ${'я'.repeat(3_900)}`);
  await page.locator('#sample', { hasText: 'From the console: яя' }).waitFor();
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('Sent.').waitFor();
  assert.match(await page.getByLabel('Text', { exact: true }).inputValue(), /^From the console: я{3900}$/);
  await page.getByLabel('Text', { exact: true }).fill("It's from the console");
  await page.getByLabel('With two buttons').check();
  await page.locator('#sample', { hasText: 'action_id' }).waitFor();
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('Sent.').waitFor();
  await inspect('/console/conversations', 'conversations');
  const name = sandbox.demo.people.employee.name;
  const opened = page.waitForEvent('popup');
  await page.getByRole('button', { name: `Open as ${name}` }).click();
  const web = await opened;
  await web.waitForLoadState();
  assert.ok(!new URL(web.url()).pathname.startsWith('/signin'), web.url());
  await web.close();
});

test('the console works without JavaScript', async () => {
  const other = await openPage(browser, { ...screens.light, javaScriptEnabled: false });
  await other.context().addCookies(await page.context().cookies(at('/console')));
  await other.goto(at('/console/requests'));
  assert.equal(await other.getByRole('button', { name: 'Pause' }).count(), 0);
  await other.getByRole('button', { name: 'Clear the list' }).click();
  await other.getByText('No requests yet').waitFor();
  await other.goto(at('/console/conversations'));
  await other.getByLabel('Text', { exact: true }).fill('Without a script');
  await other.getByRole('button', { name: 'Send' }).click();
  await other.getByText('Sent.').waitFor();
  await other.locator('#sample', { hasText: 'Without a script' }).waitFor();
  await other.getByRole('link', { name: 'Look at the request' }).click();
  await other.getByRole('heading', { level: 1, name: /\/v1\/messages/ }).waitFor();
  await other.goto(at('/console/events'));
  await other.getByRole('radio', { name: 'are cut off before the answer' }).check();
  await other.getByRole('button', { name: 'Let them fail' }).click();
  await other.getByText('the connection is cut before the response arrives').waitFor();
  await other.getByRole('button', { name: 'Deliver normally again' }).click();
  await other.getByText('Events are delivered normally').waitFor();
  await other.getByRole('button', { name: 'Sign out' }).click();
  await other.getByLabel('Operator key').waitFor();
  await other.context().close();
});
