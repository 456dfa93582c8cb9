// Tests of studies: positions with comments as a link, as a file and on paper. From the environment: as in pages.mjs.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';

import { randomOf } from './browser.mjs';
import {
  click, emulate, FILE, fill, focus, onPage, openLink, openWindow, play, press, print, read, reload, saveFile, select,
  settle, shows, START, withPage,
} from './pages.mjs';
import { folder } from './programs.mjs';

const FIRST = {
  start: START, moves: 'b1c1(d1c1).b5c5', at: 1, notes: '1 c3.c1e3 Which move wins? \u52dd\u3061', names: '\nBob',
};
const SECOND = { start: '5/b4/1w3/w1b2/b3w b', moves: '', at: 0, notes: '' };
const STUDY = { 'neutreeko-study': 1, board: '5x5/3', title: 'Lesson 1', positions: [FIRST, SECOND] };
const OWN = { board: '5x5/3', title: 'Mine', positions: [SECOND] };

const packed = (bytes) => deflateRawSync(bytes).toString('base64url');
const linkTo = (study) => `#view=study&study=${packed(JSON.stringify(study))}`;

/** Studies as they are stored on the device. */
const own = (...studies) => Object.fromEntries(studies.map((study, i) => [i + 1, { exercise: false, ...study }]));
const stored = (page) => page.evaluate(() => {
  const studies = Object.values(JSON.parse(localStorage['neutreeko-studies']));
  return studies.map(({ title, positions }) => [title, positions.length]);
});
const edited = { studies: own(STUDY), hash: '#view=study' };
const withOwn = { studies: own(OWN), hash: linkTo(STUDY) };

/** Opens a file by the dialog for sharing. */
async function openFile(page, text) {
  const path = join(folder, 'study.json');
  writeFileSync(path, text);
  await click(page, '#share-button');
  await page.locator('#open-file').setInputFiles(path);
}

const ITEMS = { '.study .select': ['1. White to move', '2. Black to move'] };

onPage('a link shows a study with its comments and drawings', { hash: linkTo(STUDY) }, async (page) => {
  await shows(page, { ...ITEMS, '#headline': 'Lesson 1', '#subline': 'Position 1 of 2. White to move' });
  await shows(page, { '.study .note': ['Black - Bob'] });
  await shows(page, { '#board .drawn .head': 1, '#board circle.drawn': 1 });
  await shows(page, { '.study .line > .comment': ['Which move wins? \u52dd\u3061'] });
});

onPage('a study is saved as a file, which opens again', { hash: linkTo(STUDY) }, async (page) => {
  const { name, bytes } = await saveFile(page, '#study-file');
  assert.equal(name, 'Lesson 1.json');
  assert.deepEqual(JSON.parse(bytes), STUDY);
  await withPage({}, async (other) => {
    await openFile(other, bytes);
    await shows(other, { ...ITEMS, '#headline': 'Lesson 1', 'dialog[open]': 0 });
  });
});

onPage('a study of another board opens on that board', {}, async (page) => {
  const position = { start: 'bb1b/4/4/ww1w b', moves: '', at: 0, notes: '' };
  await openFile(page, JSON.stringify({ ...STUDY, board: '4x4/3', positions: [position] }));
  await shows(page, { '#board-name': /^4×4/, board: 'bb1b/4/4/ww1w', '#headline': 'Lesson 1' });
});

const DAMAGED = 'This is not a study, or it is damaged. Ask for it again.';

/** Counts the bytes that are uncompressed. Runs in the page. */
function countBytes() {
  globalThis.uncompressed = 0;
  const Original = globalThis.DecompressionStream;
  globalThis.DecompressionStream = class {
    constructor(format) {
      const { writable, readable } = new Original(format);
      const counter = new TransformStream({
        transform(bytes, controller) {
          globalThis.uncompressed += bytes.length;
          controller.enqueue(bytes);
        },
      });
      Object.assign(this, { writable, readable: readable.pipeThrough(counter) });
    }
  };
}
const patched = { fresh: true };
onPage('of a link that is far too long once it is uncompressed, only the beginning is', patched, async (page) => {
  await page.evaluate(countBytes);
  await openLink(page, `#view=study&study=${packed(' '.repeat(2e7))}`);
  await shows(page, { '#notice': DAMAGED });
  const bytes = await page.evaluate(() => globalThis.uncompressed);
  assert.ok(bytes > 4e5, `only ${bytes} bytes were uncompressed`);
  assert.ok(bytes < 4e6, `${bytes} bytes were uncompressed`);
});

