// Bundles the page, its styles and scripts and the WebAssembly module into one file.
//
// Usage: node bundle.mjs PAGE WASM NOTICES OUTPUT DEPFILE, with NODE_PATH naming the directory of esbuild, zopfli and
// the page's modules. NOTICES are the licences of what the page contains: a comment at its end. Fails if one is
// missing, or if a text is missing in a language or not used.
//
// Replaces <link rel="stylesheet" href="x.css">, <script src="x.ts"></script> and the same with type="module" in the
// page by what esbuild makes of these files: a page opened from a file may not import modules. There are four scripts:
// first.ts, which runs before the rest has arrived; what the page and its workers share (engine/page.ts), the page, and
// load.ts, which uncompresses both and style.css, and starts them. A Content-Security-Policy allows only these and both
// styles, workers that the page makes, and no requests.

import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(join(process.env.NODE_PATH, 'x'));
const { build } = require('esbuild');
// It makes fewer bytes than zlib, and the same ones with each version of Node.js.
const { zlibAsync } = require('@gfx/zopfli');

const STYLE = /<link\s+rel="stylesheet"\s+href="([^"]+)"\s*\/?>/g;
const FIRST_SCRIPT = /<script\s+src="([^"]+)"\s*><\/script>/g;
const SCRIPT = /<script\s+type="module"\s+src="([^"]+)"\s*><\/script>/g;
const ENGINE = 'neutreekoEngine'; // the global object with what engine/page.ts exports
const CHARSET = /<meta\s+charset="utf-8"\s*\/?>/gi;

/** The bundle of a file and all its imports, and the paths of all of them. Errors are printed by esbuild. */
async function bundle(path, options = {}) {
  const { outputFiles, metafile } = await build({
    entryPoints: [path],
    bundle: true,
    minify: true,
    charset: 'utf8',
    format: 'esm',
    target: 'es2022',
    nodePaths: [process.env.NODE_PATH],
    write: false,
    metafile: true,
    logLevel: 'error',
    ...options,
  });
  const text = outputFiles[0].text.replaceAll(/\n +/g, '\n'); // the indentation of templates
  return { text: `\n${text}`, paths: Object.keys(metafile.inputs).filter((path) => !path.startsWith('global:')) };
}

/** A module in TypeScript, as Node.js can import it. */
async function imported(path) {
  const { text } = await bundle(path);
  return import(`data:text/javascript;base64,${Buffer.from(text).toString('base64')}`);
}

/** Has the page use the object ENGINE for engine/page.ts. */
const sharedEngine = {
  name: 'shared engine',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\/engine\/page\.js$/ }, () => ({ path: ENGINE, namespace: 'global' }));
    onLoad({ filter: /./, namespace: 'global' }, () => ({ contents: `module.exports = ${ENGINE}` }));
  },
};

