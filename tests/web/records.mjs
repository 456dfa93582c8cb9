// Tests of what the page counts and keeps on the device, in Chromium. From the environment: as in pages.mjs.

import assert from 'node:assert/strict';

import { click, nativeMoves, onPage, play, shows } from './pages.mjs';
import { puzzles } from './programs.mjs';

const MONDAY = new Date(2026, 10, 30, 12); // which has an easy puzzle
const [{ position: daily }] = puzzles(1, 20261130, '--plies=3');

/** Solves the puzzle of the day, of two moves. */
async function solveDaily(page) {
  await page.clock.setFixedTime(MONDAY);
  await click(page, '#tab-learn', '#to-puzzle');
  await shows(page, { board: daily.slice(0, -2), hash: /^#view=puzzle&start=/ });
  const playBest = async () => {
    const [{ move }] = await nativeMoves(page, daily.at(-1));
    await play(page, move);
  };
  await playBest();
  await shows(page, { '#headline': 'Correct! Go on.', '.movable': 3 });
  await playBest();
  await shows(page, { '#headline': 'Correct!' });
}

const rows = {
  'the puzzle of the day after a day without one begins a new row': [{ daily: '2026-11-28', days: 4 }, '1'],
  'the puzzle of the day after one of the day before continues the row': [{ daily: '2026-11-29', days: 4 }, '5'],
  'the first puzzle of the day begins a row': [undefined, '1'],
};
for (const [name, [record, days]] of Object.entries(rows))
  onPage(name, { record, fresh: true }, async (page) => {
    await solveDaily(page);
    await shows(page, { '#days': days });
  });

onPage('the question before records are deleted is asked again after its dialog was closed', {}, async (page) => {
  await click(page, '#menu-button', '#menu-statistics');
  await shows(page, { '#delete': /^Delete/ });
  const first = await page.locator('#delete').innerText();
  await click(page, '#delete');
  assert.notEqual(await page.locator('#delete').innerText(), first);
  await click(page, '#close', '#menu-button', '#menu-statistics');
  await shows(page, { '#delete': first });
});

onPage('a stored setting that is null has its default', { settings: { starts: null } }, async (page) => {
  await click(page, '#menu-button', '#menu-start');
  await shows(page, { '#start': 1 });
});

const AGAINST = { black: 'human', white: 'level:1' };
onPage('a game that is resigned is counted as lost', { players: AGAINST }, async (page) => {
  await play(page, 'b1-c1');
  await shows(page, { '#headline': 'Your move' });
  await click(page, '#resign', '#resign', '#close-result', '#menu-button', '#menu-statistics');
  await shows(page, { '#statistics': /Beginner\s+0\s+0\s+1/ });
});
