// Makes a directory for any static web server from the page: installable, and offline after the first visit.
//
// Usage: node site.mjs PAGE DIRECTORY [URL], where URL is the address of the directory, for previews of links.

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';

const [page, directory, url = ''] = process.argv.slice(2);
const base = url && !url.endsWith('/') ? `${url}/` : url;

// ---- pictures ----

function crc32(bytes) {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

/** A PNG in which `colourAt(x, y)` is [red, green, blue]; edges are smoothed by taking several samples of a pixel. */
function png(width, height, colourAt) {
  const SAMPLES = 3;
  const rows = Buffer.alloc(height * (1 + 3 * width));
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const sum = [0, 0, 0];
      for (let i = 0; i < SAMPLES ** 2; i++) {
        const colour = colourAt(x + ((i % SAMPLES) + 0.5) / SAMPLES, y + (Math.floor(i / SAMPLES) + 0.5) / SAMPLES);
        for (let c = 0; c < 3; c++) sum[c] += colour[c];
      }
      for (let c = 0; c < 3; c++) rows[y * (1 + 3 * width) + 1 + 3 * x + c] = sum[c] / SAMPLES ** 2;
    }
  const chunk = (name, data) => {
    const body = Buffer.concat([Buffer.from(name), data]);
    const framed = Buffer.alloc(body.length + 8);
    framed.writeUInt32BE(data.length);
    body.copy(framed, 4);
    framed.writeUInt32BE(crc32(body), body.length + 4);
    return framed;
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8); // eight bits, red green blue
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const near = (x, y, [cx, cy], radius) => (x - cx) ** 2 + (y - cy) ** 2 < radius ** 2;

/** Three pieces in a row; the edge is free, as icons may be cut to a circle. */
const icon = (size) =>
  png(size, size, (x, y) => {
    const pieces = [0.3, 0.5, 0.7].map((at) => [at * size, (1 - at) * size]);
    return pieces.some((centre) => near(x, y, centre, size * 0.105)) ? [244, 241, 234] : [32, 36, 43];
  });

/** The board with the start position, for previews of links. */
function preview() {
  const [side, left, top] = [112, 320, 35];
  const at = ([file, rank]) => [left + (file + 0.5) * side, top + (4.5 - rank) * side];
  const black = [[1, 0], [3, 0], [2, 3]].map(at);
  const white = [[1, 4], [3, 4], [2, 1]].map(at);
  return png(1200, 630, (x, y) => {
    if (black.some((centre) => near(x, y, centre, 40))) return [43, 45, 51];
    if (white.some((centre) => near(x, y, centre, 36))) return [255, 253, 247];
    if (white.some((centre) => near(x, y, centre, 40))) return [74, 65, 50];
    const [dx, dy] = [(x - left) / side, (y - top) / side];
    if (dx < -0.15 || dx > 5.15 || dy < -0.15 || dy > 5.15) return [239, 234, 224];
    const inside = (d) => d > 0 && d < 5 && d % 1 > 0.03 && d % 1 < 0.97;
    return inside(dx) && inside(dy) ? [241, 233, 217] : [205, 191, 165];
  });
}

// ---- the files ----

const description = 'Play Neutreeko, explore the solved game, review your games and solve puzzles.';
const head = `<link rel="manifest" href="manifest.webmanifest">
<link rel="apple-touch-icon" href="icon-192.png">
<link rel="alternate" hreflang="en" href="${base}?lang=en">
<link rel="alternate" hreflang="ja" href="${base}?lang=ja">
<link rel="alternate" hreflang="x-default" href="${base || './'}">
<meta property="og:type" content="website">
<meta property="og:title" content="Neutreeko">
<meta property="og:description" content="${description}">
<meta property="og:image" content="${base}preview.png">
<meta name="twitter:card" content="summary_large_image">
`;

const html = readFileSync(page, 'utf8')
  .replace("img-src data:; ", "img-src 'self' data:; manifest-src 'self'; ")
  .replace('worker-src blob:', "worker-src 'self' blob:")
  .replace('<title>', () => `${head}<title>`);

const [, colour] = /--page:\s*light-dark\((#\w+)/.exec(html);

const files = {
  'index.html': html,
  'icon-192.png': icon(192),
  'icon-512.png': icon(512),
  'preview.png': preview(),
  'manifest.webmanifest': JSON.stringify({
    name: 'Neutreeko',
    short_name: 'Neutreeko',
    description,
    start_url: './',
    scope: './',
    display: 'standalone',
    background_color: colour,
    theme_color: colour,
    file_handlers: [{ action: './', accept: { 'application/x-chess-pgn': ['.pgn'], 'text/plain': ['.txt'] } }],
    share_target: { action: './', method: 'GET', params: { title: 'title', text: 'text', url: 'url' } },
    icons: [192, 512].map((size) => ({
      src: `icon-${size}.png`,
      sizes: `${size}x${size}`,
      type: 'image/png',
      purpose: 'any maskable',
    })),
  }),
};

const version = createHash('sha256');
for (const content of Object.values(files)) version.update(content);

// A changed page changes this file, so that browsers fetch everything again in the background. Caches belong to all
// pages of a server: those of this site have its scope in their names. Whatever is not a file of this list is left to
// the browser.
files['sw.js'] = `const own = 'neutreeko ' + registration.scope + ' ';
const current = own + '${version.digest('hex').slice(0, 16)}';
const page = registration.scope;
const names = ['manifest.webmanifest', 'icon-192.png', 'icon-512.png'];
const files = [page, ...names.map((name) => new URL(name, page).href)];
addEventListener('install', (event) => {
  const fresh = files.map((file) => new Request(file, { cache: 'reload' }));
  event.waitUntil(caches.open(current).then((cache) => cache.addAll(fresh)).then(() => skipWaiting()));
});
addEventListener('activate', (event) => {
  const old = (names) => names.filter((name) => name.startsWith(own) && name !== current);
  event.waitUntil(caches.keys().then((names) => Promise.all(old(names).map((name) => caches.delete(name)))));
});
addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  const file = url.origin + url.pathname.replace(/\\/index\\.html$/, '/');
  if (request.method !== 'GET' || !files.includes(file)) return;
  const stored = caches.match(file, { cacheName: current }); // without creating it: another version may have deleted it
  const answer = stored.catch(() => undefined).then((found) => found ?? fetch(request));
  event.respondWith(answer);
});
`;

mkdirSync(directory, { recursive: true });
for (const [name, content] of Object.entries(files)) writeFileSync(join(directory, name), content);
