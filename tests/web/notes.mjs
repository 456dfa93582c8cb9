// Tests of what Explore adds to the moves: variations, comments, circles and arrows. From the environment: as in
// pages.mjs.

import assert from 'node:assert/strict';

import {
  beginDrag, boxOf, click, fill, onPage, openLink, play, point, press, read, reload, settle, shows, squareOf,
  tap,
} from './pages.mjs';

const LINE = '#view=explore&moves=b1c1.b5c5';

/** Draws with the mouse from one square to another, and does something else before the end. */
async function draw(page, from, to, button = 'right', meanwhile = () => {}) {
  const [begin, end] = await Promise.all([from, to].map((name) => boxOf(page, squareOf(name))));
  await page.mouse.move(begin.x + begin.width / 2, begin.y + begin.height / 2);
  await page.mouse.down({ button });
  await page.mouse.move(end.x + end.width / 2, end.y + end.height / 2, { steps: 2 });
  await meanwhile();
  await page.mouse.up({ button });
}

/** Touches a square, goes on to another one, and stays at the first or at the last one for a long press. */
async function touch(page, from, to, { isDrag = false } = {}) {
  const session = await page.context().newCDPSession(page);
  const send = async (type, name, tremble = 0) => {
    const box = name && await boxOf(page, squareOf(name));
    const touchPoints = box ? [{ x: box.x + box.width / 2 + tremble, y: box.y + box.height / 2 }] : [];
    await session.send('Input.dispatchTouchEvent', { type, touchPoints });
  };
  await send('touchStart', from);
  await send('touchMove', from, 4); // no finger is still
  if (!isDrag) await page.waitForTimeout(500);
  await send('touchMove', to);
  if (isDrag) await page.waitForTimeout(500);
  await send('touchEnd');
}

/** Opens the editor of the comment and the drawings, unless the test before has. */
async function openEditor(page) {
  if ((await read(page, '#notes[open]')) === undefined) await click(page, '#notes summary');
}

onPage('what is opened is seen, and stays open when something else is rendered', { hash: LINE }, async (page) => {
  await page.evaluate(() => {
    document.querySelector('#notes summary').click();
    document.querySelector('#flip').click();
  });
  await settle(page); // the event `toggle` comes in a later task
  await shows(page, { '#notes[open] #comment': 1 });
  await page.waitForFunction(() => document.querySelector('#notes').getBoundingClientRect().bottom <= innerHeight);
  await click(page, '#notes summary');
  await shows(page, { '#notes[open]': 0, '#notes': 1 });
});

onPage('the right button draws an arrow, and erases it', { hash: LINE }, async (page) => {
  await draw(page, 'c1', 'e3');
  await shows(page, { '.drawn .head': 1, hash: `${LINE}&notes=2+c1e3+`, '#spoken': 'Arrow c1 to e3.' });
  await draw(page, 'c1', 'e3');
  await shows(page, { '.drawn': 0, hash: LINE, '#spoken': 'Erased: arrow c1 to e3.' });
  const opensMenu = () => document.querySelector('[data-square=c1]')
    .dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }));
  assert.equal(await page.evaluate(opensMenu), false);
  await click(page, '#tab-play');
  assert.equal(await page.evaluate(opensMenu), true);
});

onPage('a click with the right button draws a circle, not a long one with the left', { hash: LINE }, async (page) => {
  await beginDrag(page, 'c3-c3', 0);
  await settle(page);
  await page.mouse.up();
  await shows(page, { '.drawn': 0 });
  await point(page, squareOf('c1'));
  await shows(page, { '.piece.picked': 1 });
  await draw(page, 'c3', 'c3');
  await shows(page, { 'circle.drawn': 1, hash: `${LINE}&notes=2+c3+`, '#spoken': 'Circle on c3.', '.picked': 0 });
});

onPage('what is being drawn is seen, and is not drawn elsewhere', { hash: LINE }, async (page) => {
  await draw(page, 'c3', 'c3', 'right', () => press(page, '1'));
  await click(page, '#tab-explore');
  await shows(page, { '.drawn': 0, hash: LINE });
  await draw(page, 'c3', 'c3', 'right', async () => {
    await shows(page, { 'circle.drawn': 1 });
    await press(page, 'ArrowLeft');
  });
  await shows(page, { '.drawn': 0, hash: `${LINE}&at=1` });
});

onPage('with the switch, the left button draws and moves no piece', { hash: LINE }, async (page) => {
  await openEditor(page);
  await click(page, '#pen');
  await shows(page, { '.movable': 0 });
  await draw(page, 'c1', 'c3', 'left');
  await draw(page, 'c1', 'c1', 'left');
  await shows(page, { hash: `${LINE}&notes=2+c1c3.c1+` });
  await click(page, '#pen');
  await play(page, 'c1-a3');
  await shows(page, { moves: 'b1-c1 b5-c5 c1-a3' });
});

