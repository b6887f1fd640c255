// The pages that have no scripts: sign-in, installation of apps, settings, administration. They are checked on
// a phone's screen and in dark mode. One test signs in and out with the keyboard only.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { checkPage, inspect } from './checks.js';
import {
  asOperator, openPage, redirectTargets, screenshot, startBrowser, startRedirectingApp, startSandbox, startSite, violations,
} from './sandbox.js';

let sandbox;
let browser;
before(async () => { [sandbox, browser] = await Promise.all([startSandbox(), startBrowser()]); });
after(async () => { await browser?.close(); await sandbox?.stop(); });
// an account may try to sign in only ten times a minute from one address, and the tests sign in more often
beforeEach(() => asOperator(sandbox, 'POST', '/rate_limits/reset'));

const at = (path) => `${sandbox.base}${path}`;
/** Returns a person of the demo by a key such as `employee`. */
const person = (key) => sandbox.demo.people[key];

/** Fills in and submits the sign-in form that the page shows. */
async function submitSignIn(page, key) {
  await page.getByLabel('E-mail address').fill(person(key).email);
  await page.getByLabel('Password').fill(person(key).password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Opens a page and signs a person in. */
async function signedIn(key, options) {
  const page = await openPage(browser, options);
  await page.goto(at('/signin'));
  await submitSignIn(page, key);
  await page.waitForURL(at('/'));
  return page;
}

test('a person signs in and out with the keyboard only', async () => {
  const page = await openPage(browser);
  await inspect(browser, page, at('/signin'), 'sign-in');
  await page.goto(at('/settings/privacy'));
  assert.equal(page.url(), at('/signin?next=%2Fsettings%2Fprivacy'));
  assert.equal(await page.evaluate(() => document.activeElement.name), 'email');
  await page.keyboard.type(person('employee').email);
  await page.keyboard.press('Tab');
  await page.keyboard.type('wrong');
  await page.keyboard.press('Enter');

  // A live region announces the error, and the fields refer to it. The page keeps the e-mail address. The focus is on
  // the password field.
  const alert = page.getByRole('alert');
  await alert.waitFor();
  assert.match(await alert.innerText(), /Wrong e-mail address or password/);
  assert.equal(await page.evaluate(() => document.activeElement.name), 'password');
  assert.equal(await page.getByLabel('E-mail address').inputValue(), person('employee').email);
  assert.equal(await page.getByLabel('Password').getAttribute('aria-describedby'), 'problem');
  // the browser logs the response to the wrong password as an error (422)
  assert.deepEqual(page.errors.splice(0).filter((error) => !/status of 422/.test(error)), []);
  await checkPage(page, 'sign-in with a problem');
  await screenshot(page, 'sign-in-problem');

  await page.keyboard.type(person('employee').password);
  await page.keyboard.press('Enter');
  await page.waitForURL(at('/settings/privacy'));
  const cookies = Object.fromEntries((await page.context().cookies()).map((cookie) => [cookie.name, cookie]));
  assert.ok(cookies.session.httpOnly && cookies.session.sameSite === 'Lax' && cookies.session.path === '/');

  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Skip to the content');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'main');
  await page.getByRole('button', { name: 'Sign out' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(at('/signin'));
  await page.goto(at('/'));
  assert.equal(page.url(), at('/signin?next=%2F'));
  await page.context().close();
});

test('the start page links only to pages that the person may use', async () => {
  const employee = await signedIn('employee');
  await inspect(browser, employee, at('/'), 'start-employee');
  assert.equal(await employee.getByRole('link', { name: 'Privacy' }).count(), 1);
  assert.equal(await employee.getByRole('link', { name: 'Accounts: find' }).count(), 0);
  await employee.goto(at('/admin/people'));
  assert.match(await employee.getByRole('heading', { level: 1 }).innerText(), /Not allowed/);
  await employee.context().close();

  const admin = await signedIn('admin');
  await inspect(browser, admin, at('/'), 'start-admin');
  await admin.getByRole('link', { name: 'Accounts: find' }).click();
  await admin.waitForURL(at('/admin/people'));
  await admin.context().close();
});

test('a person hides the e-mail address and blocks an app, separately in each company', async () => {
  const page = await signedIn('both_companies');
  await page.goto(at('/settings/privacy'));
  await inspect(browser, page, at('/settings/privacy'), 'privacy');
  await page.getByLabel('Admins only').check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('status').waitFor();
  assert.ok(await page.getByLabel('Admins only').isChecked());

  const row = page.getByRole('listitem').filter({ hasText: sandbox.demo.apps.installed.name });
  await row.getByRole('button', { name: 'Block' }).click();
  await row.getByText('Blocked', { exact: true }).waitFor();
  await inspect(browser, page, page.url(), 'privacy-done');

  const companies = page.getByRole('navigation', { name: 'Company' });
  await companies.getByRole('link', { name: sandbox.demo.workspaces.second.name }).click();
  assert.ok(await page.getByLabel('Colleagues, and apps').isChecked());
  assert.deepEqual(page.errors, []);
  await page.context().close();
});

test('admins set rules for assistants, block assistants by key, deactivate people and uninstall apps', async () => {
  const page = await signedIn('admin');
  await page.goto(at('/admin/assistants'));
  await page.getByLabel('Maximum duration').fill('forever');
  await page.getByRole('button', { name: 'Save settings' }).click();
  await page.getByRole('alert').waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.name), 'max_session_hours');
  assert.deepEqual(page.errors.splice(0).filter((error) => !/status of 422/.test(error)), []);
  await checkPage(page, 'assistants with a problem');
  await screenshot(page, 'assistants-problem');
  await page.getByLabel('Maximum duration').fill('720');
  await page.getByRole('button', { name: 'Save settings' }).click();
  await page.getByRole('status').waitFor();
  assert.equal(await page.getByLabel('Maximum duration').inputValue(), '720');
  await page.getByLabel('Block by key').fill('local:<b>hostile</b> & "quoted"');
  await page.getByRole('button', { name: 'Block', exact: true }).click();
  await page.getByText('local:<b>hostile</b> & "quoted"').waitFor();
  await inspect(browser, page, at('/admin/assistants'), 'assistants');

  await page.goto(at('/admin/people'));
  const ada = page.getByRole('listitem').filter({ hasText: person('second_employee').email }).first();
  await ada.getByText('Manage').click();
  await checkPage(page, 'people, managing one');
  await screenshot(page, 'people-manage');
  await ada.getByRole('button', { name: 'Deactivate' }).click();
  await page.getByRole('status').waitFor();
  await ada.getByText('Deactivated', { exact: true }).first().waitFor();
  await inspect(browser, page, at('/admin/people'), 'people');

  await page.goto(at('/admin/apps'));
  await inspect(browser, page, at('/admin/apps'), 'apps');
  await page.getByRole('button', { name: 'Uninstall' }).click();
  await page.getByText('uninstalled by an admin').waitFor();
  assert.deepEqual(page.errors, []);
  await page.goto(at('/admin/nothing'));
  await screenshot(page, 'not-found');
  await page.context().close();
});

/** Registers an app, and returns the path of its installation request. */
async function app(redirect) {
  const made = await asOperator(sandbox, 'POST', '/apps', {
    name: 'Standup <b>Bot</b>', redirect_uris: [redirect], scopes: ['messages:write', 'users:read', 'conversations:history'],
  });
  return `/oauth/authorize?${new URLSearchParams({ client_id: made.client_id, redirect_uri: redirect, state: 'a b&c' })}`;
}

/** Kinds of redirect URIs that an app may have. The content security policy must allow the redirect to each (D-265). */
const targets = {
  https: 'https://app.example/callback?from=install',
  loopback: 'http://127.0.0.1:{port}/callback',
  'loopback by name': 'http://localhost:{port}/callback',
};

for (const [name, template] of Object.entries(targets)) {
  test(`installing an app with the redirect URI: ${name}`, async () => {
    const site = await startSite((response) => response.end('the app'));
    const path = await app(template.replace('{port}', site.port));
    const page = await openPage(browser);
    await page.route('https://app.example/**', (route) => route.fulfill({ body: 'the app' }));
    await page.goto(at(path));
    await submitSignIn(page, 'admin');
    await page.getByRole('heading', { name: 'Install Standup <b>Bot</b>?' }).waitFor();
    await checkPage(page, 'install');
    if (name === 'https') await inspect(browser, page, page.url(), 'install');
    // the browser requires the box, so a click submits nothing while the box is not ticked
    await page.getByRole('button', { name: 'Install' }).click();
    assert.equal(await page.evaluate(() => document.activeElement.id), 'confirm');
    await page.getByRole('checkbox', { name: /^I allow / }).check();
    await page.getByRole('button', { name: 'Install' }).click();
    await page.waitForURL((url) => url.pathname === '/callback');
    const answer = new URL(page.url());
    assert.equal(answer.searchParams.get('state'), 'a b&c');
    assert.match(answer.searchParams.get('code'), /^svc_code_/);
    assert.deepEqual(violations(page), []);

    await page.goto(at(path));
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.waitForURL((url) => url.pathname === '/callback');
    assert.equal(new URL(page.url()).searchParams.get('error'), 'access_denied');
    await page.context().close();
    site.close();
  });
}

for (const [where, template] of Object.entries(redirectTargets)) {
  for (const button of ['Install', 'Cancel']) {
    test(`after ${button}, the app may redirect the browser to ${where}`, async () => {
      const leading = await startRedirectingApp(template);
      const page = await openPage(browser);
      await page.goto(at(await app(leading.redirect)));
      await submitSignIn(page, 'admin');
      if (button === 'Install') await page.getByRole('checkbox', { name: /^I allow / }).check();
      await page.getByRole('button', { name: button, exact: true }).click();
      await leading.reached(page);
      assert.equal(leading.callback.requests, 1);
      assert.deepEqual(violations(page), []);
      await page.context().close();
      leading.close();
    });
  }
}

test('only an admin can install an app; the page offers to sign in as another person', async () => {
  const { client_id: client, redirect_uri: redirect } = sandbox.demo.apps.spare;
  const query = new URLSearchParams({ client_id: client, redirect_uri: redirect });
  const page = await signedIn('employee');
  await page.goto(at(`/oauth/authorize?${query}`));
  await page.getByRole('heading', { name: /Only an admin/ }).waitFor();
  await screenshot(page, 'install-not-admin');
  await page.getByRole('button', { name: 'Not you?' }).click();
  await page.waitForURL((url) => url.pathname === '/signin');
  await submitSignIn(page, 'admin');
  await page.getByRole('button', { name: 'Install' }).waitFor();
  await page.context().close();

  const wrong = await openPage(browser);
  await wrong.goto(at('/oauth/authorize?client_id=svc_app_unknown'));
  await wrong.getByText('There is no app').waitFor();
  await screenshot(wrong, 'install-wrong');
  await wrong.context().close();
});
