// Drafts of assistants in a company in which people confirm drafts. To send a draft, the person must first tick a box.
// Without the tick, clicks on the button `Send` send nothing, because another page may have tricked the person into
// clicking this button (docs/decisions/0038-the-browser-asks-for-the-box.md).
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { connect } from './assistant.js';
import { checkPage } from './checks.js';
import { until } from './proxy.js';
import { asOperator, openPage, screenshot, startBrowser, startSandbox, violations } from './sandbox.js';

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

async function signIn(page, id, { email, password } = sandbox.demo.people.employee) {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${sandbox.base}/drafts/${id}`);
}

async function open(id, options, person) {
  const page = await openPage(browser, options);
  await page.goto(`${sandbox.base}/signin?next=${encodeURIComponent(`/drafts/${id}`)}`);
  await signIn(page, id, person);
  page.posts = 0;
  page.on('request', (request) => { if (request.method() === 'POST') page.posts += 1; });
  return page;
}

const box = (page) => page.getByRole('checkbox', { name: 'I want to send this in my name.' });
const button = (page, name) => page.getByRole('button', { name, exact: true });

test('after a new sign-in the typed text is restored, and a draft that an assistant has changed is not sent', async () => {
  const id = await draft('At noon?');
  const page = await open(id);
  const field = page.getByRole('textbox', { name: 'Message' });
  await field.fill('At one?');
  await box(page).check();
  await call('draft_message', { draft_id: id, text: 'At two?' });
  const other = await page.context().newPage();
  await other.goto(`${sandbox.base}/settings/privacy`);
  await other.getByRole('button', { name: 'Sign out' }).click();
  // The sign-out ends the stream of the first window. The first window then loads its page again.
  await page.waitForURL(/\/signin/);
  await signIn(page, id);
  await page.waitForFunction(() => document.querySelector('.draft textarea')?.value === 'At one?');
  assert.equal(await box(page).isChecked(), false, 'the tick is not restored');
  await box(page).check();
  await button(page, 'Send').click();
  await page.getByText('Nothing was sent: an assistant has changed the draft.').waitFor();
  assert.equal(await field.inputValue(), 'At one?');
  await page.getByText('At two?').waitFor();
  assert.equal(await box(page).isChecked(), false);
  await page.context().close();
});

test('sending one draft of the list keeps the text that was typed in another draft', async () => {
  const [sent, kept] = [await draft('At three?'), await draft('At four?')];
  const page = await open(sent);
  const list = `${sandbox.base}/drafts`;
  const card = (id) => page.locator(`[id="${id}"]`);
  const field = (id) => card(id).getByRole('textbox', { name: 'Message' });
  await page.goto(list);
  await field(kept).fill('At five, rather.');
  await field(sent).fill('At six, rather.');
  await box(card(sent)).check();
  await button(card(sent), 'Send').click();
  await page.getByText('The message was sent to').waitFor();
  await page.goto(list);
  assert.equal(await field(kept).inputValue(), 'At five, rather.');
  assert.equal(await card(sent).count(), 0);
  assert.equal(await page.getByRole('textbox', { name: 'What you typed' }).count(), 0, 'the sent text is not kept');
  // discarding a draft also discards the text that was typed in it
  await button(card(kept), 'Discard').click();
  await page.getByText('The draft was discarded').waitFor();
  await page.goto(list);
  assert.equal(await card(kept).count(), 0);
  assert.equal(await page.getByRole('textbox', { name: 'What you typed' }).count(), 0);
  assert.deepEqual(page.errors, []);
  await page.context().close();
});

test('a person of two companies sends a draft before choosing one of them', async () => {
  const { first, second } = sandbox.demo.workspaces;
  const person = { name: 'Tara Twofold', email: 'tara@drafts.example', password: 'of two companies' };
  await asOperator(sandbox, 'POST', `/workspaces/${first.id}/users`, person);
  const callAsTara = await connect(sandbox, person, 'Calendar Helper');
  await asOperator(sandbox, 'POST', `/workspaces/${second.id}/users`, { name: person.name, email: person.email });
  const draftToEmployee = { person: sandbox.demo.people.employee.id, text: 'At noon?' };
  const { id } = (await callAsTara('draft_message', draftToEmployee)).draft;
  const page = await open(id, {}, person);
  const streams = () => page.asked.filter((url) => new URL(url).pathname.endsWith('/live'));
  await page.getByRole('textbox', { name: 'Message' }).fill('At one?');
  await box(page).check();
  // on other pages, these events make the script open the stream
  await page.evaluate(() => {
    window.dispatchEvent(new Event('online'));
    document.dispatchEvent(new Event('visibilitychange'));
  });
  // If this page opened a stream, the server would refuse the stream. The page would then be loaded again, and the box
  // would no longer be ticked.
  await page.waitForTimeout(1000);
  assert.deepEqual(streams(), []);
  assert.ok(await box(page).isChecked());
  await button(page, 'Send').click();
  await page.getByText('The message was sent to').waitFor();
  assert.equal(page.posts, 1);
  // sending the draft has also chosen the draft's company
  await until(() => streams().length > 0, 'the event stream');
  assert.deepEqual(page.errors, []);
  await page.context().close();
});

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with JavaScript' : 'without JavaScript';

  test(`${how}: neither one click nor two send a draft while the box is not ticked`, async () => {
    const id = await draft(`At noon, ${how}?`);
    const page = await open(id, { javaScriptEnabled });
    assert.equal(await box(page).isChecked(), false);
    if (javaScriptEnabled) await checkPage(page, 'a draft that waits');
    await screenshot(page, 'draft-that-waits');
    await button(page, 'Send').dblclick();
    assert.ok(await box(page).evaluate((input) => input === document.activeElement && !input.validity.valid));
    assert.equal(page.posts, 0, 'the browser submits nothing');
    // by keyboard: the focus is on the box, and the button is next
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
