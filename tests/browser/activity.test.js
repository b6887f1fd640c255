// The pages that list the tool calls of assistants, for admins and for employees, and the search for people.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { checkPage, inspect } from './checks.js';
import { until } from './proxy.js';
import { openPage, screenshot, startBrowser, startSandbox } from './sandbox.js';

let sandbox;
let browser;
before(async () => { [sandbox, browser] = await Promise.all([startSandbox(), startBrowser()]); });
after(async () => { await browser?.close(); await sandbox?.stop(); });

const at = (path) => `${sandbox.base}${path}`;

async function signedIn(key) {
  const page = await openPage(browser);
  await page.goto(at('/signin'));
  await page.getByLabel('E-mail address').fill(sandbox.demo.people[key].email);
  await page.getByLabel('Password').fill(sandbox.demo.people[key].password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(at('/'));
  return page;
}

/** Waits until a list has this number of rows. A browser shows a page before it has received all of it. */
const waitForRows = (rows, number) => until(async () => await rows.count() === number, `${number} rows`);

/** Returns the integer that an id encodes in base 32. */
function number(id) {
  const digits = '0123456789abcdefghjkmnpqrstvwxyz';
  return [...id.split('_')[1]].reduce((value, digit) => value * 32n + BigInt(digits.indexOf(digit)), 0n);
}

// The members of each call: tool, outcome (0 success, 1 rejected, 2 failed), error code, ids of the targets, number of
// further targets, duration in microseconds.
const calls = [
  ['read_messages', 0, null, (group) => `${group} gmsg_0000000000001 gmsg_0000000000002`, 0, 412],
  ['send_draft', 1, 'conversation_archived', (group) => group, 0, 2_400],
  ['search_messages', 0, null, () => 'gmsg_0000000000001', 47, 38_000],
  ['list_people', 0, null, () => '', 0, 900],
  ['draft_message', 2, 'server_error', (group) => group, 0, 2_100_000],
  ['send_draft', 0, null, (group) => `${group} gmsg_0000000000003`, 0, 3_100],
];

/** Inserts sixty tool calls of two people's assistants into the sandbox's database: two pages of the list. */
function insertToolCalls() {
  const people = ['employee', 'second_employee'].map((key) => sandbox.demo.people[key]);
  const group = Object.values(sandbox.demo.conversations).map((found) => found.id ?? found).find((id) => id.startsWith('grp_'));
  const rows = [];
  for (let n = 0; n < 60; n += 1) {
    const [tool, outcome, code, targets, more, took] = calls[n % calls.length];
    const person = people[n % 2];
    const moment = BigInt(Date.now() - (60 - n) * 61_000) * 1000n;
    const client = n % 3 ? 'https://claude.ai/oauth/client-metadata.json' : 'mcpc_aVeryLongIdOfAClientThatRegisteredItself0123456789';
    const name = n % 3 ? 'Claude' : 'Calendar Helper with <b>a name</b> of forty.';
    rows.push([number(person.workspace_id), moment, n + 1, number(person.id), n % 3, n % 3, client, name, tool, outcome, code, targets(group), more, took]);
  }
  const text = JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? `#${value}` : value));
  const script = `
import json, sqlite3, sys
rows = [[int(v[1:]) if isinstance(v, str) and v.startswith('#') else v for v in row] for row in json.loads(sys.argv[2])]
database = sqlite3.connect(sys.argv[1], timeout=30)
columns = '''workspace_id, at, id, user_id, connection_id, client_hash, client_id, display_name, tool, outcome,
    error_code, targets, more_targets, took'''
database.executemany(f'INSERT INTO tool_calls ({columns}) VALUES (' + ','.join('?' * 14) + ')', rows)
database.commit()`;
  execFileSync('python3', ['-c', script, path.join(sandbox.state, 'switchboard.db'), text]);
}

test('admins see the tool calls of assistants, and filter them', async () => {
  const page = await signedIn('admin');
  await page.goto(at('/admin/activity'));
  await page.getByText('No assistant has done anything in the last ').waitFor();
  await inspect(browser, page, at('/admin/activity'), 'activity-empty');
  insertToolCalls();
  await page.reload();
  await inspect(browser, page, at('/admin/activity'), 'activity');
  const rows = page.locator('main li.row');
  await waitForRows(rows, 50);
  await page.getByRole('link', { name: 'Next page' }).click();
  await waitForRows(rows, 10);

  await page.goto(at('/admin/activity'));
  await page.getByLabel('What was done').focus();
  await page.getByLabel('What was done').selectOption({ label: 'Sent a draft' });
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: 'Show' }).press('Enter');
  await page.waitForURL(/tool=send_draft/);
  await waitForRows(rows, 20);
  assert.equal(await page.getByLabel('What was done').inputValue(), 'send_draft');
  await page.getByRole('link', { name: 'Show everything' }).click();

  // The filter finds a person by the beginning of the e-mail address. The name of an assistant in the list is a link to
  // the calls of this assistant.
  const employee = sandbox.demo.people.employee;
  await page.getByLabel('Person').fill(employee.email.slice(0, -1));
  await page.getByLabel('Person').press('Enter');
  await page.getByRole('heading', { name: `What assistants did for ${employee.name}` }).waitFor();
  await waitForRows(rows, 30);
  await inspect(browser, page, page.url(), 'activity-person');
  await page.getByRole('link', { name: 'Claude' }).first().click();
  await page.waitForURL(/client_id=https/);
  assert.equal(await page.getByLabel('Assistant', { exact: true }).inputValue(), 'https://claude.ai/oauth/client-metadata.json');

  await page.goto(at('/admin/activity?person=e'));
  await checkPage(page, 'activity, several people');
  await screenshot(page, 'activity-several');
  await page.goto(at('/admin/assistants'));
  await page.getByRole('link', { name: 'See what assistants did' }).click();
  await page.waitForURL(/admin\/activity/);
  assert.deepEqual(page.errors, []);
  await page.context().close();

  // employees see only the calls of their own assistants
  const own = await signedIn('employee');
  await own.goto(at('/settings/connections'));
  await own.getByRole('link', { name: 'See what your assistants did' }).click();
  await waitForRows(own.locator('main li.row'), 30);
  assert.equal(await own.getByLabel('Person').count(), 0);
  await inspect(browser, own, own.url(), 'activity-own');
  await own.context().close();
});

test('people are found by the beginning of a name', async () => {
  const page = await signedIn('admin');
  const employee = sandbox.demo.people.employee;
  await page.goto(at('/admin/people'));
  const all = await page.locator('main li.row').count();
  const query = employee.name.toLowerCase().slice(0, -1);
  await page.getByRole('search').getByLabel('Find').fill(query);
  await page.keyboard.press('Enter');
  await page.getByText(employee.email).waitFor();
  assert.ok((await page.locator('main li.row').count()) < all);
  await inspect(browser, page, page.url(), 'people-found');
  // after an action on a person of the search results, the page shows the same search results again
  await page.getByText('Manage').first().click();
  await page.getByRole('button', { name: 'Sign out of this company' }).first().click();
  await page.getByRole('status').waitFor();
  assert.equal(await page.getByRole('search').getByLabel('Find').inputValue(), query);
  await page.getByRole('search').getByLabel('Find').fill('nobody there');
  await page.getByRole('button', { name: 'Find' }).click();
  await page.getByText('No person matches').waitFor();
  await checkPage(page, 'people, nobody');
  assert.deepEqual(page.errors, []);
  await page.context().close();
});
