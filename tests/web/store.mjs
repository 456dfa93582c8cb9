// Tests of what an action makes of the page's state (web/page/state/store.js), without a browser.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createStore, INITIAL, reduce } from '../../web/page/state/store.js';

const MOVE = { move: 'b1-c1', from: 'b1', to: 'c1', value: { result: 'draw', plies: null } };
const LINE = { name: 'best', moves: ['b1-c1'], positions: [], over: null, at: 1, playing: false };
const BUSY = { dialog: 'menu', notice: 'Here', asked: 'resign', turned: true, preview: MOVE, demo: LINE };

const ACTIONS = {
  'a dialog takes the place of another': [{ type: 'dialog', name: 'share' }, { dialog: 'share' }],
  'a dialog is closed': [{ type: 'dialog', name: null }, { dialog: null }],
  'a notice takes the place of another': [{ type: 'notice', text: 'There' }, { notice: 'There' }],
  'a question is taken back': [{ type: 'ask', id: null }, { asked: null }],
  'a board is turned back': [{ type: 'flip' }, { turned: false }],
  'a preview ends': [{ type: 'preview', move: null }, { preview: null }],
  'a line ends': [{ type: 'demo', demo: null }, { demo: null }],
  'another position ends the preview and the question': [{ type: 'position' }, { asked: null, preview: null }],
  'another subject ends the preview and turns the board back': [{ type: 'subject' }, { turned: false, preview: null }],
};
for (const [name, [action, changes]] of Object.entries(ACTIONS))
  test(name, () => assert.deepEqual(reduce(BUSY, action), { ...BUSY, ...changes }));

test('an action leaves the state before as it was', () => {
  const store = createStore();
  store.dispatch({ type: 'flip' });
  assert.equal(store.state.turned, true);
  assert.equal(INITIAL.turned, false);
});
