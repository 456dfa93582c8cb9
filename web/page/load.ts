// Starts the page. Its style and its scripts are compressed in an element, as web/page/bundle.mjs puts them there. The
// policy of the page has their checksums, as that of this script, and allows no other. What it adds is removed again
// or, in a page that the browser has saved, replaced: such a page starts like the file that it was.

import { bytesOf } from './letters.js';

declare global {
  /** What engine/page.ts exports: its script makes it. */
  var neutreekoEngine: typeof import('../engine/page.js');
}

/** The bytes of an element. */
const bytesIn = (id: string) => bytesOf(document.getElementById(id)?.textContent ?? '');

/** Has a script run, which is not needed in the page then. */
function run(properties: Partial<HTMLScriptElement>) {
  const script = Object.assign(document.createElement('script'), properties);
  document.head.append(script);
  script.remove();
}

async function start() {
  globalThis.hasBegun = true;
  // Without a Blob, whose bytes would come from another process.
  const { writable, readable } = new DecompressionStream('deflate');
  const writer = writable.getWriter();
  // Errors arrive at the reader, too.
  writer.write(bytesIn('neutreeko-page')).catch(() => {});
  writer.close().catch(() => {});
  const [style, engine, page] = (await new Response(readable).text()).split('\0');
  document.getElementById('style')?.remove();
  document.head.append(Object.assign(document.createElement('style'), { id: 'style', textContent: style }));
  run({ textContent: engine });
  // The browser compiles the module while it reads the program of the page, in another task.
  globalThis.neutreekoEngine.load(bytesIn, engine, location.hash);
  await new Promise((resolve) => setTimeout(resolve));
  run({ type: 'module', textContent: page });
}

// A browser without what the page needs shows why: see first.ts.
if (!document.querySelector('.failure.now'))
  start().catch((error) => {
    console.error(error);
    globalThis.showDamage();
  });