onPage('a link of a study of as much text as there may be is opened', {}, async (page) => {
  const random = randomOf(1);
  const comment = () => String.fromCharCode(...Array.from({ length: 1000 }, () => 0x4e00 + random(0x5000)));
  const positions = Array.from({ length: 64 }, () => ({ ...SECOND, notes: `0  ${comment()}` }));
  const hash = linkTo({ ...STUDY, positions });
  assert.ok(hash.length > 1e5, `${hash.length} characters`);
  await openLink(page, hash);
  await shows(page, { '.study li': 64, '#headline': 'Lesson 1', '#notice:not([hidden])': 0 });
});

const typing = { ...edited, patient: true };
onPage('what is typed in a study is stored at once, but packed now and then', typing, async (page) => {
  await shows(page, ITEMS);
  const packs = await page.evaluate(() => {
    let count = 0;
    const Packing = CompressionStream;
    globalThis.CompressionStream = class extends Packing {
      constructor(format) {
        super(format);
        count++;
      }
    };
    // In one task, in which no timer ends.
    for (const letter of 'A longer title') {
      const field = document.getElementById('study-title');
      field.value += letter;
      field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    }
    return count;
  });
  assert.deepEqual(await stored(page), [['Lesson 1A longer title', 2]]);
  assert.equal(packs, 1);
  await shows(page, { '#headline': 'Lesson 1A longer title' });
});

onPage('a study from a link is kept in addition to the own ones', withOwn, async (page) => {
  await click(page, '#study-keep');
  await shows(page, { '#study-keep': 0, '#headline': 'Lesson 1', '#spoken': 'Kept on this device.' });
  await shows(page, { '#study-choice option': ['Mine (1)', 'Lesson 1 (2)'], '#notice.wrong': 0 });
  assert.deepEqual(await stored(page), [['Mine', 1], ['Lesson 1', 2]]);
  await focus(page, '#study-choice');
  await press(page, '1'); // which chooses by the first letter there
  await settle(page);
  await shows(page, { '#view[data-view=study]': 1 });
});

onPage('the link of an own study shows that study', { ...withOwn, hash: linkTo(OWN) }, async (page) => {
  await shows(page, { '#headline': 'Mine', '#study-title': 1, '#study-keep': 0, '#study-choice': 0 });
});

/** A device with the one study that it had when there could be one only. */
const old = { neutreeko: '{"met":true}', 'neutreeko-study': JSON.stringify(OWN) };
onPage('the study of an earlier version is kept until it is deleted', { texts: old, hash: '#view=study', fresh: true },
  async (page) => {
    await shows(page, { '#headline': 'Mine', '.study .select': ['1. Black to move'] });
    await fill(page, '#study-title', 'Renamed');
    await reload(page);
    await shows(page, { '#headline': 'Renamed', '.study .select': ['1. Black to move'] });
    await click(page, '#study-delete');
    await openLink(page, '#view=study');
    await reload(page);
    await shows(page, { '.study li': 0, '#study-delete': 0 });
  });

const several = { studies: own(OWN, STUDY), hash: '#view=study' };
/** Chooses an own study by its number. */
const choose = (page, number) => select(page, '#study-choice', String(number));

onPage('a long title is smaller', edited, async (page) => {
  await shows(page, { ...ITEMS, '.long': 0 });
  await fill(page, '#study-title', 'Long '.repeat(10));
  await shows(page, { '.long': 1 });
});

onPage('a position that is set up is added to the study', { ...several, hash: '#view=editor' }, async (page) => {
  await fill(page, '#notation', '5/b4/1w3/w1b2/b3w w');
  await click(page, '#study-add');
  await shows(page, { '#notice': 'Added. The study has 2 positions.', '#to-study': 'Study (2)' });
  await fill(page, '#notation', '5/5/5/5/5 w');
  await shows(page, { '#study-add:disabled': 1 });
  await click(page, '#to-study');
  await shows(page, { board: '5/b4/1w3/w1b2/b3w', '.study .on .select': '2. White to move' });
});

onPage('positions are added to the study that is chosen in Explore', { ...several, hash: '#view=explore' },
  async (page) => {
    await click(page, '#notes summary');
    await choose(page, 2);
    await click(page, '#study-add');
    await shows(page, { '#spoken': 'Added. The study has 3 positions.' });
    assert.deepEqual(await stored(page), [['Mine', 1], ['Lesson 1', 3]]);
  });

