// A TCP proxy between the browser and the server. The proxy can delay, cut and reorder requests and responses.
//
// TCP keeps the order of bytes within a connection. But the proxy can reorder requests or responses of different
// connections: it holds a request or response until the test releases it, and passes on later ones meanwhile.
import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** The maximum time in milliseconds that `until` waits. */
const TIMEOUT = 30_000;

/**
 * Waits until the condition returns a truthy value, and returns the value. Throws an error with `what` after `TIMEOUT`.
 */
export async function until(condition, what) {
  const end = Date.now() + TIMEOUT;
  for (;;) {
    const found = await condition();
    if (found) return found;
    if (Date.now() > end) throw new Error(`timed out: ${what}`);
    await pause(25);
  }
}

/** Thrown after a rule has cut the connections to the browser and to the server. */
class Cut extends Error {}

/**
 * Applies `effects` to each GET or POST request whose request line (`POST /c/C1/messages HTTP/1.1`) matches `pattern`,
 * and to its response, until `remove` is called. If a request matches several rules, the rule that was added first
 * applies.
 */
class Rule {
  #release;

  constructor(pattern, effects) {
    this.pattern = pattern;
    /** Number of requests that matched. */
    this.requests = 0;
    /** Number of matching requests for which the proxy has received the beginning of a response. */
    this.answers = 0;
    /** Number of requests whose connections the rule has cut. */
    this.cuts = 0;
    this.released = new Promise((resolve) => { this.#release = resolve; });
    this.isRemoved = false;
    this.effects = effects;
  }

  /**
   * Stops matching new requests. The rule continues to apply to the requests that it has matched before: held requests
   * and responses continue to wait for `release`.
   */
  remove() { this.isRemoved = true; }

  /** Passes on the held requests and responses, and removes the rule. */
  release() {
    this.remove();
    this.#release();
  }

  requested(number = 1) { return until(() => this.requests >= number, `request ${number} of ${this.pattern}`); }

  answered(number = 1) { return until(() => this.answers >= number, `answer ${number} to ${this.pattern}`); }

  cut(number = 1) { return until(() => this.cuts >= number, `cut ${number} of ${this.pattern}`); }
}

/** Starts the proxy. `target` is the port of the server, which may start later. */
export async function startProxy(target) {
  const rules = [];
  const links = new Set();

  const accept = (client) => {
    const server = net.connect({ port: target, host: '127.0.0.1', allowHalfOpen: true });
    const link = { client, server, isFrozen: false, rule: null, line: '', sent: 0, received: 0, found: '' };
    links.add(link);
    const cut = (how = 'reset') => {
      for (const socket of [client, server]) {
        if (how === 'reset') socket.resetAndDestroy();
        else socket.destroy();
      }
    };
    link.cut = cut;
    // Passes on `data`, which follows the first `before` bytes of a request or a response. Cuts the connections after
    // the first `after` bytes of the request or response, or in the middle of the text `inside`.
    const pass = async (to, data, before, { after, inside }, how) => {
      let end = after === undefined ? Infinity : after - before;
      if (inside !== undefined) {
        link.found = (link.found + data.toString('latin1')).slice(-65_536);
        const at = link.found.indexOf(Buffer.from(inside).toString('latin1'));
        if (at >= 0) end = Math.max(0, data.length - (link.found.length - at) + Math.floor(inside.length / 2));
      }
      const rest = data.subarray(0, Math.max(0, end));
      if (rest.length && !to.write(rest)) await once(to, 'drain');
      if (end > data.length) return;
      link.rule.cuts += 1;
      // a reset discards bytes that have not yet been written to the socket
      await new Promise((resolve) => { to.write('', resolve); });
      cut(how);
      throw new Cut();
    };
    const pump = async (from, to, each) => {
      try {
        for await (const data of from) {
          if (!link.isFrozen) await each(data);
        }
      } catch {
        // a rule or one of the two sides has cut the connection
      }
      if (link.isFrozen) return;
      // The server cancels a request when its connection ends. A held request must be handled even if the browser no
      // longer waits for the response. So the end of the connection is passed on only after the response has begun.
      if (from === client && link.rule?.effects.request === 'hold') {
        await until(() => link.received || server.destroyed, 'a response to a held request');
      }
      to.end();
    };
    const request = async (data) => {
      const line = /^(?:GET|POST) \S+ HTTP\/1\.1/.exec(data.toString('latin1', 0, 2_000))?.[0];
      if (line) {
        link.rule = rules.find(({ isRemoved, pattern }) => !isRemoved && pattern.test(line)) ?? null;
        Object.assign(link, { line, sent: 0, received: 0, found: '' });
        if (link.rule) link.rule.requests += 1;
      }
      // removes `accept-encoding`, because a compressed response could not be cut in the middle of a text
      const passed = line ? Buffer.from(data.toString('latin1').replace(/\r\naccept-encoding: [^\r]*/i, ''), 'latin1') : data;
      const { rule } = link;
      const effects = rule?.effects;
      if (effects?.request === 'hold') await rule.released;
      if (effects?.delay) await pause(effects.delay);
      const before = link.sent;
      link.sent += passed.length;
      await pass(server, passed, before, { after: effects?.cutRequestAfter }, effects?.by);
    };
    const response = async (data) => {
      const { rule } = link;
      const effects = rule?.effects;
      const before = link.received;
      link.received += data.length;
      if (rule && before === 0) rule.answers += 1;
      const hold = effects?.response === 'hold' ? effects.holdAfter ?? 0 : Infinity;
      if (link.received > hold) {
        const first = data.subarray(0, Math.max(0, hold - before));
        await pass(client, first, before, {});
        await rule.released;
        if (!link.isFrozen) await pass(client, data.subarray(first.length), before + first.length, {});
        return;
      }
      if (effects?.delay) await pause(effects.delay);
      await pass(client, data, before, { after: effects?.cutResponseAfter, inside: effects?.cutInside }, effects?.by);
    };
    // `pump` fails if no response to a held request arrives in time; the test then fails as well
    pump(client, server, request).catch(() => cut());
    pump(server, client, response).catch(() => cut());
    for (const socket of [client, server]) {
      socket.setNoDelay(true);
      socket.on('error', () => {});
      socket.on('close', () => {
        if (client.destroyed && server.destroyed) links.delete(link);
      });
    }
  };

  const listener = net.createServer({ allowHalfOpen: true }, accept);
  const listen = (port) => new Promise((resolve, reject) => {
    listener.once('error', reject);
    listener.listen(port, '127.0.0.1', resolve);
  });
  await listen(0);
  const { port } = listener.address();

  const cutAll = (how) => { for (const link of links) link.cut(how); };
  const proxy = {
    port,
    /**
     * Adds a rule. Without `effects`, the rule only counts requests and responses.
     * - `request: 'hold'`: the request waits for `release`
     * - `response: 'hold'`, `holdAfter`: the response waits for `release` after `holdAfter` bytes (0 by default)
     * - `delay`: the time in milliseconds by which each chunk is delayed, in both directions
     * - `cutRequestAfter`, `cutResponseAfter`: the connections are cut after this number of bytes; 0 passes nothing on
     * - `cutInside`: a text of the response, in the middle of which the connections are cut
     * - `by`: how connections are cut: `reset` (RST, the default) or `end` (FIN)
     */
    rule(pattern, effects = {}) {
      const rule = new Rule(pattern, effects);
      rules.push(rule);
      return rule;
    },
    /** Cuts all connections, and refuses new connections until `accept` is called. */
    async refuse() {
      const closed = new Promise((resolve) => { listener.close(resolve); });
      cutAll();
      await closed;
    },
    accept: () => listen(port),
    /** For all connections that are open now, stops passing on data and the end of the connection. */
    freeze() { for (const link of links) link.isFrozen = true; },
    /** Cuts the connections whose last request matches `pattern`. */
    cut(pattern) { for (const link of links) if (pattern.test(link.line)) link.cut(); },
    /** Removes all rules, and cuts all connections. */
    reset() {
      for (const rule of rules) rule.release();
      rules.length = 0;
      cutAll();
    },
    async close() {
      const closed = new Promise((resolve) => { listener.close(resolve); });
      cutAll();
      await closed;
    },
  };
  return proxy;
}
