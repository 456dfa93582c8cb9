// Runs files of tests in one process, in which they share a browser and its pages. Usage: node together.mjs FILE...

import { before } from 'node:test';
import { pathToFileURL } from 'node:url';

const files = process.argv.slice(2).map((path) => import(pathToFileURL(path)));
before(() => Promise.all(files)); // no test ends the process before all are known
