// Starts a driver and communicates with it. A driver is a script in drivers/ that wraps a third-party MCP client. Each
// request and each response is one line of JSON.
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const drivers = path.join(path.dirname(fileURLToPath(import.meta.url)), 'drivers');
/** Python with the packages of ../requirements.txt. */
const python = process.env.PYTHON;
/** The timeout of a task in milliseconds. It is long enough for a loaded machine. */
const TIMEOUT = 90_000;

/** A client under test, in a process of its own. */
export class Driver {
  #child;
  #answers;
  #stderr = '';

  /** `file` is the driver's script. The other values are described in drivers/lines.js (`settings`). */
  constructor(fixture, { file, url, mode, name, redirect, store, document = '' }) {
    mkdirSync(store, { recursive: true });
    const env = {
      ...process.env,
      MCP_URL: url,
      MCP_MODE: mode,
      CLIENT_NAME: name,
      METADATA_DOCUMENT: document,
      REDIRECT_URI: redirect,
      STORE: store,
      DESK: fixture.desk.url,
      SWITCHBOARD_BASE: fixture.server.base,
      // the format of Python's `webbrowser`: %s is the URL; because of the &, Python does not wait for the program
      BROWSER: `${process.execPath} ${path.join(drivers, 'browser.js')} %s &`,
      PYTHONDONTWRITEBYTECODE: '1',
      NO_PROXY: '127.0.0.1',
      no_proxy: '127.0.0.1',
    };
    const script = path.join(drivers, file);
    const [command, ...args] = file.endsWith('.py') ? [python, '-W', 'ignore', script] : [process.execPath, script];
    this.#child = spawn(command, args, { env, stdio: 'pipe' });
    this.#child.stderr.on('data', (data) => { this.#stderr += data; });
    this.#answers = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  /**
   * Runs a task of the client and returns the result. If the client reports an error, the thrown error has
   * `isClientError`.
   */
  async do(task, given = {}) {
    this.#child.stdin.write(`${JSON.stringify({ do: task, ...given })}\n`);
    let timer;
    const late = new Promise((_, reject) => { timer = setTimeout(() => reject(new Error(`${task} takes too long`)), TIMEOUT); });
    try {
      const { value, done } = await Promise.race([this.#answers.next(), late]);
      if (done) throw new Error(`the driver process ended during ${task}`);
      const { result, error } = JSON.parse(value);
      if (error) throw Object.assign(new Error(`${error.name}: ${error.message} ${error.cause}`.trim()), { isClientError: true });
      return result;
    } catch (error) {
      if (!error.isClientError) error.message += `\n${this.#stderr}`;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  call(tool, given = {}) {
    return this.do('call', { tool, arguments: given });
  }

  /** Runs a task that must fail, and returns the error of the client. */
  async failure(task, given) {
    let result;
    try {
      result = await this.do(task, given);
    } catch (error) {
      if (!error.isClientError) throw error;
      return error.message;
    }
    throw new Error(`${task} must fail, but it returned ${JSON.stringify(result)}`);
  }

  /** Closes the MCP client, and then kills the process. */
  async close() {
    await this.do('close');
    await this.end();
  }

  /** Kills the process. */
  end() {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return undefined;
    const ended = new Promise((resolve) => { this.#child.on('exit', resolve); });
    this.#child.kill('SIGKILL');
    return ended;
  }
}
