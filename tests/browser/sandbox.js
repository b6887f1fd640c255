// A seeded sandbox and a headless Chromium for each test file.
// SWITCHBOARD names the server's binary, CHROMIUM the browser's, SCREENSHOTS a folder to keep pictures in.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const binary = process.env.SWITCHBOARD ?? path.join(root, process.env.CARGO_TARGET_DIR ?? 'target', 'debug/switchboard');

/** Starts `switchboard dev` on a free port. Gives its base URL, the operator key, what was seeded, its folder, and `stop`. */
export async function startSandbox() {
  const state = mkdtempSync(path.join(tmpdir(), 'switchboard-'));
  const child = spawn(binary, ['dev', '--fresh', '--dir', state, '--listen', '127.0.0.1:0'], { stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  let told = '';
  child.stderr.on('data', (data) => { told += data; });
  const base = await new Promise((resolve, reject) => {
    child.stdout.on('data', (data) => {
      printed += data;
      const found = /base URL\s+(\S+)/.exec(printed);
      if (found && printed.includes('Stop:')) resolve(found[1]);
    });
    child.on('error', reject);
    child.on('exit', (code) => reject(new Error(`the sandbox ended with ${code}: ${told}`)));
  });
  const operatorKey = /operator key\s+(\S+)/.exec(printed)[1];
  const demo = JSON.parse(readFileSync(path.join(state, 'demo.json'), 'utf8'));
  const stop = async () => {
    const ended = new Promise((resolve) => child.on('exit', resolve));
    child.kill('SIGTERM');
    await ended;
    rmSync(state, { recursive: true, force: true });
  };
  return { base, demo, operatorKey, state, stop };
}

/** Calls the admin API as the operator. */
export async function asOperator(sandbox, method, path, body) {
  const headers = { authorization: `Bearer ${sandbox.operatorKey}`, 'content-type': 'application/json' };
  const answer = await fetch(`${sandbox.base}/admin/v1${path}`, { method, headers, body: body && JSON.stringify(body) });
  const json = await answer.json();
  if (!json.ok) throw new Error(`${method} ${path}: ${JSON.stringify(json)}`);
  return json;
}

/** Starts the browser. */
export function startBrowser() {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
}

/** Starts an app's website on this computer. Gives its port, how often it was asked, and `close`. */
export async function startSite(answer, host = '127.0.0.1') {
  const site = { asked: 0 };
  const server = http.createServer((request, response) => { site.asked += 1; answer(response); });
  await new Promise((resolve) => server.listen(0, host, resolve));
  // a test that fails leaves it behind
  server.unref();
  return Object.assign(site, { port: server.address().port, close: () => server.close() });
}

/** Where apps lead the browser on to when their callback has what it wants: to another origin, or out of the browser. */
export const onwards = { 'a page elsewhere': 'http://localhost:{port}/done', 'a scheme of the app': 'com.example.calendar:/done' };

/** Starts a callback that leads on to one of `onwards`, and the page elsewhere. `reached` waits until the browser went there. */
export async function startLeadingOn(template) {
  const elsewhere = await startSite((response) => response.end('you may close this'));
  const to = template.replace('{port}', elsewhere.port);
  const callback = await startSite((response) => response.writeHead(302, { location: to }).end());
  const reached = async (page) => {
    if (to.startsWith('http:')) return page.waitForURL(to);
    // no app owns the scheme here, so the browser stays; but it must not have refused to go
    for (let tries = 0; !callback.asked && tries < 300; tries += 1) await page.waitForTimeout(100);
    return page.waitForTimeout(300);
  };
  const close = () => { callback.close(); elsewhere.close(); };
  return { redirect: `http://127.0.0.1:${callback.port}/callback`, callback, reached, close };
}

/** What the page told of refusals by its policy. */
export const violations = (page) => page.faults.filter((fault) => /Content Security Policy/.test(fault));

/** Opens a page that notes what goes wrong in it (`page.faults`) and whom it asks (`page.asked`). */
export async function openPage(browser, options = {}) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.faults = [];
  page.asked = [];
  page.on('console', (message) => { if (message.type() === 'error') page.faults.push(message.text()); });
  page.on('pageerror', (error) => page.faults.push(String(error)));
  page.on('request', (request) => page.asked.push(request.url()));
  return page;
}

/** Keeps a picture of the page where SCREENSHOTS says. */
export async function picture(page, name) {
  const folder = process.env.SCREENSHOTS;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: path.join(folder, `${name}.png`), fullPage: true });
}
