// The script of the sandbox console. Once a second it refreshes the part of the page that changes (`#live`). It also
// copies values to the clipboard, and updates the `curl` command while the person fills in the form. Without this
// script, all pages of the console still work, with links and forms alone.
(() => {
  'use strict';
  const byId = (id) => document.getElementById(id);

  // on a phone the navigation is wider than the screen and scrolls, so the script scrolls to the link of this page
  document.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });

  // ---- copying ----
  const showStatus = (button, text) => {
    const before = button.dataset.name ?? (button.dataset.name = button.textContent);
    button.textContent = text;
    setTimeout(() => { button.textContent = before; }, 1500);
  };
  for (const button of document.querySelectorAll('[data-copy]')) {
    button.hidden = false;
    button.addEventListener('click', async () => {
      const source = byId(button.dataset.copy);
      try {
        await navigator.clipboard.writeText(source.value ?? source.textContent);
        showStatus(button, 'Copied');
      } catch {
        // If the browser forbids scripts to copy, the script selects the value. Then the person can copy it with the
        // keyboard.
        getSelection().selectAllChildren(source);
        showStatus(button, 'Selected');
      }
    });
  }

  // ---- the curl command, which shows what the form would send ----
  const sample = byId('sample');
  if (sample) {
    let asked = 0;
    const form = byId(sample.dataset.form);
    form.addEventListener('input', async () => {
      const mine = ++asked;
      const values = new URLSearchParams(new FormData(form));
      // A typed token is a secret, so the request for the command does not contain it. The script inserts it into the
      // returned command.
      const token = (values.get('token') ?? '').trim();
      values.delete('token');
      const csrf = values.get('csrf');
      values.delete('csrf');
      // if the values are too long for an address, they are posted; a POST needs the CSRF token
      const isLong = String(values).length > 8000;
      const address = `/console/conversations/curl${isLong ? '' : `?${values}`}`;
      if (isLong) values.set('csrf', csrf);
      // Without a session, the server redirects to the sign-in page. The redirect is not followed, so that the HTML of
      // the sign-in page is not shown as the command.
      const options = { redirect: 'manual', ...(isLong && { method: 'POST', body: values }) };
      const answer = await fetch(address, options).catch(() => null);
      if (!answer?.ok || mine !== asked) return;
      const line = await answer.text();
      const quoted = token.replaceAll("'", "'\\''");
      sample.textContent = token ? line.replace(/(Authorization: Bearer )[^']*/, (_, name) => name + quoted) : line;
    });
  }

  // ---- the part of the page that changes ----
  const live = byId('live');
  if (!live) return;
  const pause = byId('live-pause');
  let paused = false;
  if (pause) {
    byId('live-state').hidden = false;
    pause.addEventListener('click', () => {
      paused = !paused;
      pause.setAttribute('aria-pressed', String(paused));
      byId('live-state').classList.toggle('paused', paused);
      byId('live-text').textContent = paused ? 'Paused' : 'Live';
    });
  }
  // this part is not replaced while the person selects text in it or uses one of its fields
  const isInUse = () => {
    const selection = getSelection();
    const selects = !selection.isCollapsed && live.contains(selection.anchorNode);
    return selects || (live.contains(document.activeElement) && document.activeElement.matches('select, input'));
  };
  const refresh = async () => {
    const headers = { 'X-Console-Live': '1', 'If-None-Match': live.dataset.tag };
    const answer = await fetch(location.href, { headers });
    if (answer.redirected) return location.reload();
    if (answer.status !== 200) return;
    const html = await answer.text();
    if (paused || isInUse()) return;
    const focused = live.contains(document.activeElement) ? document.activeElement.id : '';
    const open = [...live.querySelectorAll('details[open]')].map((it) => it.id);
    live.innerHTML = html;
    live.dataset.tag = answer.headers.get('ETag');
    for (const id of open) byId(id)?.setAttribute('open', '');
    if (focused) byId(focused)?.focus({ preventScroll: true });
  };
  const follow = async () => {
    if (!paused && !document.hidden && !isInUse()) await refresh().catch(() => {});
    setTimeout(follow, 1000);
  };
  setTimeout(follow, 1000);
})();
