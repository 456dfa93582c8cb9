// Bundles each test with the modules of the page that it imports, which are in TypeScript, for Node.js.
// Usage: node bundle.mjs FILE... LIST DEPFILE DIRECTORY, with NODE_PATH naming the directory of esbuild. Writes the
// bundles into the directory, with maps to the sources, their names into LIST, and what they are made of into DEPFILE.

import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';

const { build } = createRequire(join(process.env.NODE_PATH, 'x'))('esbuild');
const entryPoints = process.argv.slice(2);
const [list, depfile, outdir] = entryPoints.splice(-3);
const { metafile } = await build({
  entryPoints,
  outdir,
  entryNames: '[name]',
  outExtension: { '.js': '.mjs' },
  bundle: true,
  splitting: true, // tests in one process share what they import
  platform: 'node',
  target: 'node18',
  format: 'esm',
  sourcemap: true,
  // The tests find files that they read from here.
  define: { 'import.meta.url': JSON.stringify(import.meta.url) },
  nodePaths: [process.env.NODE_PATH],
  metafile: true,
  logLevel: 'error',
});
writeFileSync(list, entryPoints.map((path) => `${join(outdir, basename(path))}\n`).join(''));
writeFileSync(depfile, `${list}: ${Object.keys(metafile.inputs).join(' ')}\n`);
