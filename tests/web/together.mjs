// Runs files of tests in one process, in which they share a browser and its pages. Usage: node together.mjs FILE...

import { before } from 'node:test';
import { pathToFileURL } from 'node:url';

const loaded = Promise.all(process.argv.slice(2).map((path) => import(pathToFileURL(path))));
before(() => loaded); // no test ends the process before all are known
loaded.catch((error) => {
  console.error(error);
  process.exit(1); // without any test, this would be a success
});
