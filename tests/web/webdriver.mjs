// A page in WebKitGTK's MiniBrowser, by its WebDriver, with as much of Playwright's interface as the tests of several
// browsers need. Its windows are private. Needs Xvfb, on which the browser draws.

import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'; // how the protocol names elements
const KEYS = {
  Enter: '\uE007', Escape: '\uE00C', Home: '\uE011', End: '\uE010', Tab: '\uE004',
  ArrowLeft: '\uE012', ArrowRight: '\uE014',
};
const BEGINNING = 60000; // milliseconds that the programs have to begin

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** The browser, which Debian has in a directory for the machine and one for the version. */
function findBrowser() {
  for (const machine of readdirSync('/usr/lib').filter((name) => name.includes('-linux-')))
    for (const version of readdirSync(join('/usr/lib', machine)).filter((name) => name.startsWith('webkit2gtk-4')))
      if (readdirSync(join('/usr/lib', machine, version)).includes('MiniBrowser'))
        return join('/usr/lib', machine, version, 'MiniBrowser');
  throw new Error('there is no MiniBrowser: the package webkit2gtk-driver has it');
}

/** Starts a screen. Returns its process and its name. */
async function startScreen() {
  const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1400x1000x24'],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const number = await new Promise((resolve, reject) => {
    screen.on('error', reject);
    screen.stdio[3].once('data', resolve);
  });
  return { screen, display: `:${String(number).trim()}` };
}

/** Opens a window. */
export async function openWebKit() {
  const { screen, display } = await startScreen();
  const port = await freePort();
  // Without compositing, the browser does not use the OpenGL of Mesa, which at times crashes on a screen like this.
  const driver = spawn('WebKitWebDriver', [`--port=${port}`], {
    env: { ...process.env, DISPLAY: display, GDK_BACKEND: 'x11', WEBKIT_DISABLE_COMPOSITING_MODE: '1' },
    stdio: 'ignore',
  });
  const request = async (method, path, body) => {
    const options = { method, body: body && JSON.stringify(body) };
    const response = await fetch(`http://127.0.0.1:${port}${path}`, options);
    const { value } = await response.json();
    if (value?.error) throw new Error(`${value.error}: ${value.message}`);
    return value;
  };
  const stop = () => [driver, screen].map((program) => program.kill());
  try {
    for (const end = Date.now() + BEGINNING; ; await sleep(100)) {
      const status = await request('GET', '/status').catch(() => null);
      if (status?.ready) break;
      if (Date.now() > end) throw new Error('WebKitWebDriver does not begin');
    }
    const wanted = { 'webkitgtk:browserOptions': { binary: findBrowser(), args: ['--automation'] } };
    const { sessionId } = await request('POST', '/session', { capabilities: { alwaysMatch: wanted } });
    const send = (method, path, body) => request(method, `/session/${sessionId}${path}`, body);
    await send('POST', '/timeouts', { script: 600000 });
    return pageOf(send, async () => {
      await send('DELETE', '').catch(() => {});
      stop();
    });
  } catch (error) {
    stop();
    throw error;
  }
}

/** The page of a session. */
function pageOf(send, close) {
  /** Calls a function in the page, which may be asynchronous. */
  async function evaluate(task, argument) {
    const script = `const done = arguments[arguments.length - 1];
      Promise.resolve().then(() => (${task})(arguments[0])).then((value) => done({ value: value ?? null }),
        (error) => done({ failure: String(error?.stack ?? error) }));`;
    const { value, failure } = await send('POST', '/execute/async', { script, args: [argument ?? null] });
    if (failure) throw new Error(failure);
    return value; // null for undefined
  }
  const parameters = { pointerType: 'mouse' };
  const pointer = (actions) =>
    send('POST', '/actions', { actions: [{ type: 'pointer', id: 'mouse', parameters, actions }] });
  const moveTo = (x, y) => ({ type: 'pointerMove', duration: 0, x: Math.round(x), y: Math.round(y) });
  return {
    evaluate,
    close,
    waitForTimeout: sleep,
    async goto(url) {
      await send('POST', '/url', { url });
    },
    reload: () => send('POST', '/refresh', {}),
    url: () => send('GET', '/url'),
    mouse: {
      click: (x, y) =>
        pointer([moveTo(x, y), { type: 'pointerDown', button: 0 }, { type: 'pointerUp', button: 0 }]),
    },
    keyboard: {
      press(name) {
        const value = KEYS[name] ?? name;
        return send('POST', '/actions', {
          actions: [{ type: 'key', id: 'keys', actions: [{ type: 'keyDown', value }, { type: 'keyUp', value }] }],
        });
      },
    },
    async setFile(selector, path) {
      const element = await send('POST', '/element', { using: 'css selector', value: selector });
      await send('POST', `/element/${element[ELEMENT]}/value`, { text: path });
    },
  };
}
