// The interactive board: a picture, covered by a grid of cells that handles mouse, touch and keyboard.

import { h, hovers } from '../views/dom.js';
import { valueText } from '../format.js';
import { BLANK, createPicture } from './picture.js';
import { parseMove, readPosition } from '../state/position.js';
import { t } from '../texts.js';

/** @import { LegalMove, MoveShown, Pieces, Scene, Shape } from '../state/types.js' */

const DRAG = 6; // pixels before a press becomes a drag
const LONG = 450; // milliseconds before a touch begins to draw
const FLICK = { milliseconds: 300, squares: 2.5, degrees: 20 }; // at most

/**
 * What the user does on the board. onRefuse: the picked piece cannot move there, or, without one, there is no piece
 * that can move. onDraw: an arrow, or a circle if both squares are the same. onSquare, with a key or for a click,
 * returns whether it did anything.
 * @typedef {{onMove(move: string): void, onSquare(square: string, key?: string): boolean,
 *   onPick(square: string | null): void, onRefuse(from: string | null, to: string): void,
 *   onDraw(from: string, to: string): void, onPreview(value: MoveShown | null): void}} Handlers
 */

/**
 * @param {Shape} shape
 * @param {Handlers} handlers
 */
export function createBoard(shape, { onMove, onSquare, onPick, onRefuse, onDraw, onPreview }) {
  const { width, height } = shape;
  const picture = createPicture(shape);
  /** @type {Map<string, HTMLElement>} */
  const cells = new Map();
  const grid = h('div', { role: 'grid', class: 'cells' });
  for (let row = 0; row < height; row++)
    grid.append(
      h(
        'div',
        { role: 'row' },
        picture.squares.slice(row * width, (row + 1) * width).map((name) => {
          const cell = h('div', { role: 'gridcell', tabindex: -1, 'data-square': name });
          cell.style.width = `${picture.cell.width * 100}%`;
          cell.style.height = `${picture.cell.height * 100}%`;
          cells.set(name, cell);
          return cell;
        }),
      ),
    );
  const element = h('div', { class: 'board' }, picture.element, grid);
  element.style.width = `${Math.min(1, picture.ratio) * 100}%`; // a high board is as high as a square one

  let scene = BLANK;
  /** @type {Pieces} */
  let pieces = new Map();
  /** @type {string | null} */
  let picked = null;
  let tabStop = 'c1'; // the only cell that Tab reaches
  /** @type {string | undefined} */
  let previewed; // the move whose target is pointed at or has the focus
  let byPointer = false; // a pointer, not the keyboard, gave the board the focus
  /**
   * @type {{id: number, square: string, x: number, y: number, time: number, wasPicked: boolean,
   *   dragging?: boolean} | null}
   */
  let press = null;
  let dragged = false; // the click that follows has no effect
  /** @type {{id: number, from: string, to: string} | null} */
  let stroke = null; // what a pointer draws
  /** @type {string | null} */
  let begun = null; // the square from which the keyboard draws
  let hold = { timer: 0, x: 0, y: 0 }; // a touch that becomes a long press

  /** @param {string} name */
  const cellOf = (name) => /** @type {HTMLElement} */ (cells.get(name));
  /** @param {string | undefined} square */
  const moveTo = (square) => scene.legal.find((move) => move.from === picked && move.to === square);
  /** @param {string} square */
  const movable = (square) => scene.legal.some((move) => move.from === square);

  /**
   * @param {string} name
   * @param {HTMLElement} cell
   */
  function setTabStop(name, cell) {
    const index = name === tabStop ? 0 : -1;
    if (cell.tabIndex !== index) cell.tabIndex = index; // of a cell with the focus, setting it is slow
  }

  function drawCells() {
    grid.setAttribute('aria-label', t('board'));
    const last = scene.last ? parseMove(scene.last) : null;
    for (const [name, cell] of cells) {
      const { x, y } = picture.corner(name);
      cell.style.left = `${x * 100}%`;
      cell.style.top = `${y * 100}%`;
      setTabStop(name, cell);
      const target = picked && moveTo(name);
      const value = target && scene.values?.find((move) => move.move === target.move)?.value;
      cell.classList.toggle('movable', Boolean(scene.editing || target || movable(name)));
      cell.classList.toggle('draggable', !scene.editing && movable(name));
      cell.setAttribute('aria-selected', String(name === picked));
      cell.setAttribute(
        'aria-label',
        [
          name,
          t(pieces.has(name) ? `${pieces.get(name)}Piece` : 'empty'),
          name === last?.to && t('lastMove'),
          name === picked && t('picked'),
          target && t('canMoveHere'),
          ...scene.marks.filter((mark) => mark.startsWith(name)).map((mark) =>
            (mark === name ? t('circled') : t('arrowTo', parseMove(mark).to))),
          value && valueText(value),
        ]
          .filter(Boolean)
          .join(', '),
      );
    }
    // The rows are in the order of the screen, which Tab and screen readers follow.
    const cellAt = (/** @type {number} */ x, /** @type {number} */ y) => cellOf(picture.at(x, y) ?? '');
    if (grid.firstChild?.firstChild === cellAt(0, 0)) return;
    const focused = grid.contains(document.activeElement) && document.activeElement;
    [...grid.children].forEach((row, y) =>
      row.replaceChildren(...Array.from({ length: width }, (_, x) => cellAt(x, y))),
    );
    if (focused instanceof HTMLElement) focused.focus();
  }

  function redraw() {
    const { from, to } = stroke ?? { from: begun, to: begun };
    const drawn = from && to ? [...scene.marks, from === to ? from : `${from}-${to}`] : scene.marks;
    picture.show({ ...scene, marks: drawn }, pieces, picked);
    grid.classList.toggle('pen', scene.pen);
    drawCells();
  }

  /**
   * Begins to draw with a pointer.
   * @param {number} id
   * @param {string} square
   */
  function beginStroke(id, square) {
    press = null;
    begun = null;
    picked = null;
    stroke = { id, from: square, to: square };
    cellOf(square).setPointerCapture(id);
    redraw();
  }

  function endStroke() {
    clearTimeout(hold.timer);
    if (!stroke) return;
    const { from, to } = stroke;
    stroke = null;
    dragged = true;
    onDraw(from, to);
  }

  /**
   * Begins or ends an arrow or a circle with the keyboard.
   * @param {string} square
   */
  function drawWithKeys(square) {
    const from = begun;
    begun = from ? null : square;
    if (from) return onDraw(from, square);
    redraw();
    return onPick(square);
  }

  /** @param {string | null} square */
  function pick(square) {
    if (picked === square) return;
    picked = square;
    redraw();
    onPick(square);
  }

  /**
   * Whether a tap on the square deselects its piece. Not one that the scene has picked: who follows it taps it first.
   * @param {string} square
   */
  const deselects = (square) => square === picked && square !== scene.picked;

  /**
   * Handles a click or Enter.
   * @param {string} square
   */
  function activate(square) {
    const move = picked && moveTo(square);
    if (scene.editing) onSquare(square);
    else if (scene.pen) drawWithKeys(square);
    else if (move) {
      picked = null;
      onMove(move.move);
    } else if (!deselects(square) && movable(square)) pick(square);
    else {
      const from = picked;
      pick(null);
      if (square !== from) onRefuse(from, square);
    }
  }

  /** @param {string} square */
  function focus(square) {
    tabStop = square;
    for (const [name, cell] of cells) setTabStop(name, cell);
    cellOf(square).focus();
  }

  /**
   * Reports the move of the picked piece to the square, if values are shown.
   * @param {string | undefined} square
   */
  function preview(square) {
    const move = picked ? moveTo(square) : undefined;
    const choice = scene.values?.find((one) => one.move === move?.move) ?? null;
    if (previewed === choice?.move) return;
    previewed = choice?.move;
    onPreview(choice);
  }

  /**
   * The move of a piece that was flicked rather than dragged: a short, fast stroke in its direction.
   * @param {{square: string, x: number, y: number, time: number}} press
   * @param {PointerEvent} event
   */
  function flickedMove({ square, x, y, time }, event) {
    const size = cellOf(square).offsetWidth;
    const [dx, dy] = [event.clientX - x, event.clientY - y];
    if (event.timeStamp - time > FLICK.milliseconds || Math.hypot(dx, dy) > FLICK.squares * size) return undefined;
    const from = picture.place(square);
    /** @param {LegalMove} move */
    const turn = (move) => {
      const to = picture.place(move.to);
      const angle = Math.atan2(to.y - from.y, to.x - from.x) - Math.atan2(dy, dx);
      return Math.abs(Math.atan2(Math.sin(angle), Math.cos(angle)));
    };
    return scene.legal.find((move) => move.from === square && turn(move) < (FLICK.degrees * Math.PI) / 180);
  }

  /**
   * @param {Event} event
   * @returns {string | undefined}
   */
  const squareOf = ({ target }) =>
    target instanceof Element ? target.closest('[data-square]')?.getAttribute('data-square') ?? undefined : undefined;

  grid.addEventListener('pointerdown', (event) => {
    const square = squareOf(event);
    press = null;
    dragged = false;
    byPointer = true;
    clearTimeout(hold.timer);
    if (square && scene.drawing && (event.button === 2 || (scene.pen && event.button === 0))) {
      beginStroke(event.pointerId, square);
      return;
    }
    if (square && scene.drawing && event.pointerType === 'touch')
      hold = {
        timer: window.setTimeout(() => beginStroke(event.pointerId, square), LONG),
        x: event.clientX,
        y: event.clientY,
      };
    if (!square || event.button !== 0 || scene.editing || (picked && moveTo(square)) || !movable(square)) return;
    press = {
      id: event.pointerId,
      square,
      x: event.clientX,
      y: event.clientY,
      time: event.timeStamp,
      wasPicked: deselects(square),
    };
    cellOf(square).setPointerCapture(event.pointerId);
    pick(square);
  });
  grid.addEventListener('pointermove', (event) => {
    if (stroke?.id === event.pointerId) {
      const square = picture.squareAt(event);
      if (square === stroke.to) return;
      stroke.to = square ?? stroke.from;
      redraw();
      return;
    }
    if (Math.hypot(event.clientX - hold.x, event.clientY - hold.y) > DRAG) clearTimeout(hold.timer);
    if (!press && hovers(event)) preview(squareOf(event));
    if (!press || press.id !== event.pointerId) return;
    press.dragging ||= Math.hypot(event.clientX - press.x, event.clientY - press.y) > DRAG;
    if (press.dragging) picture.drag(press.square, event);
  });
  grid.addEventListener('pointerup', (event) => {
    endStroke();
    if (!press || press.id !== event.pointerId || !press.dragging) return;
    const square = picture.squareAt(event);
    const move = picked && (moveTo(square) ?? flickedMove(press, event));
    if (move) {
      picked = null;
      onMove(move.move);
    } else if (square && square !== picked) onRefuse(picked, square);
    picture.drop();
    press = null;
    dragged = true;
  });
  grid.addEventListener('pointercancel', () => {
    clearTimeout(hold.timer);
    press = null;
    stroke = null;
    picture.drop();
    redraw();
  });
  grid.addEventListener('contextmenu', (event) => scene.drawing && event.preventDefault());
  // After a long press, the finger draws instead of scrolling.
  grid.addEventListener('touchmove', (event) => stroke && event.preventDefault(), { passive: false });
  grid.addEventListener('pointerleave', () => preview(undefined));
  grid.addEventListener('focusin', (event) => {
    if (!(/** @type {Element} */ (event.target).matches(':focus-visible'))) return;
    if (!grid.contains(/** @type {Node | null} */ (event.relatedTarget))) byPointer = false; // the Tab key leads here
    preview(squareOf(event));
  });
  grid.addEventListener('click', (event) => {
    const square = squareOf(event);
    const before = press;
    const ends = dragged;
    press = null;
    dragged = false;
    if (!square || ends) return;
    tabStop = square;
    // The press has already picked the piece. The click deselects it if it was picked before the press.
    if (before?.square !== square) activate(square);
    else if (before?.wasPicked) pick(null);
  });
  grid.addEventListener('keydown', (event) => {
    const square = squareOf(event);
    if (!square || event.ctrlKey || event.metaKey || event.altKey) return;
    const { x, y } = picture.place(square);
    const step = /** @type {Record<string, [number, number]>} */ ({
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, -1],
      ArrowDown: [0, 1],
      Home: [-x, 0],
      End: [width - 1 - x, 0],
    })[event.key];
    if (step && byPointer && !scene.editing) return; // these keys then step through the game
    if (step) {
      const next = picture.at(x + step[0], y + step[1]);
      if (next) focus(next);
    } else if (event.key === 'Enter' || event.key === ' ') activate(square);
    else if (event.key === 'Escape' && begun) {
      begun = null;
      redraw();
    }
    else if (event.key === 'Escape' && picked) pick(null);
    else if (!scene.editing || !onSquare(square, event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  });

  return {
    element,
    /** Gives the focus to the board, for the keyboard. */
    focus() {
      byPointer = false;
      cellOf(tabStop).focus();
    },
    /** @param {Scene} next */
    draw(next) {
      const moved = next.position !== scene.position || next.editing !== scene.editing;
      if (moved) previewed = undefined;
      if (moved || !next.pen) begun = null;
      if (moved || !next.drawing) stroke = null;
      if (moved || !next.legal.some((move) => move.from === picked)) picked = null;
      if (moved && next.picked) picked = next.picked;
      scene = next;
      ({ pieces } = readPosition(scene.position, shape));
      redraw();
      if (!moved || !press) return;
      press = null; // the piece may no longer be where it was dragged from
      picture.drop();
    },
  };
}
