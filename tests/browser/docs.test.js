// The reference page, as a bot developer sees it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openPage, picture, startBrowser, startSandbox } from './sandbox.js';

let sandbox;
let browser;
before(async () => { [sandbox, browser] = await Promise.all([startSandbox(), startBrowser()]); });
after(async () => { await browser?.close(); await sandbox?.stop(); });

/** The names of the documents the page offers. */
const published = ['bot', 'admin'];

for (const name of published) {
  test(`every operation of ${name}.json is shown, and nobody else is asked`, async () => {
    const document = await (await fetch(`${sandbox.base}/openapi/${name}.json`)).json();
    const methods = ['get', 'put', 'post', 'delete', 'patch'];
    const operations = Object.values(document.paths).flatMap((item) => methods.filter((method) => item[method]));

    const page = await openPage(browser, { viewport: { width: 1280, height: 900 } });
    await page.goto(`${sandbox.base}/docs`);
    await page.getByRole('navigation', { name: 'Interfaces' }).getByRole('link', { name: document.info.title }).click();
    await page.locator('.opblock').first().waitFor();

    assert.equal(await page.locator('.opblock').count(), operations.length);
    assert.equal(await page.title(), document.info.title);
    assert.deepEqual(page.faults, []);
    const outside = page.asked.filter((url) => !url.startsWith(`${sandbox.base}/`) && !/^(data|blob):/.test(url));
    assert.deepEqual(outside, []);
    await picture(page, `docs-${name}`);
    await page.context().close();
  });
}

test('events are shown, and cannot be tried', async () => {
  const document = await (await fetch(`${sandbox.base}/openapi/bot.json`)).json();
  const events = Object.values(document['x-webhooks']).map((event) => event.post);

  const page = await openPage(browser, { viewport: { width: 1280, height: 900 } });
  await page.goto(`${sandbox.base}/docs`);
  await page.getByRole('navigation', { name: 'Interfaces' }).getByRole('link', { name: 'Events', exact: true }).click();
  await page.locator('.opblock').first().waitFor();

  assert.equal(await page.title(), 'Events');
  assert.equal(await page.locator('.opblock').count(), events.length);
  assert.equal(await page.getByText('No operations').isVisible(), false);
  for (const event of events) {
    const shown = page.locator('.opblock', { hasText: event.summary });
    await shown.locator('.opblock-summary').click();
    await shown.getByText('X-Service-Signature').first().waitFor();
    const example = event.requestBody.content['application/json'].example;
    await shown.getByText(example.id).first().waitFor();
  }
  assert.equal(await page.getByRole('button', { name: /try it out|execute/i }).count(), 0);
  assert.deepEqual(page.faults, []);
  await picture(page, 'docs-events');
  await page.context().close();
});

test('try it sends a real request with the token given', async () => {
  const page = await openPage(browser);
  await page.goto(`${sandbox.base}/docs`);
  await page.getByRole('button', { name: 'Authorize' }).first().click();
  const token = page.locator('.modal-ux .auth-container', { hasText: 'bearer' }).locator('input');
  await token.waitFor();
  await picture(page, 'docs-authorize');
  await token.fill(sandbox.demo.installation.bot_token);
  await page.locator('.modal-ux .auth-container', { hasText: 'bearer' }).locator('button.authorize').click();
  await page.locator('.modal-ux button.btn-done').first().click();
  const operation = page.locator('.opblock', { hasText: '/v1/auth/test' });
  await operation.locator('.opblock-summary').click();
  await operation.getByRole('button', { name: 'Execute' }).click();
  await operation.locator('.live-responses-table .response-col_status', { hasText: '200' }).waitFor();
  assert.match(await operation.locator('.live-responses-table').innerText(), /"ok": true/);
  assert.deepEqual(page.faults, []);
  await picture(page, 'docs-try-it');
  await page.context().close();
});
