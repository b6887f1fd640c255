// Loads earlier messages above the messages that the page shows.

import { log, scroller, view } from './page.js';
import { read } from './requests.js';
import { showStatus } from './status.js';

// the timer that turns announcements by screen readers on again after earlier messages were inserted
let announceTimer;
const loadEarlier = async (link) => {
  if (link.getAttribute('aria-busy') === 'true') return;
  link.setAttribute('aria-busy', 'true');
  // screen readers announce new messages, but must not announce the older messages that are inserted here
  clearTimeout(announceTimer);
  log.setAttribute('aria-live', 'off');
  try {
    await read(link.href, (answer, code) => {
      const older = answer.querySelector('#messages');
      if (!older) throw new Error(`status ${code}`);
      const height = scroller.scrollHeight;
      // If all older messages were deleted, the fetched page has later messages instead. These are not inserted: they
      // are already shown, or do not belong above the shown messages.
      const oldest = log.querySelector('article')?.id;
      const isOlder = (child) => child.matches('article') && (!oldest || child.id < oldest);
      const children = [...older.children];
      const added = children.slice(0, children.findLastIndex(isOlder) + 1).filter((child) => child.matches('article, .day'));
      if (added.length) {
        const first = log.querySelector('.day');
        const last = added.filter((child) => child.matches('.day')).at(-1);
        if (first && last && first.dataset.day === last.dataset.day) first.remove();
        log.prepend(...added);
        scroller.scrollTop += scroller.scrollHeight - height;
      }
      const next = answer.querySelector('.page-link.earlier a');
      if (next) {
        link.href = next.href;
        link.removeAttribute('aria-busy');
      } else {
        if (link === document.activeElement) log.focus({ preventScroll: true });
        link.parentElement.remove();
      }
    });
  } catch {
    link.removeAttribute('aria-busy');
    showStatus('Earlier messages cannot be loaded now.');
  }
  // the delay gives screen readers time to process the inserted messages before announcements are on again
  announceTimer = setTimeout(() => log.removeAttribute('aria-live'), 500);
};

// Loads earlier messages when the person clicks the link above the messages, and when the person scrolls near the link.
export const startEarlier = () => {
  const earlier = view?.querySelector('.page-link.earlier a');
  if (earlier) {
    earlier.addEventListener('click', (event) => {
      event.preventDefault();
      loadEarlier(earlier);
    });
    scroller.addEventListener('scroll', () => {
      if (scroller.scrollTop < 200 && earlier.isConnected) loadEarlier(earlier);
    }, { passive: true });
  }
};