onPage('the last study is deleted, and comes back', edited, async (page) => {
  await click(page, '#study-delete');
  await shows(page, { '.study li': 0, '#view': /^A study is a sheet/, '#study-delete': 0 });
  await openLink(page, '#view=explore');
  await click(page, '#to-study', '#study-restore');
  await shows(page, { '#headline': 'Lesson 1', ...ITEMS });
});

onPage('a position comes back in the study that it was removed from', several, async (page) => {
  await click(page, '#study-remove');
  await shows(page, { '.study li': 0, '#study-title': 1, '#study-new': 1, '#study-restore': 1 });
  await openLink(page, linkTo({ ...STUDY, title: 'Theirs' }));
  await shows(page, { '#headline': 'Theirs', '#study-choice': 0, '#study-own': 0, '#study-restore': 0 });
  await page.goBack();
  await choose(page, 2);
  await click(page, '#study-restore');
  await shows(page, { '#headline': 'Mine', '.study .select': ['1. Black to move'] });
  assert.deepEqual(await stored(page), [['Mine', 1], ['Lesson 1', 2]]);
});

const damaged = { studies: own({ ...STUDY, positions: [FIRST, { ...SECOND, moves: 7 }, 8] }), hash: '#view=study' };
onPage('a study shows what can be read of it, and how many positions cannot', damaged, async (page) => {
  await shows(page, { '.study .select': ['1. White to move'], '#study-unread': 'Unreadable, but kept: 2 positions.' });
});

const fullStorage = {
  prepare: {
    content: `
      localStorage['neutreeko-studies'] ??= '${JSON.stringify(own(OWN))}';
      localStorage.neutreeko ??= '{"met":true}';
      const { setItem } = Storage.prototype;
      Storage.prototype.setItem = function (key, value) {
        if (key === 'neutreeko-studies') throw new DOMException('full', 'QuotaExceededError');
        setItem.call(this, key, value);
      };`,
  },
  hash: '#view=explore&moves=b1c1',
};
onPage('what cannot be stored is reported, and not lost while the window is open', fullStorage, async (page) => {
  const full = 'This browser has no room left: what is new lasts only while this window is open.';
  await click(page, '#notes summary', '#study-add');
  await shows(page, { '#spoken': full, '#to-study': 'Study (2)' });
  await click(page, '#to-study');
  await shows(page, { '.study > li': 2, '#notice': full });
});

onPage('a comment that is typed and not left is kept when the page is loaded again', edited, async (page) => {
  await shows(page, { hash: /study=/ });
  await page.evaluate(() => { // the next link is never ready
    window.CompressionStream = class {
      readable = new ReadableStream();
      writable = new WritableStream();
    };
  });
  const hash = await read(page, 'hash');
  await page.locator('#study-comment').pressSequentially(' x y');
  await page.reload();
  await page.waitForFunction((old) => location.hash !== old, hash); // the link to the study as it is now
  await shows(page, { '#study-comment': 'Which move wins? \u52dd\u3061 x y' });
});

onPage('a comment belongs to the study that it was typed for', withOwn, async (page) => {
  await shows(page, { '#headline': 'Lesson 1' });
  await settle(page); // the address follows a moment later
  const hash = await read(page, 'hash');
  await click(page, '#study-own');
  await page.waitForFunction((other) => location.hash !== other, hash);
  await openLink(page, linkTo(STUDY));
  await shows(page, { '#headline': 'Lesson 1' });
  await page.goBack();
  await shows(page, { '#headline': 'Mine' });
  await fill(page, '#study-comment', 'Typed');
  await settle(page); // the address follows a moment later
  await page.goForward();
  await shows(page, { '#headline': 'Lesson 1', ...ITEMS });
  await click(page, '#study-own');
  await shows(page, { '#study-comment': 'Typed', '.study .select': ['1. Black to move'] });
});

onPage('a position that is in a study twice is shown twice',
  { hash: linkTo({ ...STUDY, positions: [SECOND, SECOND] }) }, async (page) => {
  await shows(page, { '.study .board svg': 2 });
});

