// The board as it is used: over its picture lies a grid of cells that takes mouse, touch and keyboard.

import { h } from './dom.js';
import { createPicture } from './picture.js';
import { readPosition } from './position.js';
import { t } from './texts.js';
import { valueWords } from './words.js';

const DRAG = 6; // pixels before a press becomes a drag

/**
 * createBoard(shape, {onMove(move), onSquare(square, key), onPick(square), onLook(one of the values or null)}) gives
 * {element, draw(scene)}.
 * A scene: {position, legal: [{move, from, to}], last: move text | null, values: [{move, from, to, value}] | null,
 * preview: {from, to, value} | null, winners: side | null, flip, editing}.
 */
export function createBoard(shape, { onMove, onSquare, onPick, onLook }) {
  const { width, height } = shape;
  const picture = createPicture(shape);
  const cells = new Map();
  const grid = h('div', { role: 'grid', class: 'cells', 'data-t-label': 'board' });
  for (let row = 0; row < height; row++)
    grid.append(
      h(
        'div',
        { role: 'row' },
        picture.squares.slice(row * width, (row + 1) * width).map((name) => {
          const cell = h('div', { role: 'gridcell', tabindex: -1, 'data-square': name });
          cells.set(name, cell);
          return cell;
        }),
      ),
    );
  const element = h('div', { class: 'board' }, picture.element, grid);

  let scene = { position: null, legal: [], editing: false, flip: false };
  let pieces = new Map();
  let picked = null;
  let home = 'c1'; // the cell in the order of tabulation
  let looked; // the move whose goal is pointed at or has the focus
  let press = null; // {id, square, x, y, wasPicked, dragging, done}

  const moveTo = (square) => scene.legal.find((move) => move.from === picked && move.to === square);
  const movable = (square) => scene.legal.some((move) => move.from === square);

  function drawCells() {
    const last = scene.last?.split('-') ?? [];
    for (const [name, cell] of cells) {
      const { x, y } = picture.corner(name);
      cell.style.left = `${x * 100}%`;
      cell.style.top = `${y * 100}%`;
      cell.tabIndex = name === home ? 0 : -1;
      const target = picked && moveTo(name);
      const value = target && scene.values?.find((move) => move.move === target.move)?.value;
      cell.classList.toggle('movable', Boolean(scene.editing || target || movable(name)));
      cell.classList.toggle('draggable', !scene.editing && movable(name));
      cell.setAttribute('aria-selected', name === picked);
      cell.setAttribute(
        'aria-label',
        [
          name,
          t(pieces.get(name) ? `${pieces.get(name)}Piece` : 'empty'),
          name === last[1] && t('lastMove'),
          name === picked && t('picked'),
          target && t('canMoveHere'),
          value && valueWords(value),
        ]
          .filter(Boolean)
          .join(', '),
      );
    }
    // Tabulation and screen readers follow what is seen: the rows are in the order of the screen.
    if (grid.firstChild.firstChild === cells.get(picture.at(0, 0))) return;
    const focused = grid.contains(document.activeElement) && document.activeElement;
    [...grid.children].forEach((row, y) =>
      row.replaceChildren(...Array.from({ length: width }, (_, x) => cells.get(picture.at(x, y)))),
    );
    if (focused) focused.focus();
  }

  function redraw() {
    picture.show(scene, picked);
    drawCells();
  }

  function pick(square) {
    if (picked === square) return;
    picked = square;
    redraw();
    onPick(square);
  }

  /** What a click or Enter does. */
  function activate(square) {
    if (scene.editing) return onSquare(square);
    const move = picked && moveTo(square);
    if (move) {
      picked = null;
      onMove(move.move);
    } else {
      pick(square !== picked && movable(square) ? square : null);
    }
  }

  function focus(square) {
    home = square;
    for (const [name, cell] of cells) cell.tabIndex = name === home ? 0 : -1;
    cells.get(square).focus();
  }

  /** Tells which move the square would be the goal of, where values are shown. */
  function look(square) {
    const move = picked && moveTo(square);
    const option = scene.values?.find((one) => one.move === move?.move) ?? null;
    if (looked === option?.move) return;
    looked = option?.move;
    onLook(option);
  }

  const squareOf = (event) => event.target.closest?.('[data-square]')?.dataset.square;

  grid.addEventListener('pointerdown', (event) => {
    const square = squareOf(event);
    press = null;
    if (!square || event.button !== 0 || scene.editing || (picked && moveTo(square)) || !movable(square)) return;
    press = {
      id: event.pointerId,
      square,
      x: event.clientX,
      y: event.clientY,
      wasPicked: picked === square,
    };
    cells.get(square).setPointerCapture(event.pointerId);
    pick(square);
  });
  grid.addEventListener('pointermove', (event) => {
    if (press?.id !== event.pointerId) return;
    press.dragging ||= Math.hypot(event.clientX - press.x, event.clientY - press.y) > DRAG;
    if (press.dragging) picture.lift(press.square, event);
  });
  grid.addEventListener('pointerup', (event) => {
    if (press?.id !== event.pointerId || !press.dragging) return;
    const move = picked && moveTo(picture.squareAt(event));
    if (move) {
      picked = null;
      onMove(move.move);
    }
    picture.settle();
    press = { done: true }; // the click that follows means nothing more
  });
  grid.addEventListener('pointercancel', () => {
    press = null;
    picture.settle();
  });
  grid.addEventListener('pointerover', (event) => look(squareOf(event)));
  grid.addEventListener('pointerleave', () => look(null));
  grid.addEventListener('focusin', (event) => look(squareOf(event)));
  grid.addEventListener('click', (event) => {
    const square = squareOf(event);
    const before = press;
    press = null;
    if (!square || before?.done) return;
    home = square;
    // The press has picked the piece already: the click only puts down what was picked before it.
    if (before?.square === square) return before.wasPicked ? pick(null) : undefined;
    activate(square);
  });
  grid.addEventListener('keydown', (event) => {
    const square = squareOf(event);
    if (!square || event.ctrlKey || event.metaKey || event.altKey) return;
    const { x, y } = picture.place(square);
    const step = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, -1],
      ArrowDown: [0, 1],
      Home: [-x, 0],
      End: [width - 1 - x, 0],
    }[event.key];
    if (step) {
      const next = picture.at(x + step[0], y + step[1]);
      if (next) focus(next);
    } else if (event.key === 'Enter' || event.key === ' ') activate(square);
    else if (event.key === 'Escape' && picked) pick(null);
    else if (!scene.editing || !onSquare(square, event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  });

  return {
    element,
    draw(next) {
      const moved = next.position !== scene.position || next.editing !== scene.editing;
      if (moved) looked = undefined;
      if (moved || !next.legal.some((move) => move.from === picked)) picked = null;
      scene = next;
      ({ pieces } = readPosition(scene.position, shape));
      redraw();
    },
  };
}
