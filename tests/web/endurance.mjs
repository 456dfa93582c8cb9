// Tests of the page in long use: after any of many random actions, what it shows must agree with its address; and many
// games must leave nothing in memory. From the environment: as in pages.mjs; ACTIONS (how many in each walk; optional),
// SEED (optional).

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readAddress } from '../../web/page/state/address.js';
import { treeOf } from '../../web/page/state/record.js';
import { STANDARD, useRules } from '../../web/page/state/boards.js';
import { randomOf, until } from './browser.mjs';
import { act, click, onPage, play, shows, withPage } from './pages.mjs';
import { loadStandard } from './programs.mjs';

const { ACTIONS = '1000', SEED = '1' } = process.env;
const WALKS = 3;
const LOOK = 60; // milliseconds between two actions: browsers limit how often an address may change
const engine = await loadStandard();
useRules(engine);

/** What the page shows. Runs in the page. */
function shown() {
  const plain = (text) => text.replace(/\u2060/g, '').replace(/\u2013/g, '-').trim();
  const has = (selector) => document.querySelector(selector) !== null;
  const cells = [...document.querySelectorAll('[role=gridcell]')].map((one) => one.ariaLabel);
  return {
    hash: location.hash,
    view: document.getElementById('view')?.dataset.view,
    pieces: cells.map((label) => /^(..), (black|white) piece/.exec(label)?.slice(1).join(' ')).filter(Boolean).sort(),
    headline: document.getElementById('headline')?.textContent.trim() ?? '',
    current: plain(document.querySelector('.moves [aria-current]')?.firstChild?.parentElement.textContent ?? ''),
    values: [...document.querySelectorAll('.value')].map(({ dataset }) => dataset.move).sort(),
    isElsewhere: has('#line-stop, #review-stop, #skip, #play-beginner, #choose'),
  };
}

/** The pieces of a position as shown() has them. */
function piecesOf(position) {
  const ranks = position.split(' ')[0].split('/').map((rank) => rank.replace(/\d/g, (n) => '.'.repeat(n)));
  const squareOf = (x, row) => `${'abcdefgh'[x]}${ranks.length - row}`;
  const found = ranks.flatMap((rank, row) => [...rank].map((piece, x) => [squareOf(x, row), piece]));
  const names = { b: 'black', w: 'white' };
  return found.filter(([, piece]) => names[piece]).map(([square, piece]) => `${square} ${names[piece]}`).sort();
}

/** What is wrong with what the page shows, or ''. */
function faultOf({ hash, view, pieces, headline, current, values, isElsewhere }) {
  if (!view) return 'it is still loading';
  if (headline.startsWith('Looking for')) return 'it is still looking';
  const target = readAddress(hash);
  if (target.board !== STANDARD || view === 'laboratory' || isElsewhere || target.friend) return '';
  if (target.view !== view) return `the address is that of ${target.view}, the view ${view}`;
  if (!['play', 'review', 'explore', 'board'].includes(view)) return '';
  const { tree } = treeOf({ engine, settings: { starts: {} } }, target);
  const game = engine.newGame(tree.start);
  for (const { move } of tree.path()) game.play(move);
  const { position, to_move: toMove, end } = game.state();
  game.free();
  if (pieces.join() !== piecesOf(position).join()) return `the address has ${position}, the board ${pieces}`;
  if (current && !current.startsWith(tree.current.move || 'Start')) return `the list is at ${current}`;
  if (/^(Black|White) to move$/.test(headline) && !headline.toLowerCase().startsWith(toMove))
    return `the headline is ${headline}`;
  const legal = end || tree.current.stated ? [] : engine.moves(position).map(({ move }) => move).sort();
  if (view === 'explore' && values.join() !== legal.join()) return `the values are those of ${values}`;
  return '';
}

/** Waits until the page shows what it should. */
const agrees = (page, done) =>
  until(page, shown, null, (found) => !faultOf(found),
    (found) => `after ${done.slice(-12).join(' | ')}: ${faultOf(found)} (${JSON.stringify(found)})`);

for (let walk = 0; walk < WALKS; walk++)
  test(`after any of ${ACTIONS} random actions, the page shows what its address says: walk ${walk + 1}`, () =>
    withPage({ fresh: true, warning: /^console: (Throttling|An invalid form control)/ }, async (page) => {
      const random = randomOf(1 + Number(SEED) * WALKS + walk);
      const done = [];
      while (done.length < Number(ACTIONS)) {
        done.push(await act(page, random));
        await page.waitForTimeout(LOOK);
        await agrees(page, done);
      }
    }));

const MOVES = ['b1-c1', 'b5-c5', 'c4-e2', 'c2-e4', 'e2-e1'];

/** The bytes of a heap snapshot, without what the browser has compiled: it optimises functions that are used often. */
function bytesOf({ snapshot: { meta }, nodes }) {
  const [type, size] = ['type', 'self_size'].map((name) => meta.node_fields.indexOf(name));
  const code = meta.node_types[type].indexOf('code');
  let bytes = 0;
  for (let at = 0; at < nodes.length; at += meta.node_fields.length)
    if (nodes[at + type] !== code) bytes += nodes[at + size];
  return bytes;
}

/** The bytes and the nodes that the page uses. */
async function measure(page, session) {
  await page.waitForTimeout(500); // for what is not needed any more after timers
  const chunks = [];
  const collect = ({ chunk }) => chunks.push(chunk);
  session.on('HeapProfiler.addHeapSnapshotChunk', collect);
  for (let i = 0; i < 3; i++) await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.takeHeapSnapshot');
  session.off('HeapProfiler.addHeapSnapshotChunk', collect);
  const { metrics } = await session.send('Performance.getMetrics');
  return { bytes: bytesOf(JSON.parse(chunks.join(''))), nodes: metrics.find(({ name }) => name === 'Nodes').value };
}

onPage('two hundred games take no more memory than twenty', { fresh: true }, async (page, context) => {
  const session = await context.newCDPSession(page);
  await session.send('Performance.enable');
  const playGames = async (count) => {
    for (let game = 0; game < count; game++) {
      await play(page, ...MOVES);
      await shows(page, { '#headline': /^Black wins/ });
      await click(page, '#rematch');
    }
    return measure(page, session);
  };
  const few = await playGames(20);
  const many = await playGames(180);
  for (const name of ['bytes', 'nodes'])
    assert.ok(many[name] < few[name] * 1.05, `${name}: ${few[name]} after 20 games, ${many[name]} after 200`);
});
