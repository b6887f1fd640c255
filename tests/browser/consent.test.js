// An employee connects an assistant in a browser that enforces the content security policy of the pages (D-265).
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
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
const verifier = 'a-verifier-of-forty-three-characters-or-more-it-is';
const challenge = createHash('sha256').update(verifier).digest('base64url');

/** Registers a public client. Returns its id, its redirect URI, and the path of its authorization request. */
async function registerClient(redirect, name = 'Calendar Helper') {
  const body = { client_name: name, redirect_uris: [redirect], token_endpoint_auth_method: 'none' };
  const answer = await fetch(at('/register'), { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  const { client_id: id } = await answer.json();
  const query = new URLSearchParams({
    response_type: 'code', client_id: id, redirect_uri: redirect, code_challenge: challenge, code_challenge_method: 'S256', state: 'a b&c=é',
  });
  return { id, redirect, path: `/authorize?${query}` };
}

async function exchange({ id, redirect }, code) {
  const form = new URLSearchParams({ grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: redirect, client_id: id });
  const answer = await fetch(at('/token'), { method: 'POST', body: form });
  return answer.json();
}

async function signIn(page, key) {
  await page.getByLabel('E-mail address').fill(sandbox.demo.people[key].email);
  await page.getByLabel('Password').fill(sandbox.demo.people[key].password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Ticks the box without which the browser does not submit an approval. */
const confirm = (page) => page.getByRole('checkbox', { name: /^I allow / }).check();

/**
 * Presses a button, and returns the address to which the server redirects the browser. The browser need not reach the
 * address.
 */
async function press(page, name) {
  const answered = page.waitForResponse((response) => response.request().method() === 'POST');
  await page.getByRole('button', { name, exact: true }).click();
  const response = await answered;
  assert.equal(response.status(), 302);
  assert.equal((await response.request().allHeaders()).origin, sandbox.base, 'the form sends the origin of the consent page');
  return new URL(await response.headerValue('location'));
}

const targets = {
  https: 'https://assistant.example/callback?from=here',
  loopback: 'http://127.0.0.1:{port}/callback',
  'loopback by name': 'http://localhost:{port}/callback',
  'loopback by IPv6': 'http://[::1]:{port}/callback',
};

for (const [name, template] of Object.entries(targets)) {
  test(`Connect and Cancel redirect to the app; redirect URI: ${name}`, async () => {
    const site = await startSite((response) => response.end('the app'), name.endsWith('IPv6') ? '::1' : '127.0.0.1');
    const request = await registerClient(template.replace('{port}', site.port));
    const page = await openPage(browser);
    await page.route('https://assistant.example/**', (route) => route.fulfill({ body: 'the app' }));
    await page.goto(at(request.path));
    await signIn(page, 'employee');
    await page.getByRole('heading', { name: 'Connect Calendar Helper?' }).waitFor();
    await checkPage(page, `consent for ${name}`);
    assert.equal(await page.getByRole('note').count(), name === 'https' ? 0 : 1);
    await confirm(page);
    await press(page, 'Connect');
    await page.waitForURL((url) => url.pathname === '/callback');
    const answer = new URL(page.url()).searchParams;
    assert.equal(answer.get('state'), 'a b&c=é');
    assert.equal(answer.get('iss'), sandbox.base);
    assert.equal((await exchange(request, answer.get('code'))).token_type, 'Bearer');
    assert.deepEqual(violations(page), []);

    await page.goto(at(request.path));
    await press(page, 'Cancel');
    await page.waitForURL((url) => url.pathname === '/callback');
    assert.equal(new URL(page.url()).searchParams.get('error'), 'access_denied');
    await page.context().close();
    site.close();
  });
}

for (const redirect of ['com.example.calendar:/callback', 'cursor://calendar.helper/callback']) {
  test(`Connect redirects to ${redirect}`, async () => {
    const request = await registerClient(redirect);
    const page = await openPage(browser);
    await page.goto(at(request.path));
    await signIn(page, 'employee');
    await confirm(page);
    // No program handles the scheme here, so the browser stays on the page. The content security policy must not block
    // the navigation.
    const answer = await press(page, 'Connect');
    assert.equal(answer.protocol, `${redirect.split(':')[0]}:`);
    assert.equal((await exchange(request, answer.searchParams.get('code'))).token_type, 'Bearer');
    await page.waitForTimeout(300);
    assert.deepEqual(violations(page), []);
    await page.context().close();
  });
}

for (const [where, template] of Object.entries(redirectTargets)) {
  for (const button of ['Connect', 'Cancel']) {
    test(`after ${button}, the app may redirect the browser to ${where}`, async () => {
      const app = await startRedirectingApp(template);
      const request = await registerClient(app.redirect);
      const page = await openPage(browser);
      await page.goto(at(request.path));
      await signIn(page, 'employee');
      if (button === 'Connect') await confirm(page);
      await press(page, button);
      await app.reached(page);
      assert.equal(app.callback.requests, 1);
      assert.deepEqual(violations(page), []);
      await page.context().close();
      app.close();
    });
  }
}

test('the browser blocks redirects that the policy does not allow, so the tests above would notice such a policy', async () => {
  for (const template of Object.values(redirectTargets)) {
    const app = await startRedirectingApp(template);
    const request = await registerClient(app.redirect);
    const page = await openPage(browser);
    await page.goto(at(request.path));
    await signIn(page, 'employee');
    await page.getByRole('button', { name: 'Connect', exact: true }).waitFor();
    // Only the first request of a navigation can be intercepted, and the sign-in has led to the page by a redirect. So
    // the page is opened a second time.
    await page.route('**/authorize/consent?*', async (route) => {
      if (route.request().method() !== 'GET') return route.continue();
      const response = await route.fetch();
      const headers = response.headers();
      assert.doesNotMatch(headers['content-security-policy'], /form-action/);
      headers['content-security-policy'] += `; form-action 'self' ${new URL(app.redirect).origin}`;
      return route.fulfill({ response, headers });
    });
    await page.goto(page.url());
    const violation = page.waitForEvent('console', (message) => /Content Security Policy/.test(message.text()));
    await confirm(page);
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    assert.match((await violation).text(), /form-action/);
    await page.context().close();
    app.close();
  }
});

test('the consent page requires the check box and a company; guests cannot connect; invalid requests are rejected', async () => {
  const local = await registerClient('http://127.0.0.1:1/callback', 'A helper with a rather long name, indeed');
  const web = await registerClient('https://assistant.example/callback');
  const page = await openPage(browser);
  await page.goto(at(local.path));
  await screenshot(page, 'consent-sign-in');
  await signIn(page, 'employee');
  await page.getByRole('note').waitFor();
  await inspect(browser, page, page.url(), 'consent-local');
  await page.goto(at(web.path));
  await inspect(browser, page, page.url(), 'consent-web');
  const known = await registerClient('https://claude.ai/api/mcp/auth_callback');
  await page.goto(at(known.path));
  await page.getByText('This is the well-known name of claude.ai').waitFor();
  await inspect(browser, page, page.url(), 'consent-known');
  await page.getByRole('button', { name: 'Not you?' }).click();
  await page.waitForURL((url) => url.pathname === '/signin');
  await signIn(page, 'both_companies');
  const company = sandbox.demo.workspaces.second;
  await asOperator(sandbox, 'PATCH', `/workspaces/${company.id}`, { ai_assistants: false });
  await page.reload();
  await page.getByText('turned assistants off').waitFor();
  assert.ok(await page.getByRole('radio', { name: company.name }).isDisabled());
  await inspect(browser, page, page.url(), 'consent-one-off');
  await asOperator(sandbox, 'PATCH', `/workspaces/${company.id}`, { ai_assistants: true });
  await page.reload();
  assert.equal(await page.getByRole('radio', { checked: true }).count(), 0);
  // the browser requires the box, so a click submits nothing while the box is not ticked
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  assert.equal(await page.evaluate(() => document.activeElement.id), 'confirm');
  await confirm(page);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await page.getByRole('alert').waitFor();
  await screenshot(page, 'consent-choose');
  // uses the keyboard to select the second company, tick the box, and move the focus to the button
  await page.getByRole('radio').first().focus();
  await page.keyboard.press('ArrowDown');
  assert.ok(await page.getByRole('radio', { name: company.name }).isChecked());
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  assert.ok(await page.getByRole('checkbox').isChecked());
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Connect');
  await page.context().close();

  const guest = await openPage(browser);
  await guest.goto(at(web.path));
  await signIn(guest, 'guest');
  await guest.getByText('not an active employee').waitFor();
  assert.equal(await guest.getByRole('button', { name: 'Connect', exact: true }).count(), 0);
  await checkPage(guest, 'consent for a guest');
  await screenshot(guest, 'consent-guest');
  await guest.goto(at('/authorize?client_id=mcpc_unknown&redirect_uri=https://evil.example/'));
  await screenshot(guest, 'authorize-wrong');
  assert.equal(await guest.locator('a[href*="evil"]').count(), 0);
  await guest.context().close();
});

test('an employee sees and disconnects a connection in the settings', async () => {
  const request = await registerClient('https://assistant.example/callback', 'Minutes Taker');
  const page = await openPage(browser);
  await page.route('https://assistant.example/**', (route) => route.fulfill({ body: 'the app' }));
  await page.goto(at(request.path));
  await signIn(page, 'employee');
  await page.getByRole('button', { name: 'Connect', exact: true }).waitFor();
  await confirm(page);
  const code = (await press(page, 'Connect')).searchParams.get('code');
  const tokens = await exchange(request, code);

  const admin = await openPage(browser);
  await admin.goto(at('/signin?next=/admin/assistants'));
  await signIn(admin, 'admin');
  await admin.getByText('Minutes Taker').waitFor();
  await inspect(browser, admin, at('/admin/assistants'), 'assistants-connected');

  await page.goto(at('/settings/connections'));
  await inspect(browser, page, at('/settings/connections'), 'connections');
  const row = page.getByRole('listitem').filter({ hasText: 'Minutes Taker' });
  await row.getByRole('button', { name: 'Disconnect' }).click();
  await page.getByText('You disconnected it').waitFor();
  await inspect(browser, page, at('/settings/connections'), 'connections-ended');
  const form = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token, client_id: request.id });
  const refused = await (await fetch(at('/token'), { method: 'POST', body: form })).json();
  assert.equal(refused.error, 'invalid_grant');
  await admin.reload();
  await admin.getByText('Recently ended').click();
  await admin.getByText('Disconnected by the employee').waitFor();
  await admin.context().close();
  await page.context().close();
});
