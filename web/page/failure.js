// The kinds of errors that the page has texts for.

import { EngineError } from '../engine/engine.js';

/** @type {Record<string, 'damaged' | 'unsupported'>} */
const KINDS = {
  corrupt: 'damaged',
  not_table: 'damaged',
  unsupported: 'unsupported',
};

/** @param {unknown} error */
export const kindOf = (error) => (error instanceof EngineError && KINDS[error.code]) || 'failed';
