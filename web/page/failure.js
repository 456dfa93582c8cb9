// The kinds of errors that the page has texts for.

import { EngineError } from '../engine/engine.js';

/** @type {Record<string, 'aborted' | 'damaged' | 'memory' | 'refused' | 'unsupported'>} */
const KINDS = {
  aborted: 'aborted',
  corrupt: 'damaged',
  limit: 'refused',
  memory: 'memory',
  not_table: 'damaged',
  rules: 'refused',
  unsupported: 'unsupported',
};

/** @param {unknown} error */
export const kindOf = (error) => (error instanceof EngineError && KINDS[error.code]) || 'failed';
