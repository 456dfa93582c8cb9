// Takes pictures of every view and dialog of the page in 8 sizes, in both themes and languages, with 3 sizes of text,
// and writes a sheet of the views for each of these, to look at.
// Usage: sheets.mjs PAGE DIRECTORY, with the environment of browser.mjs. scripts/docs pictures calls it.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { everywhere, launch, newPage, resize } from './browser.mjs';

const SIZES = '320x568 390x844 768x1024 568x320 844x390 1024x768 1366x768 1920x1080'.split(' ');
const THEMES = ['light', 'dark'];
const LANGUAGES = ['en', 'ja'];
const TEXTS = [16, 24, 32]; // pixels
const WIDTH = 2000; // of a sheet

const [path, directory] = process.argv.slice(2);
const url = pathToFileURL(path).href;

/** The pictures of a page by size and view, as data. */
async function take(page) {
  const session = await page.context().newCDPSession(page);
  const pictures = Object.fromEntries(SIZES.map((size) => [size, {}]));
  await page.goto(url);
  await page.waitForSelector('#app:not([hidden]) main:not([aria-busy]) #headline');
  await page.keyboard.press('Escape');
  await everywhere(page, async (what) => {
    for (const size of SIZES) {
      await resize(session, size);
      const { data } = await session.send('Page.captureScreenshot', { format: 'jpeg', quality: 80 });
      pictures[size][what] = data;
    }
  });
  return pictures;
}

/** Writes the pictures of the views in a size on one sheet, which is a page of the browser too. */
async function writeSheet(browser, name, size, views) {
  const across = Math.floor(WIDTH / (Number(size.split('x')[0]) > 600 ? 480 : 240));
  const pictures = Object.entries(views).map(([what, data]) =>
    `<div><img src="data:image/jpeg;base64,${data}">${what}</div>`);
  const page = await newPage(browser, { viewport: { width: WIDTH, height: 800 } });
  await page.setContent(`<!doctype html><style>
    body { columns: ${across} }
    div { break-inside: avoid }
    img { width: 100% }
  </style>${pictures.join('')}`);
  writeFileSync(join(directory, `${name}-${size}.jpg`), await page.screenshot({ fullPage: true, type: 'jpeg' }));
  await page.context().close();
}

for (const text of TEXTS) {
  const browser = await launch({ args: [`--blink-settings=defaultFontSize=${text}`] });
  for (const colorScheme of THEMES)
    for (const locale of LANGUAGES) {
      const page = await newPage(browser, { locale, colorScheme, reducedMotion: 'reduce' });
      await page.addInitScript(() => (localStorage.neutreeko ??= '{"met": true}'));
      const pictures = await take(page);
      await page.context().close();
      const name = `${text}-${colorScheme}-${locale}`;
      for (const [size, views] of Object.entries(pictures)) await writeSheet(browser, name, size, views);
      console.log(name);
    }
  await browser.close();
}
