// The server joins the modules in assets/client/ to one script. In this test a page loads the modules as separate files
// instead. So a module that works only as a part of the joined script fails here, for example because it lacks an import.
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { after, before, test } from 'node:test';
import { openPage, startBrowser, startSandbox } from './sandbox.js';

const folder = new URL('../../assets/client/', import.meta.url);

let sandbox;
let browser;
before(async () => { [sandbox, browser] = await Promise.all([startSandbox(), startBrowser()]); });
after(async () => { await browser?.close(); await sandbox?.stop(); });

test('a page works with the modules as separate files', async () => {
  const page = await openPage(browser);
  const loaded = new Set();
  await page.route(/\/assets\/client-\w+\.js$/, (route) => route.fulfill({
    contentType: 'text/javascript', body: "import('/modules/main.js');",
  }));
  await page.route(/\/modules\//, (route) => {
    const name = route.request().url().split('/').at(-1);
    loaded.add(name);
    return route.fulfill({ contentType: 'text/javascript', path: fileURLToPath(new URL(name, folder)) });
  });
  const { email, password } = sandbox.demo.people.employee;
  const path = `/c/${sandbox.demo.conversations.public_group}`;
  await page.goto(`${sandbox.base}/signin?next=${encodeURIComponent(path)}`);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${sandbox.base}${path}`);
  const field = page.getByRole('textbox', { name: 'Message', exact: true });
  // the script sets the height when it starts the composer
  await page.waitForFunction(() => document.querySelector('#composer textarea')?.style.height);
  await page.evaluate(() => { globalThis.isSame = true; });
  await field.fill('sent by modules');
  await field.press('Enter');
  const message = page.getByRole('log', { name: 'Messages' }).getByRole('article').filter({ hasText: 'sent by modules' });
  await message.waitFor();
  assert.ok(await page.evaluate(() => globalThis.isSame), 'the message was sent by the script, without loading the page again');
  await message.hover();
  await message.getByRole('button', { name: 'Reply' }).click();
  await page.getByText('Reply to').waitFor();
  assert.deepEqual([...loaded].sort(), (await readdir(folder)).sort(), 'the page loads every module');
  assert.deepEqual(page.errors, []);
  await page.context().close();
});
