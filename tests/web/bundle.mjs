// Tests of web/bundle.mjs, which bundles a page, its style and its modules.
// From the environment: NODE_MODULES (a directory with esbuild), NEUTREEKO_WASM and NEUTREEKO_TABLE, whose bytes the page
// must contain unchanged.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { inflateSync } from 'node:zlib';

const { NODE_MODULES, NEUTREEKO_WASM, NEUTREEKO_TABLE } = process.env;
const program = fileURLToPath(new URL('../../web/bundle.mjs', import.meta.url));

const sound = {
  'index.html': `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>t</title>
<link rel="stylesheet" href="style.css"></head><body><script type="module" src="main.js"></script></body></html>\n`,
  'style.css': 'body { color: light-dark(red, blue) }\n',
  'main.js': "import { a } from './a.js';\nconst hidden = 'main';\nconsole.log(JSON.stringify([a, hidden]));\n",
  'worker.js': "import { a } from './a.js';\npostMessage(a);\n",
  'a.js': "const hidden = 'a </script>';\nexport const a = hidden;\n",
};

/** Bundles the files. Returns the page or the error message. */
function bundle(files) {
  const folder = mkdtempSync(join(tmpdir(), 'neutreeko-bundle-'));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const paths = ['index.html', NEUTREEKO_WASM, NEUTREEKO_TABLE, 'out.html', 'out.d'];
    const { status, stderr } = spawnSync(process.execPath, [program, ...paths.map((path) => resolve(folder, path))], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, NODE_PATH: NODE_MODULES },
    });
    if (status) return { error: stderr };
    const page = readFileSync(join(folder, 'out.html'), 'utf8');
    const [, script] = page.match(/<script type="module">([\s\S]*?)<\/script>/);
    writeFileSync(join(folder, 'out.mjs'), script);
    const run = spawnSync(process.execPath, [join(folder, 'out.mjs')], { encoding: 'utf8' });
    return { page, script, printed: run.stdout + run.stderr, depends: readFileSync(join(folder, 'out.d'), 'utf8') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('the page contains everything unchanged, and its policy allows only the script and the style', () => {
  const { page, script, printed, depends } = bundle(sound);
  assert.equal(printed, '["a </script>","main"]\n');
  const [, style] = page.match(/<style>([\s\S]*?)<\/style>/);
  assert.match(style, /light-dark\(red,/);
  const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const policy =
    "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; " +
    `script-src 'wasm-unsafe-eval' ${hash(script)}; style-src ${hash(style)}; worker-src blob:`;
  assert.ok(page.includes(`<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="${policy}">`));
  assert.doesNotMatch(page, /\ssrc=|href=/);
  const content = (id) =>
    Buffer.from(page.match(new RegExp(`<script type="text/plain" id="${id}">([^<]*)</script>`))[1], 'base64');
  assert.ok(inflateSync(content('neutreeko-wasm')).equals(readFileSync(NEUTREEKO_WASM)));
  assert.ok(content('neutreeko-table').equals(readFileSync(NEUTREEKO_TABLE)));
  for (const name of Object.keys(sound)) assert.ok(depends.includes(name), `${name} is missing in the depfile`);
});

test('unsupported input is rejected', () => {
  const rejected = {
    'No matching export in "a.js"': { 'main.js': "import { b } from './a.js';\nconsole.log(b);\n" },
    'Could not resolve "./none.js"': { 'main.js': "import { a } from './none.js';\n" },
    'the style contains': { 'style.css': 'a::after { content: "<!--" }\n' },
    'index.html: found 0 times': { 'index.html': sound['index.html'].replace('<link', '<a') },
    'index.html: found 2 times': { 'index.html': sound['index.html'].replace('<meta', '<meta charset="utf-8"><meta') },
  };
  for (const [complaint, files] of Object.entries(rejected)) {
    const { error } = bundle({ ...sound, ...files });
    assert.ok(error?.includes(complaint), `${complaint}: ${error}`);
  }
});
