// Starts the page. Its style and its scripts are compressed in an element, as web/page/bundle.mjs puts them there. The
// policy of the page has their checksums, as that of this script, and allows no other.

import { bytesOf } from './letters.js';

declare global {
  /** What engine/page.ts exports: its script makes it. */
  var neutreekoEngine: typeof import('../engine/page.js');
}

// All that the page needs is in Chrome 123, Edge 123, Firefox 120 and Safari 17.5, the first ones with light-dark().
const isSupported = [
  CSS.supports('color', 'light-dark(#000, #fff)'), // without it the page has no colours
  ...['DecompressionStream', 'WebAssembly'].map((name) => name in globalThis),
  ...['findLast', 'toSpliced', 'with'].map((name) => name in Array.prototype),
].every(Boolean);

/** The bytes of an element. */
const bytesIn = (id: string) => bytesOf(document.getElementById(id)?.textContent ?? '');

const add = (name: 'style' | 'script', properties: Partial<HTMLScriptElement>) =>
  document.head.append(Object.assign(document.createElement(name), properties));

if (isSupported) {
  // Without a Blob, whose bytes would come from another process.
  const { writable, readable } = new DecompressionStream('deflate');
  const writer = writable.getWriter();
  // Errors arrive at the reader, too.
  writer.write(bytesIn('neutreeko-page')).catch(() => {});
  writer.close().catch(() => {});
  const [style, engine, page] = (await new Response(readable).text()).split('\0');
  add('style', { textContent: style });
  add('script', { id: 'engine', textContent: engine });
  // The browser compiles the module while it reads the program of the page, in another task.
  globalThis.neutreekoEngine.load(bytesIn, location.hash);
  await new Promise((resolve) => setTimeout(resolve));
  add('script', { type: 'module', textContent: page });
} else document.getElementById('failure')?.classList.add('now');
