// Checks of a page: its accessibility, and its layout in several colour schemes and screen sizes. The page must have no
// inline scripts or styles, cause no errors in the browser's console, and send no requests to other hosts.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { openPage, screenshot } from './sandbox.js';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** The screen sizes and colour schemes in which a page is checked. */
const screens = {
  light: { viewport: { width: 1100, height: 800 }, colorScheme: 'light' },
  dark: { viewport: { width: 1100, height: 800 }, colorScheme: 'dark' },
  phone: { viewport: { width: 360, height: 740 }, colorScheme: 'light', deviceScaleFactor: 2, hasTouch: true },
};

/**
 * Opens a URL in each of `screens`, with the session of `page`. Checks the opened page with `checkPage` and with
 * axe-core, and saves screenshots.
 */
export async function inspect(browser, page, url, name) {
  const cookies = await page.context().cookies();
  for (const [look, options] of Object.entries(screens)) {
    const other = await openPage(browser, options);
    await other.context().addCookies(cookies);
    await other.goto(url);
    await checkPage(other, `${name} (${look})`);
    await screenshot(other, `${name}-${look}`);
    await other.context().close();
    // the page is opened again without its content security policy, which would block the script of axe-core
    const examined = await openPage(browser, { ...options, bypassCSP: true });
    await examined.context().addCookies(cookies);
    await examined.goto(url);
    await examined.addScriptTag({ content: axe });
    const { violations } = await examined.evaluate((values) => globalThis.axe.run(document, { runOnly: values }), standards);
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
    assert.deepEqual(found, [], `${name} (${look}): violations that axe-core finds`);
    await examined.context().close();
  }
}

/**
 * Asserts that the open page has no errors that `documentErrors` finds, has caused no errors in the browser's console,
 * and has sent no requests to other hosts.
 */
export async function checkPage(page, name) {
  // after a click, the style sheet of the next page may not be loaded yet
  await page.waitForLoadState('load');
  assert.deepEqual(await page.evaluate(documentErrors), [], `${name}: errors that documentErrors finds`);
  assert.deepEqual(page.errors, [], `${name}: errors in the browser's console`);
  const here = new URL(page.url()).origin;
  const outside = page.asked.filter((url) => !url.startsWith(`${here}/`) && !url.startsWith('data:'));
  assert.deepEqual(outside, [], `${name}: requests to other hosts`);
}

/**
 * Runs in the page. Returns the errors in the page's document: errors of accessibility and layout, inline styles and
 * handlers, scripts that are not from /assets/, and forms without a CSRF token.
 */
function documentErrors() {
  const found = [];
  const all = (selector) => [...document.querySelectorAll(selector)];
  const isShown = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });

  if (!document.documentElement.lang) found.push('no language');
  if (!document.title.includes(' · ')) found.push(`no " · " in the title: ${document.title}`);
  if (all('main').length !== 1) found.push('the page must have exactly one main');
  if (all('h1').length !== 1) found.push('the page must have exactly one h1');
  if (all('script:not([src^="/assets/"]), [style], style').length) found.push('a script that is not from /assets/, or an inline style');
  if (all('[onclick], [onsubmit], [onload]').length) found.push('inline handlers');
  if (document.activeElement?.tabIndex > 0 || all('[tabindex]').some((element) => element.tabIndex > 0)) found.push('an element with a positive tabindex');

  let level = 0;
  for (const heading of all('h1, h2, h3, h4')) {
    const next = Number(heading.tagName[1]);
    if (next > level + 1) found.push(`heading skips a level: ${heading.outerHTML}`);
    level = next;
  }
  const ids = all('[id]').map((element) => element.id);
  for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) found.push(`id twice: ${id}`);
  for (const element of all('[aria-describedby], [aria-labelledby]')) {
    for (const attribute of ['aria-describedby', 'aria-labelledby']) {
      for (const id of (element.getAttribute(attribute) ?? '').split(' ').filter(Boolean)) {
        if (!document.getElementById(id)) found.push(`${attribute} has the id of no element: ${id}`);
      }
    }
  }
  for (const link of all('a[href^="#"]')) if (!document.getElementById(link.hash.slice(1))) found.push(`dead link ${link.hash}`);
  for (const input of all('input:not([type=hidden]), select, textarea')) {
    const isNamed = input.ariaLabel?.trim() || [...input.labels].some((label) => label.textContent.trim());
    if (!isNamed) found.push(`no label: ${input.outerHTML}`);
  }
  for (const set of all('fieldset')) if (!set.querySelector('legend')?.textContent.trim()) found.push('a fieldset without legend');
  for (const control of all('button, a[href], summary')) {
    if (!control.textContent.trim()) found.push(`a control without text: ${control.outerHTML}`);
  }
  for (const form of all('form[method=post]')) {
    if (!form.elements.csrf?.value) found.push(`no CSRF token in the form for ${form.getAttribute('action')}`);
  }
  for (const region of all('nav')) if (!region.getAttribute('aria-label')) found.push('a nav without a name');
  for (const region of all('section')) if (!region.getAttribute('aria-labelledby') && !region.ariaLabel) found.push('a section without a name');

  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > width) found.push(`wider than the screen: ${document.documentElement.scrollWidth} > ${width}`);
  for (const control of all('button:not(.link), .button, input[type=text], input[type=password], input[type=date], select').filter(isShown)) {
    const box = control.getBoundingClientRect();
    if (box.height < 36) found.push(`too small to touch: ${control.outerHTML}`);
  }

  // WCAG 2.2, success criterion 1.4.3: contrast of text with its background
  const parse = (color) => color.match(/[\d.]+/g).map(Number);
  const blend = (top, bottom) => {
    const alpha = top[3] ?? 1;
    return [0, 1, 2].map((part) => top[part] * alpha + bottom[part] * (1 - alpha));
  };
  const backgroundOf = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) layers.push(parse(getComputedStyle(at).backgroundColor));
    return layers.reverse().reduce((bottom, top) => blend(top, bottom), [255, 255, 255]);
  };
  const luminance = (color) => {
    const [red, green, blue] = color.map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !isShown(element)) continue;
    const back = backgroundOf(element);
    const [brighter, darker] = [luminance(blend(parse(getComputedStyle(element).color), back)), luminance(back)].sort((a, b) => b - a);
    const contrast = (brighter + 0.05) / (darker + 0.05);
    if (contrast < 4.5) found.push(`contrast ${contrast.toFixed(2)}: ${walker.currentNode.data.trim()}`);
  }
  return found;
}
