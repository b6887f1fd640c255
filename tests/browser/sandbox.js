// Helpers of the browser tests. They start a seeded sandbox, a headless Chromium, and websites of apps. Environment
// variables: SWITCHBOARD names the server's binary, CHROMIUM names the browser's binary, and SCREENSHOTS names the
// folder in which screenshots are saved.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { listen } from '../clients/lib/listen.js';
import { startServer } from '../clients/lib/server.js';

export { asOperator } from '../clients/lib/server.js';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
process.env.SWITCHBOARD ??= path.resolve(root, process.env.CARGO_TARGET_DIR ?? 'target', 'debug/switchboard');

/**
 * Starts a sandbox at the address `listen`, by default on a free port. The rate limits are the defaults. `settings` are
 * environment variables, which may change the limits. Returns the result of `startServer`; its `stop` also deletes the
 * sandbox's folder.
 */
export async function startSandbox(settings = {}, listen = undefined) {
  const folder = mkdtempSync(path.join(tmpdir(), 'switchboard-'));
  const server = await startServer(folder, { SWITCHBOARD_LIMITS_SCALE: '1', ...settings }, listen);
  const stop = async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { ...server, stop };
}

/** Starts the browser. */
export function startBrowser() {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
}

/** Starts an app's website on this machine. Returns the website's port, its number of requests so far, and `close`. */
export async function startSite(answer, host = '127.0.0.1') {
  const site = { requests: 0 };
  const server = http.createServer((request, response) => { site.requests += 1; answer(response); });
  const { port } = await listen(server, host);
  // a test that fails does not close the server; without `unref` the open server would keep the process running
  server.unref();
  return Object.assign(site, { port, close: () => server.close() });
}

/**
 * After a consent, the browser arrives at the app's redirect URI, and the app redirects it further. These are the
 * targets: a page of another origin, or a program with a private-use URI scheme.
 */
export const redirectTargets = { 'a page elsewhere': 'http://localhost:{port}/done', 'a scheme of the app': 'com.example.calendar:/done' };

/**
 * Starts an app that redirects the browser from the app's redirect URI to `template`, which is one of
 * `redirectTargets`. Also starts a website for the other origin. `redirect` of the result is the redirect URI. The
 * function `reached` of the result waits until the app has redirected the browser.
 */
export async function startRedirectingApp(template) {
  const elsewhere = await startSite((response) => response.end('you may close this'));
  const to = template.replace('{port}', elsewhere.port);
  const callback = await startSite((response) => response.writeHead(302, { location: to }).end());
  const reached = async (page) => {
    if (to.startsWith('http:')) return page.waitForURL(to);
    // No program handles the scheme here, so the browser stays on the page. After the app has responded, the browser
    // gets time to report a violation of the content security policy.
    for (let tries = 0; !callback.requests && tries < 300; tries += 1) await page.waitForTimeout(100);
    return page.waitForTimeout(300);
  };
  const close = () => { callback.close(); elsewhere.close(); };
  return { redirect: `http://127.0.0.1:${callback.port}/callback`, callback, reached, close };
}

/** Returns the violations of the content security policy that the page has recorded. */
export const violations = (page) => page.errors.filter((error) => /Content Security Policy/.test(error));

/** Opens a page that records its errors in `page.errors`, and the URLs that it requests in `page.asked`. */
export async function openPage(browser, options = {}) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.errors = [];
  page.asked = [];
  page.on('console', (message) => { if (message.type() === 'error') page.errors.push(message.text()); });
  page.on('pageerror', (error) => page.errors.push(String(error)));
  page.on('request', (request) => page.asked.push(request.url()));
  return page;
}

/**
 * Withholds the responses from which a window notices that its session has ended or that another company was chosen.
 * These are the event stream, and the response to the request that marks messages as read. A window sends this request
 * a second after it was opened. Returns a function that ends the withholding. Responses that were withheld before never
 * arrive.
 */
export async function withhold(page) {
  const requests = /\/(live|read)(\?|$)/;
  await page.route(requests, () => {});
  return () => page.unroute(requests);
}

/** Saves a screenshot of the page in the folder SCREENSHOTS. Does nothing if SCREENSHOTS is not set. */
export async function screenshot(page, name) {
  const folder = process.env.SCREENSHOTS;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: path.join(folder, `${name}.png`), fullPage: true });
}
