// Takes the screenshot of the page in docs/images: node pictures.mjs PAGE DIRECTORY.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { launch } from '../../tests/web/browser.mjs';

const [, , html, images] = process.argv;
const browser = await launch();
const viewport = { width: 1280, height: 860 };
const page = await browser.newPage({ viewport, colorScheme: 'light', locale: 'en-US', reducedMotion: 'reduce' });
await page.addInitScript(() => { localStorage.neutreeko = JSON.stringify({ met: true }); });
await page.goto(`${pathToFileURL(html).href}#view=explore&moves=b1c1.c2e2.d1e1.d5d1`);
await page.waitForSelector('#app:not([hidden]) main:not([aria-busy]) #headline');
if (await page.isVisible('#notice:not([hidden])')) throw new Error('the page rejects the address');
await page.mouse.move(0, 0);
await page.screenshot({ path: join(images, 'explore-light-desktop.png') });
await browser.close();
