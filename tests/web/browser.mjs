// Launches Chromium for the tests, the measurements and the screenshots of the page.
// From the environment: NODE_MODULES (a directory with playwright-core), CHROMIUM (the browser; optional). The browser
// without windows takes half as much time.

import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const { NODE_MODULES, CHROMIUM } = process.env;

export const require = createRequire(NODE_MODULES ? join(NODE_MODULES, 'x') : import.meta.url);

const find = () =>
  execFileSync('sh', ['-c', 'command -v chromium-headless-shell || command -v chromium'], { encoding: 'utf8' }).trim();

export function launch(options) {
  return require('playwright-core').chromium.launch({
    ...options,
    executablePath: CHROMIUM || find(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
