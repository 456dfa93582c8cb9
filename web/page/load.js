// Starts the page. Its scripts are compressed in elements, as web/page/bundle.mjs puts them there. The policy of the
// page has their checksums, as that of this script, and allows no other.

import { bytesOf } from '../engine/letters.js';

// All that the page needs is in Chrome 123, Edge 123, Firefox 120 and Safari 17.5, the first ones with light-dark().
const isSupported = [
  CSS.supports('color', 'light-dark(#000, #fff)'), // without it the page has no colours
  ...['DecompressionStream', 'WebAssembly'].map((name) => name in globalThis),
  ...['findLast', 'toSpliced', 'with'].map((name) => name in Array.prototype),
].every(Boolean);

/** The text that is compressed in an element. @param {string} id */
async function unpacked(id) {
  // Without a Blob, whose bytes would come from another process.
  const { writable, readable } = new DecompressionStream('deflate');
  const writer = writable.getWriter();
  // Errors arrive at the reader, too.
  writer.write(bytesOf(document.getElementById(id)?.textContent ?? '')).catch(() => {});
  writer.close().catch(() => {});
  return new Response(readable).text();
}

if (isSupported) {
  const [engine, page] = await Promise.all(['neutreeko-engine', 'neutreeko-page'].map(unpacked));
  /** @param {Partial<HTMLScriptElement>} properties */
  const start = (properties) => document.head.append(Object.assign(document.createElement('script'), properties));
  start({ id: 'engine', textContent: engine });
  start({ type: 'module', textContent: page });
} else document.getElementById('failure')?.classList.add('now');
