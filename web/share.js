// Sharing: the link, the position and the game as text, and how to open them.

import { dialogHeader, fill, h } from './dom.js';
import { t, translate } from './texts.js';

/** The address of a view: the part of the link after #. */
export function writeAddress({ view, start, moves = [], undone = [], resigned }) {
  const all = [...moves, ...undone].map((move) => move.replace('-', ''));
  return [
    view !== 'play' && `view=${view}`,
    start && `start=${start.replace(' ', '_')}`,
    all.length && `moves=${all.join('.')}`,
    undone.length && `at=${moves.length}`,
    resigned && 'end=resigned',
  ]
    .filter(Boolean)
    .join('&');
}

/** {view, start, moves, at, resigned} of an address. The caller checks them. */
export function readAddress(hash) {
  const fields = new URLSearchParams(hash.replace(/^#/, ''));
  return {
    view: fields.get('view') ?? 'play',
    start: fields.get('start')?.replaceAll('_', ' ') ?? null,
    moves: (fields.get('moves') ?? '').split('.').filter(Boolean),
    at: fields.has('at') ? Number(fields.get('at')) : null,
    resigned: fields.get('end') === 'resigned',
  };
}

async function copy(field) {
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    field.select();
    document.execCommand('copy'); // where the page has no access to the clipboard
  }
}

/** `open(text)` opens a link, a position or a game and returns null or an error message. */
export function openShare(dialog, { position, record, open }) {
  const field = (key, value, rows) => {
    const id = `share-${key}`;
    const input = rows ? h('textarea', { id, readonly: true, rows }, value) : h('input', { id, readonly: true, value });
    const button = h(
      'button',
      {
        type: 'button',
        'aria-label': t('copyField', t(key)),
        onclick: async () => {
          await copy(input);
          button.textContent = t('copied');
          announced.textContent = t('copied');
        },
      },
      t('copy'),
    );
    return h('div', { class: 'field' }, h('label', { for: id }, t(key)), h('div', { class: 'row' }, input, button));
  };
  const announced = h('p', { class: 'unseen', role: 'status' });
  const input = h('textarea', { id: 'open-text', rows: 3, spellcheck: 'false', 'aria-describedby': 'open-error' });
  const failure = h('p', { id: 'open-error', class: 'wrong', role: 'alert' });
  fill(
    dialog,
    dialogHeader(dialog, t('shareTitle')),
    field('link', location.href),
    field('position', position),
    field('record', record, 4),
    h(
      'form',
      {
        onsubmit: (event) => {
          event.preventDefault();
          const error = open(input.value.trim());
          failure.textContent = error ?? '';
          if (error === null) dialog.close();
        },
      },
      h('div', { class: 'field' }, h('label', { for: 'open-text' }, t('openLabel')), input, failure),
      h('button', { id: 'open', class: 'main' }, t('open')),
    ),
    announced,
  );
  translate(dialog);
  dialog.showModal();
}
