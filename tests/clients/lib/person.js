// A person who uses a browser without JavaScript. The browser follows redirects on the server, stores cookies, and
// fills in forms. It stops when the server redirects to another site.
import http from 'node:http';

const unescape = (text) => text.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(code)).replaceAll('&amp;', '&');
const attribute = (element, name) => unescape(new RegExp(`\\b${name}="([^"]*)"`).exec(element)?.[1] ?? '');

/** Returns the action and the hidden fields of the page's form that posts to a path. */
function formOf(html, path) {
  for (const [, head, body] of html.matchAll(/<form ([^>]*)>(.*?)<\/form>/gs)) {
    const action = attribute(head, 'action');
    if (action.split('?')[0] !== path) continue;
    const hidden = [...body.matchAll(/<input [^>]*>/g)].map(([input]) => input).filter((input) => attribute(input, 'type') === 'hidden');
    return { action, fields: Object.fromEntries(hidden.map((input) => [attribute(input, 'name'), attribute(input, 'value')])) };
  }
  throw new Error(`no form for ${path} in ${html}`);
}

export class Person {
  constructor(base, { email, password }) {
    this.base = base;
    this.email = email;
    this.password = password;
    this.cookies = new Map();
  }

  /**
   * Opens a URL of the server. Signs in if the sign-in page is shown, and decides (`approve` or `deny`) on the consent
   * page. If the server redirects to another site, returns `{ location }`. If not, returns `{ status, text }` of the
   * last page.
   */
  async visit(url, decision = 'approve') {
    let { pathname, search, origin } = new URL(url);
    if (origin !== this.base) throw new Error(`${url} is not at ${this.base}`);
    let answer = await this.send('GET', pathname + search);
    for (let steps = 0; steps < 10; steps += 1) {
      if (answer.location !== undefined) {
        const next = new URL(answer.location, this.base);
        if (next.origin !== this.base || !/^https?:$/.test(next.protocol)) return { location: answer.location };
        ({ pathname, search } = next);
        answer = await this.send('GET', pathname + search);
      } else if (answer.status === 200 && pathname === '/signin') {
        answer = await this.post(formOf(answer.text, '/signin'), { email: this.email, password: this.password });
        if (answer.location === undefined) throw new Error(`${this.email} could not sign in: ${answer.text}`);
      } else if (answer.status === 200 && pathname === '/authorize/consent') {
        answer = await this.post(formOf(answer.text, '/authorize/consent'), { decision });
        // a response without a redirect is the last page; the empty path makes the loop return this page
        pathname = '';
      } else {
        return { status: answer.status, text: answer.text };
      }
    }
    throw new Error(`${url}: no result after 10 steps`);
  }

  post({ action, fields }, more) {
    return this.send('POST', action, new URLSearchParams({ ...fields, ...more }).toString());
  }

  send(method, where, body) {
    const headers = { 'user-agent': 'a browser', accept: 'text/html' };
    if (this.cookies.size) headers.cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    if (body !== undefined) {
      Object.assign(headers, { 'content-type': 'application/x-www-form-urlencoded', 'content-length': Buffer.byteLength(body), origin: this.base, 'sec-fetch-site': 'same-origin' });
    }
    return new Promise((resolve, reject) => {
      const request = http.request(new URL(where, this.base), { method, headers }, (response) => {
        for (const cookie of response.headers['set-cookie'] ?? []) {
          const [pair, ...attributes] = cookie.split(';');
          const at = pair.indexOf('=');
          const ends = attributes.some((text) => text.trim() === 'Max-Age=0');
          if (ends) this.cookies.delete(pair.slice(0, at));
          else this.cookies.set(pair.slice(0, at), pair.slice(at + 1));
        }
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (part) => { text += part; });
        response.on('end', () => resolve({ status: response.statusCode, location: response.headers.location, text }));
      });
      request.on('error', reject);
      request.end(body);
    });
  }
}
