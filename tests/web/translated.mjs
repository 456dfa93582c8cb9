// Tests of the page in a browser that translates it: such a browser replaces each text by elements with the translated
// one. From the environment: as in pages.mjs.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { click, openLink, play, shows, withPage } from './pages.mjs';

const MOVES = 'b1-c1 d5-e4 c1-a1 b5-b1 a1-e5 e4-d4 d1-d3 d4-a1 d3-e3 c2-c1'.split(' ');

/** Puts each text of the page, now and whenever one is new, into elements as Chrome does. Runs in the page. */
function translate() {
  const inside = () => {
    const texts = document.createTreeWalker(document.getElementById('app'), NodeFilter.SHOW_TEXT);
    const found = [];
    while (texts.nextNode()) found.push(texts.currentNode);
    return found.filter(({ data, parentElement }) =>
      data.trim() && parentElement instanceof HTMLElement && !parentElement.closest('font, textarea'));
  };
  const replace = () => {
    for (const text of inside()) {
      const [outer, inner] = ['font', 'font'].map((name) => document.createElement(name));
      inner.append(text.data);
      outer.append(inner);
      text.replaceWith(outer);
    }
  };
  replace();
  new MutationObserver(replace).observe(document.body, { subtree: true, childList: true, characterData: true });
}

/** All texts of the page. Runs in the page. */
const texts = () => document.getElementById('app').innerText;

/** Whether a translation has replaced texts. Runs in the page. */
const hasReplaced = () => document.querySelector('#app font font') !== null;

/** What the page shows after each of these steps, in a browser that translates it or not. */
async function shown(isTranslated, steps) {
  const found = [];
  await withPage({ fresh: isTranslated }, async (page) => {
    if (isTranslated) await page.evaluate(translate);
    for (const step of steps) {
      await step(page);
      found.push(await page.evaluate(texts));
      assert.equal(await page.evaluate(hasReplaced), isTranslated);
    }
  });
  return found;
}

const playing = (move) => async (page) => {
  await play(page, move);
  const moves = MOVES.slice(0, MOVES.indexOf(move) + 1).join(' ');
  await shows(page, { hash: `#moves=${moves.replaceAll('-', '').replaceAll(' ', '.')}` });
};
const going = (...selectors) => (page) => click(page, ...selectors);

const STEPS = {
  'ten moves and the views of a game': [
    ...MOVES.map(playing), going('#tab-explore'), going('#undo'), going('#notes summary'), going('#to-review'),
    going('#tab-play'), going('#undo'),
  ],
  lessons: [(page) => openLink(page, '#view=lessons&at=2'), going('#lesson-block'), going('#lesson-show')],
};
for (const [name, steps] of Object.entries(STEPS))
  test(`a translated page shows the same texts as others: ${name}`, async () => {
    assert.deepEqual(await shown(true, steps), await shown(false, steps));
  });
