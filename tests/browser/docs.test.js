// The API reference at /docs.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { openPage, screenshot, startBrowser, startSandbox } from './sandbox.js';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

let sandbox;
let browser;
before(async () => { [sandbox, browser] = await Promise.all([startSandbox(), startBrowser()]); });
after(async () => { await browser?.close(); await sandbox?.stop(); });

/** Opens the reference at an anchor, which begins with the name of a document. */
async function open(anchor, options = {}) {
  const page = await openPage(browser, { viewport: { width: 1280, height: 900 }, ...options });
  await page.goto(`${sandbox.base}/docs#${anchor}`);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  return page;
}

/** Asserts that the page logged no errors and sent requests only to the sandbox. */
function assertClean(page) {
  assert.deepEqual(page.errors, []);
  const outside = page.asked.filter((url) => !url.startsWith(`${sandbox.base}/`) && !/^(data|blob):/.test(url));
  assert.deepEqual(outside, []);
}

const operations = (document) => Object.values(document.paths)
  .flatMap((item) => ['get', 'put', 'post', 'delete', 'patch'].map((method) => item[method]).filter(Boolean));

for (const name of ['bot', 'assistant', 'admin']) {
  test(`the navigation lists every operation of ${name}.json, without requests to other hosts`, async () => {
    const document = await (await fetch(`${sandbox.base}/openapi/${name}.json`)).json();
    const page = await open(name);
    await page.getByRole('heading', { level: 1, name: document.info.title }).waitFor();
    const navigation = page.getByRole('complementary');
    for (const tag of document.tags) {
      const group = navigation.locator(`[data-sidebar-id="${name}/tag/${tag.name}"]`);
      if (await group.getByRole('listitem').count() === 0) await group.getByText(tag.name, { exact: true }).first().click();
    }
    for (const { summary } of operations(document)) {
      await navigation.getByText(summary, { exact: true }).first().waitFor();
    }
    assertClean(page);
    await screenshot(page, `docs-${name}`);
    await page.context().close();
  });
}

test('an operation has a permalink, and samples in four languages', async () => {
  const page = await open('bot/tag/messages/POST/v1/messages');
  await page.getByRole('heading', { name: 'Send a message' }).waitFor();
  const section = page.locator('section', { has: page.getByRole('heading', { name: 'Send a message' }) }).last();
  await section.getByRole('button', { name: /curl/i }).first().click();
  const languages = await page.getByRole('option').allInnerTexts();
  assert.deepEqual(languages, ['NewRequest', 'Fetch', 'Requests', 'Curl'], 'the samples are in Go, JavaScript, Python and curl');
  await page.getByRole('option', { name: 'Requests' }).click();
  await section.getByText('requests.post(').first().waitFor();
  await section.scrollIntoViewIfNeeded();
  await screenshot(page, 'docs-operation');
  assertClean(page);
  await page.context().close();
});

test('the navigation lists every event', async () => {
  const document = await (await fetch(`${sandbox.base}/openapi/bot.json`)).json();
  const page = await open('bot');
  const navigation = page.getByRole('complementary');
  await navigation.getByText('Webhooks', { exact: true }).click();
  for (const { post } of Object.values(document['x-webhooks'])) {
    await navigation.getByText(post.summary, { exact: true }).waitFor();
  }
  assertClean(page);
  await screenshot(page, 'docs-events');
  await page.context().close();
});

test('a nullable reference is shown as one type, because the page reads OpenAPI 3.1', async () => {
  const page = await open('admin/models/Installation');
  const section = page.locator('[id="admin/models/Installation-content"]');
  const reason = section.getByRole('listitem').filter({ has: page.locator('[id="admin/models/Installation.reason"]') });
  await reason.getByText('DisconnectReason').waitFor();
  await reason.getByText('nullable', { exact: true }).waitFor();
  assert.ok(page.asked.includes(`${sandbox.base}/openapi/admin-3.1.json`), 'the page reads OpenAPI 3.1');
  assertClean(page);
  await page.context().close();
});

test('the search finds an operation', async () => {
  const page = await open('bot');
  await page.getByRole('button', { name: /search/i }).first().click();
  await page.getByRole('textbox').or(page.getByRole('combobox')).or(page.getByRole('searchbox')).last().fill('read a conversation');
  await page.getByRole('option').or(page.getByRole('link')).filter({ hasText: /history|messages|conversation/i }).first().waitFor();
  assertClean(page);
  await screenshot(page, 'docs-search');
  await page.context().close();
});

