// Drafts of assistants in a company in which people confirm drafts. A single click sends nothing, because another page may have
// tricked the person into clicking the button (docs/decisions/0038).
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { connect } from './assistant.js';
import { judge } from './checks.js';
import { asOperator, openPage, picture, startBrowser, startSandbox, violations } from './sandbox.js';

let sandbox;
let browser;
let call;
before(async () => {
  [sandbox, browser] = await Promise.all([startSandbox(), startBrowser()]);
  const company = sandbox.demo.workspaces.first;
  await asOperator(sandbox, 'PATCH', `/workspaces/${company.id}`, { assistant_sends: 'confirm' });
  call = await connect(sandbox, sandbox.demo.people.employee, 'Calendar Helper');
});
after(async () => { await browser?.close(); await sandbox?.stop(); });

const draft = async (text) => (await call('draft_message', { conversation: sandbox.demo.conversations.public_group, text })).draft.id;

async function open(id, options) {
  const page = await openPage(browser, options);
  const { email, password } = sandbox.demo.people.employee;
  await page.goto(`${sandbox.base}/signin?next=${encodeURIComponent(`/drafts/${id}`)}`);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${sandbox.base}/drafts/${id}`);
  page.posts = 0;
  page.on('request', (request) => { if (request.method() === 'POST') page.posts += 1; });
  return page;
}

const box = (page) => page.getByRole('checkbox', { name: 'I want to send this in my name.' });
const button = (page, name) => page.getByRole('button', { name, exact: true });

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with JavaScript' : 'without JavaScript';

  test(`${how}: neither one click nor two send a draft while the box is not ticked`, async () => {
    const id = await draft(`At noon, ${how}?`);
    const page = await open(id, { javaScriptEnabled });
    assert.equal(await box(page).isChecked(), false);
    if (javaScriptEnabled) await judge(page, 'a draft that waits');
    await picture(page, 'draft-that-waits');
    await button(page, 'Send').dblclick();
    assert.ok(await box(page).evaluate((input) => input === document.activeElement && !input.validity.valid));
    assert.equal(page.posts, 0, 'the browser submits nothing');
    // by keyboard: the box has the focus, and the button follows it
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Send');
    await page.keyboard.press('Enter');
    await page.getByText('The message was sent to').waitFor();
    assert.equal(page.posts, 1);
    assert.deepEqual(violations(page), []);
    await page.context().close();
  });

  test(`${how}: a draft can be discarded while the box is not ticked`, async () => {
    const page = await open(await draft(`Never, ${how}.`), { javaScriptEnabled });
    await button(page, 'Discard').click();
    await page.getByText('The draft was discarded').waitFor();
    await page.context().close();
  });
}
