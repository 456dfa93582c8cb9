// The message in place of the page when it cannot start.

import { EngineError } from '../engine/page.js';
import { t } from './texts.js';
import { byId, fill, h } from './views/dom.js';

export function showFailure(error: unknown) {
  const kind = error instanceof EngineError && error.code === 'corrupt' ? 'damaged' : 'failed';
  // The message that is in the page is gone if the page has already started.
  const message = document.getElementById('failure') ?? h('div', { id: 'failure', role: 'alert' });
  message.className = 'failure now';
  // That message is for a browser that is too old, see load.ts.
  fill(message, h('h2', {}, t('failure')), h('p', {}, t(`failed_${kind}`)));
  byId('app').replaceWith(message);
  if (kind === 'failed') console.error(error);
}