onPage('the keyboard draws', { hash: LINE }, async (page) => {
  await press(page, 'd', 'g', ...Array(4).fill('ArrowDown'), 'Home', 'Enter', 'End', 'Enter', 'Enter', 'Enter');
  await shows(page, { hash: /notes=2\+a1e1\.e1\+$/ });
  await press(page, 'Enter');
  await draw(page, 'c3', 'c3', 'left'); // what the keyboard has begun is over
  await press(page, 'Enter', 'Escape', 'Enter', 'd'); // neither is drawn
  await shows(page, { '.drawn': 3, hash: /notes=2\+a1e1\.e1\.c3\+$/ });
});

onPage('a comment that is typed and not left is kept when the page is loaded again', { hash: LINE }, async (page) => {
  await openEditor(page);
  await page.locator('#comment').pressSequentially('Both good');
  await reload(page);
  await shows(page, { hash: `${LINE}&notes=2++Both+good`, '#view > .comment': 'Both good' });
});

onPage('a button stays under the pointer that leaves the comment for it', { hash: LINE }, async (page) => {
  await openEditor(page);
  await fill(page, '#comment', 'A long comment. '.repeat(30));
  await page.locator('#study-add').scrollIntoViewIfNeeded();
  const { x, y, width, height } = await boxOf(page, '#study-add');
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await settle(page);
  const { y: later } = await boxOf(page, '#study-add');
  await page.mouse.up();
  assert.equal(later, y);
  await shows(page, { '#spoken': /^Added/, '#view > .comment': /^A long comment/ });
  await fill(page, '#comment', 'Short');
  await page.evaluate(() => { // the browser scrolls
    for (const type of ['pointerdown', 'pointercancel']) window.dispatchEvent(new PointerEvent(type));
    document.activeElement.blur();
  });
  await shows(page, { '#view > .comment': 'Short' });
  await fill(page, '#comment', 'x'.repeat(10001)); // which is too long
  await shows(page, { '#comment': 'Short', '#notice': /Nothing was added\.$/ });
});

onPage('the address has the first letter that is typed, and all of them when the page is hidden', { hash: LINE,
  patient: 100 }, async (page) => {
  await openEditor(page);
  await page.locator('#comment').pressSequentially('Both');
  await shows(page, { hash: `${LINE}&notes=2++B` });
  await page.evaluate(() => window.dispatchEvent(new Event('pagehide')));
  await shows(page, { hash: `${LINE}&notes=2++Both` });
});

const NESTED =
  'b1b4vb1a2.c2c3vd5d2.d1e2vc4d5.c2c5vb5a4.d1e1vd1e2.c2c5va4e4.a2a5va2a1.c2d3vc2c5.a1e5va1a5.d2d4vc5b5.' +
  'e2e3vd5c5.d2d5ve4e5.e2e4va5c3.d2d5vb5b1.e2e4vc3a3.b1b5vd2a5.e2e4vc5e3.b1b5vb1a2.e2e1va3c5.a2a4ve5a1.' +
  'e2e1ve3e5.a1d4va2d5';
onPage('of variations in each other, so many are shown that no link takes the page long',
  { hash: `#view=explore&moves=${NESTED}${'z'.repeat(22)}` }, async (page) => {
  await shows(page, { '.variation': 21 });
});

const TOUCH = { hash: LINE, size: [390, 844], hasTouch: true, patient: true };
onPage('a long press draws an arrow, unlike a tap, and a slow drag moves a piece', TOUCH, async (page) => {
  await tap(page, squareOf('c4'));
  await page.waitForTimeout(500);
  await shows(page, { '.picked': 2 }); // the piece and its square
  await touch(page, 'c1', 'c3');
  await shows(page, { hash: `${LINE}&notes=2+c1c3+`, moves: 'b1-c1 b5-c5' });
  await touch(page, 'c4', 'c3', { isDrag: true });
  await shows(page, { moves: 'b1-c1 b5-c5 c4-c3', '.drawn': 0 });
});

onPage('the line of a move that a touch has previewed can be played', TOUCH, async (page) => {
  const { move } = await page.evaluate(() => ({ ...document.querySelectorAll('.value')[4].dataset }));
  await tap(page, `.value[data-move="${move}"]`);
  await shows(page, { '.steps li:first-child': move });
  await tap(page, '.steps li:first-child button');
  await shows(page, { '.steps li:first-child': move, '.steps li:first-child [aria-current=true]': 1 });
});

onPage('moves of the own game cannot be deleted, but those of a link', {}, async (page) => {
  await play(page, 'b1-c1', 'b5-c5');
  await click(page, '#tab-explore', '#undo');
  await shows(page, { '#delete-line': 0 });
  await play(page, 'c2-c3');
  await shows(page, { '#delete-line': 'Delete c2-c3 and what follows' });
  await openLink(page, '#view=explore&moves=d1c1.b5c5');
  await shows(page, { '#delete-line': 'Delete b5-c5 and what follows' });
});

onPage('the last letters of a comment are stored when a link is opened at once', { patient: 100 }, async (page) => {
  await play(page, 'b1-c1');
  await click(page, '#tab-explore', '#notes summary');
  await page.evaluate(() => {
    const field = document.querySelector('#notes textarea');
    for (const text of ['A', 'AB']) {
      field.value = text;
      field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    }
    location.hash = '#moves=d1c1';
  });
  await click(page, '#resume', '#tab-explore');
  await shows(page, { '.moves .comment': ['AB'] });
});