/** The checksum for the policy, of everything between the tags. */
function hashOf(text, what) {
  if (/<\/(?:script|style)|<!--/i.test(text))
    throw new Error(`${what} contains "</script", "</style" or "<!--", which would end the element`);
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

const { lettersOf } = await imported(fileURLToPath(new URL('letters.ts', import.meta.url)));

const packed = async (name, bytes) =>
  `<script type="text/plain" id="${name}">${lettersOf(await zlibAsync(bytes, { numiterations: 1 }))}</script>\n`;

/**
 * Fails unless all languages have the same texts and the page uses each: its name stands in quotes in a source, or
 * fits a template such as `error_${reason}`.
 */
async function checkTexts(paths) {
  const isTexts = (path) => basename(dirname(path)) === 'texts';
  const languages = await Promise.all(paths.filter(isTexts).map(imported));
  const lists = languages.map((language) => Object.keys(Object.values(language)[0]));
  const all = new Set(lists.flat());
  const sources = paths.filter((path) => !isTexts(path)).map((path) => readFileSync(path, 'utf8')).join('\n');
  const names = new Set([...sources.matchAll(/'([\w-]+)'/g)].map(([, name]) => name));
  const templates = [...sources.matchAll(/`(\w*)\$\{[^{}`]*\}(\w*)`/g)]
    .filter(([, ...ends]) => ends.join('').length > 2);
  const isUsed = (key) =>
    names.has(key) || templates.some(([, begin, end]) => key.startsWith(begin) && key.endsWith(end));
  const wrong = [
    ...[...all].filter((key) => lists.some((list) => !list.includes(key))).map((key) => `${key} is not in all`),
    ...[...all].filter((key) => !isUsed(key)).map((key) => `${key} is not used`),
  ];
  if (wrong.length) throw new Error(`texts/: ${wrong.join(', ')}`);
}

/** Fails unless the notices have each package that the page contains. */
function checkNotices(notices, paths) {
  const packages = paths.flatMap((path) => /.*\bnode_modules\/([^/]+)/.exec(path)?.slice(1) ?? []);
  const missing = packages.find((name) => !`\n${notices}`.includes(`\n${name}, `));
  if (missing) throw new Error(`${noticesPath}: expected a notice of ${missing}`);
}

/** The page, and the paths of what it is made of. */
async function make(pagePath, wasmPath) {
  let page = readFileSync(pagePath, 'utf8');
  const find = (pattern) => {
    const found = [...page.matchAll(pattern)];
    if (found.length !== 1) throw new Error(`${pagePath}: found ${found.length} times, expected once: ${pattern}`);
    return found[0];
  };
  const near = (pattern) => join(dirname(pagePath), find(pattern)[1]);
  const directory = dirname(near(SCRIPT));
  const enginePath = join(directory, '../engine/page.ts');
  const engine = await bundle(enginePath, { format: 'iife', globalName: ENGINE });
  const script = await bundle(near(SCRIPT), { plugins: [sharedEngine] });
  const loader = await bundle(join(directory, 'load.ts'));
  const first = await bundle(near(STYLE));
  const firstScript = await bundle(near(FIRST_SCRIPT), { format: 'iife', target: 'es2015' });
  const style = await bundle(join(directory, 'style.css'));
  const parts = [style, engine, script].map(({ text }) => text);
  if (parts.some((text) => text.includes('\0'))) throw new Error('a script or the style contains what separates them');
  const hashes = (bundles, what) => bundles.map(({ text }) => hashOf(text, what)).join(' ');
  const policy =
    "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; " +
    `script-src 'wasm-unsafe-eval' ${hashes([engine, script, loader, firstScript], 'a script')}; ` +
    `style-src ${hashes([first, style], 'a style')}; ` +
    'worker-src blob:';
  for (const [pattern, replacement] of [
    [CHARSET, `<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="${policy}">`],
    [STYLE, `<style>${first.text}</style>`],
    [FIRST_SCRIPT, `<script>${firstScript.text}</script>`],
    [
      SCRIPT,
      (await packed('neutreeko-page', parts.join('\0'))) +
        (await packed('neutreeko-wasm', readFileSync(wasmPath))) +
        `<script type="module">${loader.text}</script>`,
    ],
  ])
    page = page.replace(find(pattern)[0], () => replacement);
  const bundles = [first, firstScript, style, engine, script, loader];
  return { page, paths: [pagePath, ...bundles.flatMap(({ paths }) => paths)] };
}

const [pagePath, wasmPath, noticesPath, output, depfile] = process.argv.slice(2);
try {
  const { page, paths } = await make(pagePath, wasmPath);
  const notices = readFileSync(noticesPath, 'utf8');
  await checkTexts(paths);
  checkNotices(notices, paths);
  writeFileSync(output, `${page}<!--\nThis page contains:\n\n${notices}-->\n`);
  writeFileSync(depfile, `${output}: ${paths.map((path) => path.replaceAll(' ', '\\ ')).join(' ')}\n`);
} catch (error) {
  if (!error.errors) console.error(`bundle.mjs: ${error.message}`); // esbuild has printed its own
  process.exitCode = 1;
}
