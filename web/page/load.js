// Starts the page. Its program (main.js) is compressed in the element neutreeko-page, as web/page/bundle.mjs puts it
// there. The policy of the page has the checksum of the program, as that of this script, and allows no other.

// All that the page needs is in Chrome 123, Edge 123, Firefox 120 and Safari 17.5, the first ones with light-dark().
const isSupported = [
  CSS.supports('color', 'light-dark(#000, #fff)'), // without it the page has no colours
  ...['DecompressionStream', 'WebAssembly'].map((name) => name in globalThis),
  ...['findLast', 'toSpliced', 'with'].map((name) => name in Array.prototype),
].every(Boolean);

if (isSupported) {
  const packed = atob(/** @type {HTMLElement} */ (document.getElementById('neutreeko-page')).textContent ?? '');
  const bytes = new Uint8Array(packed.length);
  for (let i = 0; i < packed.length; i++) bytes[i] = packed.charCodeAt(i); // much faster than Uint8Array.from
  const program = document.createElement('script');
  program.type = 'module';
  // Without a Blob, whose bytes would come from another process.
  const { writable, readable } = new DecompressionStream('deflate');
  const writer = writable.getWriter();
  // Errors arrive at the reader, too.
  writer.write(bytes).catch(() => {});
  writer.close().catch(() => {});
  program.textContent = await new Response(readable).text();
  document.head.append(program);
} else document.getElementById('failure')?.classList.add('now');

export {};
