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

const GAME = '#moves=b1c1.b5c5.c4a2';
const VIEWS = {
  play: GAME,
  'a finished game': '#moves=b1c1.b5c5.c4e2.c2e4.e2e1',
  review: `${GAME}.c5a3.a2b1&view=review`,
  puzzle: '#view=puzzle&start=b4/1w1wb/1wb2/5/5_b',
  explore: `${GAME}&view=explore`,
  'the longest win': '#view=explore&start=5/b4/1w3/w1b2/b3w_b',
  laboratory: '#view=laboratory',
  'a board that is too large': '#view=laboratory&board=8x8/5',
  editor: '#view=editor',
};

/** Opens every view and dialog of a page, which has been opened, and calls `look(what)` in each. */
export async function everywhere(page, look) {
  const [url] = page.url().split('#');
  for (const [view, hash] of Object.entries(VIEWS)) {
    await page.goto(url + hash);
    await look(view);
  }
  await page.locator('#clear').click();
  await look('editor with an error');
  for (const name of ['share', 'statistics', 'start', 'menu', 'help']) {
    await page.locator('#menu-button').click();
    if (name !== 'menu') await page.locator(`#menu-${name}`).click();
    await look(name);
    if (name !== 'help') await page.keyboard.press('Escape');
  }
  await page.locator('#show-lesson').click();
  await look('lesson');
  await page.goto(url + VIEWS.explore);
  await page.locator('[data-square=c2]').click();
  await page.locator('.value').first().hover();
  await look('a piece picked up');
}