onPage('two windows type in one comment, each where its caret is', edited, async (page, context) => {
  const other = await openWindow(context, await page.evaluate(() => location.href.replace(/#.*/, '#view=study')));
  const fields = [page, other].map((one) => one.locator('#study-comment'));
  await fields[0].fill('Base.');
  await shows(other, { '#study-comment': 'Base.' });
  for (const [n, field] of fields.entries()) {
    await field.focus();
    await field.evaluate((one, at) => one.setSelectionRange(at, at), n * 4);
  }
  await fields[0].press('A');
  await shows(other, { '#study-comment': 'ABase.' }); // where nothing has been typed yet
  for (const letters of ['l ', 'll', ' a', ' s', ' t'].map((both) => [...both])) {
    await fields[1].press(letters[1] === ' ' ? 'Space' : letters[1]);
    await fields[0].press(letters[0] === ' ' ? 'Space' : letters[0]);
  }
  await shows(page, { '#study-comment': 'All   Base last.' });
});

onPage('a window that missed what another one has typed does not undo it', edited, async (page) => {
  await shows(page, ITEMS);
  const theirs = own({ ...STUDY, positions: [{ ...FIRST, notes: `${FIRST.notes} Theirs` }, SECOND] });
  await page.evaluate((text) => {
    localStorage['neutreeko-studies'] = text;
    const field = document.getElementById('study-comment');
    field.value += '!';
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  }, JSON.stringify(theirs));
  await shows(page, { '#study-comment': 'Which move wins? \u52dd\u3061! Theirs' });
});

const twice = { studies: own({ ...OWN, positions: [SECOND, SECOND] }), hash: '#view=study' };
onPage('a comment is typed for the second of two equal positions', twice, async (page) => {
  await page.locator('.study .select').nth(1).click();
  await shows(page, { '.study li:nth-child(2).on': 1 });
  await page.locator('#study-comment').pressSequentially('Hello');
  assert.equal(await read(page, '#study-comment'), 'Hello');
  const comment = (n) => `.study li:nth-child(${n}) .line > .comment`;
  await shows(page, { [comment(1)]: 0, '#study-comment': 'Hello' });
});

const EXERCISE = { ...STUDY, positions: [{ ...SECOND, notes: '0 c3 The longest win' }], exercise: true };
onPage('the picture of an exercise is drawn once, and its answer belongs to its position', { hash: linkTo(EXERCISE) },
  async (page) => {
    await shows(page, { '#subline': /Find the best move$/ });
    await page.evaluate(() => { document.querySelector('.study .still svg').id = 'drawn-once'; });
    await play(page, 'a4-e4');
    await shows(page, { '#headline': 'Not quite: a4-e4 loses.', '#drawn-once': 1 });
    await click(page, '#show-answer');
    await play(page, 'a1-d1');
    await shows(page, { '#headline': 'Correct!', '.preview': 1 });
    await play(page, 'a4-e4');
    await shows(page, { '.preview': 0 });
  });

onPage('before the move is found, a student is led to no values', { hash: linkTo(EXERCISE) }, async (page) => {
  const tabs = (...names) => Object.fromEntries(['explore', 'review', 'editor'].map((name) =>
    [`#to-${name}`, names.includes(name) ? 1 : 0]));
  await shows(page, { '#study-solved': '0 of 1 solved', '#study-next': 0, ...tabs() });
  await play(page, 'a1-d1');
  await shows(page, { '#headline': 'Correct!', ...tabs('explore', 'editor') });
  await click(page, '#study-again');
  await shows(page, { '#study-solved': '0 of 1 solved', ...tabs() });
  await click(page, '#tab-play', '#tab-explore');
  await shows(page, { board: '1w1w1/2b2/5/2w2/1b1b1', ...tabs('explore', 'editor') });
});

onPage('the result of a study is copied', { hash: linkTo(EXERCISE) }, async (page) => {
  await shows(page, { '#subline': /Find the best move$/ });
  await play(page, 'a1-d1');
  await click(page, '#study-result + button');
  await shows(page, { '#study-result + button': 'Copied', '#spoken': 'Copied' });
});

onPage('a study is stepped through, moved on and drawn on where it is', edited, async (page) => {
  await click(page, '#undo');
  await shows(page, { board: '1w1w1/2b2/5/2w2/1b1b1', '#study-picture': 1, '#subline': /Black to move$/ });
  await play(page, 'b1-b4');
  await shows(page, { '.study .moves .ply[aria-current]': 'b1-b4' });
  await click(page, '#pen');
  await play(page, 'c3-c3');
  await click(page, '#pen', '#study-explore');
  await shows(page, { '.drawn': 1, '.values': 1, '#study-add': 0 });
  await click(page, '#study-back');
  await shows(page, { '.study .moves .ply[aria-current]': 'b1-b4', '#headline': 'Lesson 1' });
  await reload(page);
  await click(page, '.study .variation:last-of-type button');
  await shows(page, { '.study .variation': 2 });
  await click(page, '#study-picture');
  await shows(page, { '#study-picture': 0 });
});

onPage('a student gets hints, goes on to the next position, and sees how many are solved', {
  hash: linkTo({ ...EXERCISE, positions: [EXERCISE.positions[0], SECOND] }) }, async (page) => {
  await shows(page, { '#study-solved': '0 of 2 solved', '#study-title': 0 });
  await click(page, '#hint', '#hint');
  await shows(page, { '#hint-text': /^Hint: a1-d1\./ });
  await play(page, 'a1-d1');
  await shows(page, { '#study-solved': '1 of 2 solved, 1 of them with help', '.study .solved': 1 });
  await click(page, '#study-next');
  await shows(page, { '#subline': /^Position 2 of 2\./, '#study-explore': 0 });
  await play(page, 'c2-c1');
  assert.match(await read(page, '#study-result'), /solved, try 1, with help\n2\. not solved, 1 try$/);
  await play(page, 'a1-d1');
  await shows(page, { '#headline': 'Correct!', '#study-solved': '2 of 2 solved, 1 of them with help' });
  await shows(page, { '#study-next': 0 });
  assert.match(await read(page, '#study-result'), /\n2\. solved, try 2$/);
});

onPage('what is typed stays in sight of the reason why it is not stored', { ...fullStorage, hash: '#view=study' },
  async (page) => {
    await fill(page, '#study-comment', 'Newer');
    await shows(page, { '#notice': /no room left/ });
    await page.locator('.panel').evaluate((panel) => panel.scrollTo(0, 1e4));
    const isSeen = () => page.evaluate(() => {
      const notice = document.getElementById('notice');
      const { x, y } = notice.getBoundingClientRect();
      return notice.contains(document.elementFromPoint(x + 20, y + 16));
    });
    assert.equal(await isSeen(), true);
    await settle(page); // the address follows a moment later
    await reload(page);
    await shows(page, { '.study .line > .comment': ['Newer'] });
  });

onPage('on paper, a study has a picture of each position and no controls', { hash: linkTo(STUDY) }, async (page) => {
  await shows(page, ITEMS);
  await emulate(page, { media: 'print' });
  const boxes = await page.locator('.study .board').evaluateAll((all) => all.map((one) => one.offsetWidth > 200));
  assert.deepEqual(boxes, [true, true]);
  assert.equal(await page.locator('#board').evaluate((board) => board.offsetHeight), 0);
  assert.equal(await page.locator('#study-explore').isVisible(), false);
});

onPage('on paper, no confirmation is seen', withOwn, async (page) => {
  await click(page, '#study-keep');
  await shows(page, { '#notice': 'Kept on this device.' });
  await emulate(page, { media: 'print' });
  assert.equal(await page.locator('#notice').isVisible(), false);
});

onPage('on paper, each position of a study has the text that opens it', { hash: linkTo(STUDY) }, async (page) => {
  await shows(page, ITEMS);
  await emulate(page, { media: 'print' });
  await shows(page, { '.study .printed': ['1w1w1/2b2/5/2w2/2bb1 w', '5/b4/1w3/w1b2/b3w b'] });
});

const BRANCHED = {
  start: START, moves: 'b1c1vb1b4z.b5c5.c4a2.c5a3', at: 0,
  notes: '0  First\v  words\n1  Main\n2  Other\n3  Last\n4  Then',
};
const TEXT = 'First\n  words\n1. b1\u2013c1\nMain\n(1. b1\u2013b4 Other) 1\u2026 b5\u2013c5\nLast\n'
  + '2. c4\u2013a2\nThen\n2\u2026 c5\u2013a3';
const printed = async (page, selector) => {
  await print(page);
  return (await page.locator(selector).innerText()).replaceAll('\u2060', '');
};
const branched = linkTo({ ...STUDY, positions: [SECOND, { ...BRANCHED, start: '1b1b1/2w2/5/2b2/1w1w1 w' }] });
const OF_WHITE = { '1.': '1\u2026', '1\u2026': '2.', '2.': '2\u2026', '2\u2026': '3.' };
onPage('on paper, a study has all comments and variations', { hash: branched }, async (page) => {
  await shows(page, { '.study .select': 2 });
  const text = TEXT.replace(/\b\d[.\u2026]/g, (number) => OF_WHITE[number]);
  assert.equal(await printed(page, '.study li:nth-child(2) .text'), text);
  assert.deepEqual(await Promise.all(['.moves', '.study .line > .comment'].map((one) =>
    page.locator(one).first().isVisible())), [false, false]);
});

const asked = { studies: own({ ...STUDY, exercise: true }), hash: '#view=study' };
onPage('on paper, an exercise has neither comments and moves nor drawings', asked, async (page) => {
  await shows(page, ITEMS);
  await print(page);
  await shows(page, { '.text': 0, '.study .drawn': 0 });
  assert.equal(await page.locator('.study .comment').filter({ visible: true }).count(), 0);
  await emulate(page, {});
  await click(page, '#study-exercise');
  await shows(page, { '.text': 2, '.study circle.drawn': 1 });
});

const toBranched = { hash: `#view=explore&moves=${BRANCHED.moves}&notes=${encodeURIComponent(BRANCHED.notes)}` };
onPage('on paper, a game has all comments and variations', toBranched, async (page) => {
  await shows(page, { '#view': /First/ });
  assert.equal(await printed(page, '.panel > .text'), TEXT);
  assert.equal(await page.locator('.moves').isVisible(), false);
  await openLink(page, '#view=review&moves=d1c1.c2c3');
  await shows(page, { moves: 'd1-c1 c2-c3' });
  assert.equal(await printed(page, '.panel > .text'), ''); // the list has the same moves, with their marks
});

const ofWhite = { hash: `${toBranched.hash}&start=1b1b1/2w2/5/2b2/1w1w1_w` };
onPage('the list of moves has the comment of the start, and a gap before a move of White', ofWhite, async (page) => {
  await shows(page, { '.moves .first': 'Start position\nFirst\n  words', '.moves li > .entry': 5 });
});

onPage('the device is given the link of a study, and its title', { ...edited, fresh: true }, async (page) => {
  await page.evaluate(() => {
    navigator.share = async (data) => { globalThis.shared = data; };
  });
  await click(page, '#study-send');
  const { title, url } = await page.evaluate(() => globalThis.shared);
  assert.equal(title, STUDY.title);
  assert.match(url, /#view=study&study=/);
});

onPage('a study is sent as a link or as a file', edited, async (page) => {
  await click(page, '#study-send');
  await shows(page, { '#local-hint': 0, '#share-study': 'Save the study as a file', '#share-link': 1 });
});

onPage('below a move, its comment has the width of the list, and grows in its field', toBranched, async (page) => {
  await click(page, '#undo', '#notes summary');
  const widths = await page.locator('.moves, .moves li:not(.first) .comment').evaluateAll((all) =>
    all.map((one) => one.getBoundingClientRect().width));
  assert.ok(widths[1] > 0.85 * widths[0], `${widths}`);
  const heightOf = () => page.locator('#comment').evaluate((field) => field.offsetHeight);
  const before = await heightOf();
  await fill(page, '#comment', 'One\n\nTwo\n\nThree');
  assert.ok(await heightOf() > before + 20, 'the field has grown');
});

onPage('in a page that is a file, a study is sent as a file', { ...edited, url: FILE, fresh: true }, async (page) => {
  await page.evaluate(() => { navigator.share = () => {}; }); // for pages with an address
  await click(page, '#study-send');
  await shows(page, { '#local-hint': /^This link works on this device only\. Save the study as a file/ });
  const { bytes } = await saveFile(page, '#share-study');
  assert.equal(JSON.parse(bytes).title, STUDY.title);
});

onPage('on paper, a study has its link, also as a QR code', { hash: linkTo(STUDY) }, async (page) => {
  await shows(page, ITEMS);
  await print(page);
  // The page may still write its address.
  await page.waitForFunction(() => document.querySelector('footer .printed').textContent === location.href);
  const { size, side, margin } = await page.evaluate(() => {
    const picture = document.querySelector('#qr svg');
    const { x, width } = picture.viewBox.baseVal;
    return { size: width, side: picture.getBoundingClientRect().width, margin: picture.firstChild.getBBox().x - x };
  });
  assert.equal(margin, 4); // squares, which readers of codes need
  assert.ok(side > 100, `${side} pixels`);
  const [code, address] = await page.locator('#qr, footer .printed').evaluateAll((all) =>
    all.map((one) => one.getBoundingClientRect()));
  assert.ok(address.left > code.right, 'the address is next to the code');
  assert.ok(address.top < code.bottom, 'it is not below the code');
  assert.equal((size - 8 - 17) % 4, 0, `a code of ${size - 8} squares`);
  await openLink(page, '#');
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  await shows(page, { '#qr svg': 0 });
});
