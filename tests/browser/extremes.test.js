// The web client with many and long texts, without any content, and with errors. Each page is tested on a desktop and
// on a phone with a width of 360 pixels, in light and dark mode.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { deflateSync, crc32 } from 'node:zlib';
import { after, before, test } from 'node:test';
import { connect } from './assistant.js';
import { asOperator, openPage, screenshot, startBrowser, startSandbox } from './sandbox.js';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

// The sizes and color schemes in which each page is checked, with the rules of axe-core. Only the first entry has all
// rules of `standards`. The other entries have only rules that depend on the size or the colors.
const screens = {
  light: { size: { width: 1280, height: 800 }, colorScheme: 'light', rules: standards },
  dark: { size: { width: 1280, height: 800 }, colorScheme: 'dark', rules: ['color-contrast'] },
  phone: { size: { width: 360, height: 740 }, colorScheme: 'light', rules: ['target-size', 'scrollable-region-focusable'] },
  'phone-dark': { size: { width: 360, height: 740 }, colorScheme: 'dark', rules: ['color-contrast'] },
};

const longWord = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';
const names = {
  long: `Wolfeschlegelsteinhausenbergerdorff ${longWord} ${'van der '.repeat(8)}Berg`,
  arabic: 'عبد الرحمن بن محمد الأنصاري',
  hebrew: 'שירה בן־דוד (QA & Support) 2',
  emoji: '👩🏽‍🚀 Zoë 🏳️‍🌈 O’Neil-Łukasiewicz',
};

let sandbox;
let browser;
const made = { persons: {} };
const at = (path) => `${sandbox.base}${path}`;
const company = () => sandbox.demo.installation.workspace_id;
const admin = (method, path, body) => asOperator(sandbox, method, path, body);

/** Creates a person in the demo company. */
async function person(name, more = {}) {
  const email = `x${Math.random().toString(36).slice(2)}@${longWord.slice(0, 40).toLowerCase()}.example`;
  const { user } = await admin('POST', `/workspaces/${company()}/users`, { name, email, password: 'extremely long', ...more });
  return { id: user.id, email, password: 'extremely long' };
}

async function conversation(body) {
  const { conversation: found } = await admin('POST', `/workspaces/${company()}/conversations`, { kind: 'group', ...body });
  return found.id;
}

async function post(where, sender, text, more = {}) {
  const { message } = await admin('POST', `/conversations/${where}/messages`, { user_id: sender, type: 'text', text, ...more });
  return message.id;
}

/** Returns a PNG image of 64 by 40 pixels. All pixels have one color, which depends on `n`. */
function png(n) {
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const uint32 = (value) => { const four = Buffer.alloc(4); four.writeUInt32BE(value >>> 0); return four; };
    return Buffer.concat([uint32(data.length), body, uint32(crc32(body))]);
  };
  const head = Buffer.from([0, 0, 0, 64, 0, 0, 0, 40, 8, 2, 0, 0, 0]);
  const row = Buffer.concat([Buffer.from([0]), ...Array(64).fill(Buffer.from([(n * 53) % 256, (n * 97) % 256, 150]))]);
  const parts = [chunk('IHDR', head), chunk('IDAT', deflateSync(Buffer.concat(Array(40).fill(row)))), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts]);
}

