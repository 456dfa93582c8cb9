// Tests of web/bundle.py, which bundles a page, its style and its modules.
// From the environment: PYTHON, NEUTREEKO_WASM and NEUTREEKO_TABLE, whose bytes the page must contain unchanged.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { inflateSync } from 'node:zlib';

const { PYTHON, NEUTREEKO_WASM, NEUTREEKO_TABLE } = process.env;
const program = fileURLToPath(new URL('../../web/bundle.py', import.meta.url));

const sound = {
  'index.html': `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>t</title>
<link rel="stylesheet" href="style.css"></head><body><script type="module" src="main.js"></script></body></html>\n`,
  'style.css': 'body { color: red }\n',
  'main.js': `import { a, bOf } from './a.js';
import {
  c,
} from './c.js';
const hidden = 'main';
console.log(JSON.stringify([a, bOf(2), c().name, await Promise.resolve(hidden)]));\n`,
  'a.js':
    "import { B } from './b.js';\nconst hidden = 1;\nexport const a = hidden;\nexport function bOf(n) {\n  return new B(n).n;\n}\n",
  'b.js': 'const hidden = 10;\nexport class B {\n  constructor(n) {\n    this.n = n * hidden;\n  }\n}\n',
  'c.js': "import { B } from './b.js';\nexport const c = () => B;\nexport async function later() {}\n",
};

// Bundles the files. Returns the page or the error message.
function bundle(files) {
  const folder = mkdtempSync(join(tmpdir(), 'neutreeko-bundle-'));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const output = join(folder, 'out.html');
    const depfile = join(folder, 'out.d');
    const args = [
      program,
      '--page',
      join(folder, 'index.html'),
      '--wasm',
      NEUTREEKO_WASM,
      '--table',
      NEUTREEKO_TABLE,
      '--output',
      output,
      '--depfile',
      depfile,
    ];
    const { status, stderr } = spawnSync(PYTHON, args, { encoding: 'utf8' });
    if (status) return { error: stderr };
    const page = readFileSync(output, 'utf8');
    const [, script] = page.match(/<script type="module">([^]*?)<\/script>/);
    writeFileSync(join(folder, 'out.mjs'), script);
    const run = spawnSync(process.execPath, [join(folder, 'out.mjs')], { encoding: 'utf8' });
    return {
      page,
      script,
      printed: run.stdout + run.stderr,
      depends: readFileSync(depfile, 'utf8').replaceAll(`${folder}/`, ''),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('modules work as one script and keep their private names', () => {
  assert.equal(bundle(sound).printed, '[1,20,"B","main"]\n');
});

test('the policy allows only the script and the style', () => {
  const { page, script } = bundle(sound);
  const [, style] = page.match(/<style>([^]*?)<\/style>/);
  const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const policy =
    "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; " +
    `script-src 'wasm-unsafe-eval' ${hash(script)}; style-src ${hash(style)}`;
  assert.ok(page.includes(`<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="${policy}">`));
  assert.equal(style, `\n${sound['style.css']}`);
  assert.doesNotMatch(page, /\ssrc=|href=/);
});

test('the page contains the module and the table unchanged', () => {
  const { page } = bundle(sound);
  const content = (id) =>
    Buffer.from(page.match(new RegExp(`<script type="text/plain" id="${id}">([^<]*)</script>`))[1], 'base64');
  assert.ok(inflateSync(content('neutreeko-wasm')).equals(readFileSync(NEUTREEKO_WASM)));
  assert.ok(content('neutreeko-table').equals(readFileSync(NEUTREEKO_TABLE)));
});

test('the depfile lists every file that was read', () => {
  const { depends } = bundle(sound);
  assert.deepEqual(
    depends.trim().split(' ').sort(),
    ['out.html:', ...Object.keys(sound), NEUTREEKO_WASM, NEUTREEKO_TABLE].sort(),
  );
});

test('unsupported input is rejected', () => {
  const rejected = {
    'a.js imports itself': { 'b.js': "import { a } from './a.js';\nexport const B = 1;\n" },
    'cannot bundle "import x from': { 'b.js': "import x from './c.js';\nexport const B = 1;\n" },
    'cannot bundle "export default': { 'b.js': 'export default 1;\n' },
    'cannot bundle "export let': { 'b.js': 'export let B = 1;\n' },
    'cannot bundle "import * as': { 'main.js': "import * as a from './a.js';\n" },
    'none.js': { 'main.js': "import { a } from './none.js';\n" },
    'main.js contains "</script"': { 'main.js': "console.log('</script>');\n" },
    'style.css contains': { 'style.css': '/* </style> */\n' },
    'index.html: found 0 times': { 'index.html': sound['index.html'].replace('<link', '<a') },
    'index.html: found 2 times': {
      'index.html': sound['index.html'].replace('<meta', '<meta charset="utf-8"><meta'),
    },
  };
  for (const [complaint, files] of Object.entries(rejected)) {
    const { error } = bundle({ ...sound, ...files });
    assert.ok(error?.startsWith('bundle.py: ') && error.includes(complaint), `${complaint}: ${error}`);
  }
});