test('the navigation and the search can be used by keyboard, and a search result opens its operation', async () => {
  const document = await (await fetch(`${sandbox.base}/openapi/bot.json`)).json();
  const { summary } = document.paths['/v1/users'].get;
  const page = await open('bot');
  await page.getByRole('complementary').getByText('Send a message', { exact: true }).waitFor();
  const focused = () => page.evaluate(() => {
    const { activeElement: element } = globalThis.document;
    return { name: (element.ariaLabel ?? element.innerText).replace(/\s+/g, ' '), outline: getComputedStyle(element).outlineStyle };
  });
  /** Presses Tab until the focus is on an element whose name contains `name`. Asserts that each focus is visible. */
  const tabTo = async (name) => {
    for (let presses = 0; presses < 40; presses += 1) {
      await page.keyboard.press('Tab');
      const found = await focused();
      assert.equal(found.outline, 'solid', `the focus on ${found.name} is visible`);
      if (found.name.includes(name)) return;
    }
    assert.fail(`40 presses of Tab do not reach ${name}`);
  };
  await tabTo('Open Search');
  await tabTo('Open Group - users');
  await page.keyboard.press('Enter');
  await tabTo(summary);
  await page.keyboard.press('Enter');
  await page.waitForURL(/#bot\/tag\/users\/GET\/v1\/users$/);
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: 'Enter search query' });
  await field.waitFor();
  await page.keyboard.press('Escape');
  await field.waitFor({ state: 'hidden' });
  await page.keyboard.press('Control+k');
  await field.waitFor();
  await page.keyboard.type('Edit a message');
  const option = page.getByRole('option', { name: 'Edit a message' }).first();
  await option.waitFor();
  for (let presses = 0; presses < 10 && await option.getAttribute('aria-selected') !== 'true'; presses += 1) {
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
  await field.waitFor({ state: 'hidden' });
  await page.waitForURL(/PATCH\/v1\/messages/);
  assertClean(page);
  await page.context().close();
});

test('a request is sent from the page, with the sandbox\'s token filled in', async () => {
  const page = await open('bot/tag/auth/GET/v1/auth/test');
  const answered = page.waitForResponse((response) => response.url() === `${sandbox.base}/v1/auth/test`);
  await page.getByRole('button', { name: /test request/i }).first().click();
  await page.getByRole('button', { name: /^send/i }).first().click();
  const response = await answered;
  assert.equal(response.status(), 200);
  assert.equal((await response.json()).ok, true);
  await screenshot(page, 'docs-try-it');
  assertClean(page);
  await page.context().close();
});

test('the reference at localhost redirects to the reference at the base URL, which sends requests', async () => {
  const page = await openPage(browser);
  const anchor = '#bot/tag/auth/GET/v1/auth/test';
  await page.goto(`${sandbox.base.replace('127.0.0.1', 'localhost')}/docs${anchor}`);
  await page.waitForURL(`${sandbox.base}/docs${anchor}`);
  const answered = page.waitForResponse((response) => response.url() === `${sandbox.base}/v1/auth/test`);
  await page.getByRole('button', { name: /test request/i }).first().click();
  await page.getByRole('button', { name: /^send/i }).first().click();
  assert.equal((await answered).status(), 200);
  assert.deepEqual(page.errors, []);
  await page.context().close();
});

for (const [look, options] of Object.entries({
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  phone: { colorScheme: 'light', viewport: { width: 360, height: 740 } },
})) {
  test(`the page has no accessibility error that axe-core finds (${look})`, async () => {
    // the page's content security policy would block the script of axe-core
    const page = await open('bot', { ...options, bypassCSP: true });
    await page.getByRole('heading', { name: 'Authentication' }).first().waitFor();
    await page.addScriptTag({ content: axe });
    const { violations } = await page.evaluate((values) => globalThis.axe.run(document, { runOnly: values }), standards);
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
    assert.deepEqual(found, []);
    const [wide, shown] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(wide <= shown, 'the page does not scroll sideways');
    await screenshot(page, `docs-${look}`);
    await page.context().close();
  });
}