async function asBot(body) {
  const response = await fetch(at('/v1/messages'), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${sandbox.demo.installation.bot_token}`, 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID(),
    },
    body: JSON.stringify(body),
  });
  assert.ok(response.ok, await response.text());
}

before(async () => {
  // the test data needs more requests than the rate limits allow
  [sandbox, browser] = await Promise.all([startSandbox({ SWITCHBOARD_LIMITS_SCALE: '1000' }), startBrowser()]);
  await Promise.all([fillPeople().then(fillConversations), fillNothing()]);
});
after(async () => { await browser?.close(); await sandbox?.stop(); });

async function fillPeople() {
  made.me = await person('Mira Sol', { title: 'Reads everything' });
  for (const [part, name] of Object.entries(names)) made.persons[part] = await person(name, { title: `${name}, ${longWord}`.slice(0, 200) });
  const crowd = Array.from({ length: 240 }, (_, n) => n);
  made.crowd = [];
  while (crowd.length) {
    const some = await Promise.all(crowd.splice(0, 40).map((n) => person(`Crowd ${n}`, { password: undefined })));
    made.crowd.push(...some);
  }
}

async function fillConversations() {
  const { me, persons: { long, arabic, hebrew, emoji } } = made;
  const all = [me, long, arabic, hebrew, emoji].map(({ id }) => id);
  const bot = sandbox.demo.installation.bot_user_id;
  const member_ids = [...all, bot];
  [made.files, made.texts, made.blocks, made.many, made.long, made.arabic, made.empty] = await Promise.all([
    conversation({ name: 'Two hundred files', topic: 'Pictures of the new building', member_ids }),
    conversation({ name: 'Long texts', member_ids }),
    conversation({ name: 'Reports of the bot', topic: 'https://status.example', member_ids }),
    conversation({ name: 'Everybody', member_ids: [...member_ids, ...made.crowd.map(({ id }) => id)] }),
    conversation({ name: `${longWord} ${longWord}`, topic: `${longWord}, ${'with a topic that goes on and on '.repeat(20)}`, member_ids }),
    conversation({ name: 'مشروع الترجمة – Phase 2 (עברית)', topic: 'نقاش حول الترجمة and the deadline (שבוע הבא)', member_ids }),
    conversation({ name: 'Nothing yet', member_ids: [me.id] }),
  ]);
  await conversation({ kind: 'channel', parent_id: made.long, name: `${longWord}-channel-${longWord}`, member_ids });
  await conversation({ kind: 'channel', parent_id: made.arabic, name: 'المطورون', member_ids });
  made.people = all;
  await Promise.all([fillFiles(), fillTexts(), fillBlocks(), fillUnread(), fillDrafts()]);
}

/** Sends one message with two hundred files from the web client. */
async function fillFiles() {
  const files = Array.from({ length: 200 }, (_, n) => {
    if (n % 2 === 0) return { name: `photo ${n} 📷.png`, mimeType: 'image/png', buffer: png(n) };
    if (n === 3) return { name: `${longWord}-${longWord}.final.v2.pdf`, mimeType: 'application/pdf', buffer: Buffer.alloc(2_400_000) };
    if (n === 5) return { name: 'تقرير مالي ٢٠٢٦ – final.xlsx', mimeType: 'application/vnd.ms-excel', buffer: Buffer.from('x') };
    return { name: `minutes-${n}.txt`, mimeType: 'text/plain', buffer: Buffer.from('x'.repeat(n * 400)) };
  });
  const page = await signedIn(made.persons.emoji);
  await page.goto(at(`/c/${made.files}`));
  await page.getByLabel('Files').setInputFiles(files);
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill('All of them, at last 🎉');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('article').filter({ hasText: 'minutes-199.txt' }).waitFor();
  assert.deepEqual(page.errors, []);
  await page.context().close();
}

async function fillTexts() {
  const { me, persons: { long, arabic, hebrew, emoji } } = made;
  const where = made.texts;
  await post(where, long.id, 'x'.repeat(4_000));
  await post(where, hebrew.id, Array.from({ length: 260 }, (_, n) => `line ${n}`).join('\n').slice(0, 4_000));
  await post(where, emoji.id, `fn main() {\n${'    println!("{:>120}", "not wrapped by anybody, ever, because it is code");\n'.repeat(12)}}`);
  await post(where, arabic.id, 'مرحبا بالجميع، الاجتماع غدا في الساعة 10:30 في مكتب Berlin (الطابق 3).\nPlease bring your laptops — שלום!');
  const parent = await post(where, me.id, '👩‍👩‍👧‍👦👨🏿‍💻🏴󠁧󠁢󠁳󠁣󠁴󠁿🇩🇪 1️⃣ ❤️‍🔥 Z̸̢̛̯͇a͙͊l͘g̴o');
  await post(where, long.id, 'I agree.', { thread_id: parent });
  await post(where, me.id, `https://example.com/${'a-very-long-path/'.repeat(40)}?q=${'x'.repeat(300)}`);
  await post(where, emoji.id, 'Done.');
  for (const direct of [long, arabic, hebrew, emoji]) {
    const dm = await conversation({ kind: 'dm', member_ids: [me.id, direct.id] });
    await post(dm, direct.id, 'Ping');
  }
}

async function fillBlocks() {
  const fields = Array.from({ length: 9 }, (_, n) => ({ label: `Field ${n} ${n === 4 ? longWord : ''}`, value: n === 5 ? longWord.repeat(3) : `Value ${n}` }));
  for (let n = 0; n < 4; n += 1) {
    await asBot({
      to: { type: 'conversation', id: made.blocks },
      text: `Build ${n} of main failed`,
      blocks: [
        { type: 'header', text: n === 2 ? `${longWord} ${longWord}` : `Build ${n} failed 🔥` },
        { type: 'section', text: 'Two of 4,310 tests failed. See https://ci.example/builds/4310 for the log.\n\nاختباران فشلا.' },
        { type: 'fields', fields },
        { type: 'context', text: 'main · 3f2a9c1 · 12 minutes' },
        { type: 'actions', items: [
          { action_id: 'again', text: 'Run again', style: 'primary' }, { action_id: 'stop', text: 'Stop the release', style: 'danger' },
          { action_id: 'long', text: 'A label of forty characters, no more…..' }, { action_id: 'rtl', text: 'تجاهل هذا' },
          { action_id: 'w', text: longWord.slice(0, 40) },
        ] },
      ],
    });
  }
}

async function fillUnread() {
  for (let n = 0; n < 110; n += 10) {
    await Promise.all(Array.from({ length: 10 }, (_, k) => post(made.many, made.crowd[n + k].id, `Hello from ${n + k}`)));
  }
}

async function fillDrafts() {
  const call = await connect(sandbox, made.me, 'Calendar Helper for very long days');
  await call('draft_message', { conversation: made.texts, text: 'Shall we meet at noon? I have reserved the small place by the river.' });
  await call('draft_message', { conversation: made.long, text: `${longWord} `.repeat(12) });
  await call('draft_message', { conversation: made.arabic, text: 'مرحبا، هل يناسبكم الاجتماع يوم الأحد؟' });
  made.draft = (await call('draft_message', { conversation: made.many, text: 'word '.repeat(795).trim() })).draft.id;
}

/** Creates a person in a company without content. */
async function fillNothing() {
  const { workspace } = await admin('POST', '/workspaces', { name: 'Empty Ltd' });
  made.nobody = { email: 'nobody@example.com', password: 'extremely long' };
  await admin('POST', `/workspaces/${workspace.id}/users`, { name: 'Noa Body', ...made.nobody });
}

async function signedIn(who, options) {
  const page = await openPage(browser, options);
  await page.goto(at('/signin'));
  await page.getByLabel('E-mail address').fill(who.email);
  await page.getByLabel('Password').fill(who.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((url) => url.pathname !== '/signin');
  return page;
}

/** Runs in the page. Returns descriptions of elements that are too wide, too small, covered, or outside the screen. */
function layoutErrors() {
  const found = [];
  const name = (element) => `${element.tagName.toLowerCase()}.${element.className} ${element.textContent.trim().slice(0, 40)}`;
  const wide = document.documentElement.scrollWidth;
  if (wide > innerWidth) found.push(`scrolls sideways: ${wide} > ${innerWidth}`);
  for (const part of document.querySelectorAll('.client main, .scroll, .side, #messages, .menu-list')) {
    if (part.scrollWidth > part.clientWidth + 1) found.push(`scrolls sideways: ${name(part)}: ${part.scrollWidth} > ${part.clientWidth}`);
  }
  const isShown = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  for (const control of [...document.querySelectorAll('button, summary, select, input:not([type=hidden]), .button, nav a')].filter(isShown)) {
    const box = control.getBoundingClientRect();
    const label = control.closest('label')?.getBoundingClientRect() ?? box;
    if (Math.max(box.width, label.width) < 24 || Math.max(box.height, label.height) < 24) {
      found.push(`smaller than 24 pixels: ${name(control)} ${Math.round(box.width)}×${Math.round(box.height)}`);
    }
  }
  // elements that extend past the left or right edge of the screen
  for (const element of [...document.querySelectorAll('main *, header *')].filter(isShown)) {
    const box = element.getBoundingClientRect();
    const isClipped = element.closest('.only-read, .tabs, .places, .topic, .quote, .file-name, nav ul, pre, table');
    if (box.width && !isClipped && (box.right > innerWidth + 1 || box.left < -1)) found.push(`outside of the screen: ${name(element)}`);
  }
  const composer = document.getElementById('composer');
  if (composer) {
    const box = composer.getBoundingClientRect();
    if (box.bottom > innerHeight + 1 || box.height > innerHeight / 2) found.push(`the composer is too tall or below the screen: ${Math.round(box.top)} to ${Math.round(box.bottom)}`);
    for (const [x, y] of [[box.left + 30, box.top + 24], [box.right - 40, box.bottom - 30], [box.left + box.width / 2, box.top + 30]]) {
      const top = document.elementFromPoint(x, y);
      if (!composer.contains(top)) found.push(`an element covers the composer: ${top && name(top)}`);
    }
    const log = document.querySelector('.scroll').getBoundingClientRect();
    if (log.height < innerHeight / 5) found.push(`only ${Math.round(log.height)} pixels are left for messages`);
    if (log.bottom > box.top + 1) found.push('messages overlap the composer');
  }
  return found;
}

async function problems(page, rules) {
  const { violations } = await page.evaluate((runOnly) => globalThis.axe.run(document, { runOnly }), rules);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}

/** Checks the open page in every entry of `screens`. Returns the layout errors and the violated rules. */
async function checkPage(page, name) {
  const found = [];
  await page.addScriptTag({ content: axe });
  for (const [look, { size, colorScheme, rules }] of Object.entries(screens)) {
    await page.setViewportSize(size);
    // reduced motion disables the transitions from the colors of one scheme to those of the next
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // the page adapts to a new size in its next frame
    await page.evaluate(() => new Promise((resolve) => { requestAnimationFrame(() => requestAnimationFrame(resolve)); }));
    await screenshot(page, `extremes-${name}-${look}`);
    for (const problem of [...await page.evaluate(layoutErrors), ...await problems(page, rules)]) found.push(`${name} (${look}) ${problem}`);
  }
  return found;
}

/** Opens pages as a person, and checks each with `checkPage`. Asserts that each has this status and no problems. */
async function inspect(who, pages, status = 200) {
  // the pages' content security policy would block the script of axe-core
  const page = await signedIn(who, { bypassCSP: true });
  page.errors.length = 0;
  const found = [];
  for (const [name, path] of Object.entries(pages)) {
    await page.setViewportSize(screens.light.size);
    const response = await page.goto(at(path));
    assert.equal(response.status(), status, path);
    found.push(...await checkPage(page, name));
  }
  // the browser logs an error for the status of an error page
  found.push(...page.errors.filter((error) => status === 200 || !/status of 4\d\d/.test(error)));
  await page.context().close();
  assert.deepEqual(found, []);
}

test('conversations with many files and blocks, and with long texts and names, fit the screen and are accessible', async () => {
  await inspect(made.me, {
    files: `/c/${made.files}`,
    texts: `/c/${made.texts}`,
    blocks: `/c/${made.blocks}`,
    everybody: `/c/${made.many}?before=${await middleOf(made.many)}`,
    'long-names': `/c/${made.long}`,
    arabic: `/c/${made.arabic}`,
    'nothing-yet': `/c/${made.empty}`,
  });
});

/**
 * Returns the id of a message in the middle of a conversation. The page of the messages before this message does not
 * end with the newest message. So opening that page marks nothing as read.
 */
async function middleOf(where) {
  const { messages } = await admin('GET', `/conversations/${where}/messages?limit=60`);
  return messages.at(-1).id;
}

test('the HTML of a conversation has less than 100 kB with many files, long texts, blocks or many messages', async () => {
  const page = await signedIn(made.me);
  for (const where of [made.files, made.texts, made.blocks, made.many]) {
    const text = await (await page.goto(at(`/c/${where}`))).text();
    assert.ok(Buffer.byteLength(text) < 100_000, `the HTML of /c/${where} has less than 100 kB, not ${Buffer.byteLength(text)} bytes`);
  }
  await page.context().close();
});

test('lists, people, drafts and search with many, long and mixed entries fit the screen and are accessible', async () => {
  await inspect(made.me, {
    list: '/conversations',
    open: '/conversations?show=open',
    people: '/people',
    'people-found': '/people?q=wolf',
    profile: `/people/${made.people[1]}`,
    'profile-arabic': `/people/${made.people[2]}`,
    'new-group': '/conversations/new',
    'new-channel': '/conversations/new?kind=channel',
    search: '/search?q=line',
    'search-arabic': `/search?q=${encodeURIComponent('مرحبا')}`,
    drafts: '/drafts',
    draft: `/drafts/${made.draft}`,
    connections: '/settings/connections',
    activity: '/settings/activity',
    privacy: '/settings/privacy',
  });
});

test('the newest message stays in view when the window changes its size', async () => {
  const page = await signedIn(made.me, { viewport: screens.light.size });
  await page.goto(at(`/c/${made.texts}`));
  for (const size of [screens.phone.size, { width: 740, height: 360 }, screens.light.size]) {
    await page.setViewportSize(size);
    await page.waitForFunction(() => {
      const last = document.querySelector('#messages article:last-of-type').getBoundingClientRect();
      return last.bottom <= document.getElementById('composer').getBoundingClientRect().top + 1;
    });
  }
  await page.context().close();
});

test('in a window of little height, some lines of messages stay visible, and the composer can be scrolled to', async () => {
  const page = await signedIn(made.me);
  const send = page.getByRole('button', { name: 'Send' });
  // a screen of 1280 by 1024 pixels at a zoom of 400 %, and a window that fills half of a laptop's screen
  for (const size of [{ width: 320, height: 256 }, { width: 1366, height: 325 }]) {
    await page.setViewportSize(size);
    for (const where of [made.texts, made.files]) {
      const what = `${size.width} by ${size.height}: ${where}`;
      await page.goto(at(`/c/${where}`));
      const height = await page.locator('.scroll').evaluate((part) => part.clientHeight);
      assert.ok(height >= 150, `${what}: at least 150 pixels are left for messages, not ${height}`);
      // `scrollIntoViewIfNeeded` below also scrolls a part that people cannot scroll, so `overflow-y` is checked first
      const cut = await page.locator('main').evaluate((main) => (
        main.scrollHeight > main.clientHeight && getComputedStyle(main).overflowY === 'hidden'));
      assert.equal(cut, false, `${what}: people can scroll to every part of the conversation`);
      await send.scrollIntoViewIfNeeded();
      assert.ok(await send.evaluate((button) => {
        const box = button.getBoundingClientRect();
        const isInside = box.top >= 0 && box.bottom <= innerHeight + 1;
        return isInside && button.contains(document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2));
      }), `${what}: Send is inside the window, and nothing covers it`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= size.width, `${what}: the page does not scroll sideways`);
    }
  }
  await page.context().close();
});

test('pages without content fit the screen and are accessible', async () => {
  await inspect(made.nobody, {
    'empty-start': '/start',
    'empty-list': '/conversations',
    'empty-open': '/conversations?show=open',
    'empty-archived': '/conversations?show=archived',
    'empty-people': '/people?q=nobody-has-this-name',
    'empty-new': '/conversations/new',
    'empty-search': '/search',
    'empty-search-nothing': `/search?q=${'unfindable'.repeat(15)}`,
    'empty-drafts': '/drafts',
    'empty-connections': '/settings/connections',
    'empty-activity': '/settings/activity',
    'empty-privacy': '/settings/privacy',
  });
});

test('error pages fit the screen and are accessible', async () => {
  await inspect(made.nobody, {
    'error-conversation': `/c/${made.files}`,
    'error-person': '/people/usr_0000000000001',
    'error-draft': '/drafts/drf_0000000000001',
    'error-path': '/settings/nowhere',
  }, 404);
});

test('two hundred chosen files, a text that is too long, and a menu leave the composer usable', async () => {
  const page = await signedIn(made.me, { bypassCSP: true });
  await page.goto(at(`/c/${made.texts}`));
  const files = Array.from({ length: 200 }, (_, n) => ({ name: n === 7 ? `${longWord}${longWord}.txt` : `file ${n}.txt`, mimeType: 'text/plain', buffer: Buffer.from('x') }));
  await page.getByLabel('Files').setInputFiles(files);
  await page.getByRole('button', { name: 'Remove file 199.txt' }).waitFor();
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill('A line\n'.repeat(700));
  const found = await checkPage(page, 'composer');
  await page.locator('.menu > summary').click();
  found.push(...await checkPage(page, 'menu'));
  assert.deepEqual(found, []);
  await page.context().close();
});
