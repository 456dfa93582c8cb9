// The message in place of the page when it cannot start.

import { EngineError } from '../engine/page.js';
import { t } from './texts.js';
import { byId, fill, h } from './views/dom.js';

const KINDS: Record<string, 'damaged' | 'unsupported'> = {
  corrupt: 'damaged',
  not_table: 'damaged',
  unsupported: 'unsupported',
};

export function showFailure(error: unknown) {
  const kind = (error instanceof EngineError && KINDS[error.code]) || 'failed';
  // There is no place for the message any more if only the check of the table has found that it is damaged.
  const message = document.getElementById('failure') ?? h('div', { id: 'failure', role: 'alert' });
  message.className = 'failure now';
  // The message that is in the page is for a browser that is too old, see load.ts.
  if (kind !== 'unsupported') fill(message, h('h2', {}, t('failure')), h('p', {}, t(`failed_${kind}`)));
  byId('app').replaceWith(message);
  if (kind === 'failed') console.error(error);
}
