// The interactive board: a picture, covered by a grid of cells that handles mouse, touch and keyboard.
//
// A press picks up the piece there. What follows makes a move: a click on another square, a drag there, or a flick.
// Where the user can draw circles and arrows, a stroke does: one with the right button or after a long press or, in
// the mode for marks, any. What has been begun ends when the scene gets another position.

import { h, hovers } from '../dom.js';
import { valueText } from '../format.js';
import { BLANK, Picture } from './picture.js';
import { parseMove } from '../state/position.js';
import { t } from '../texts.js';

import type { Dispatch, LegalMove, Scene, Shape, Side } from '../state/types.js';

const DRAG = 6; // pixels before a press becomes a drag
const LONG = 450; // milliseconds before a touch begins to mark
const FLICK = { milliseconds: 300, squares: 2.5, degrees: 20 }; // at most

/** What keys put on a square in the editor. */
const PLACED: Record<string, Side | null> = { b: 'black', w: 'white', Delete: null, Backspace: null };

/** What a press on a piece began. */
type Press = {id: number, square: string, x: number, y: number, time: number,
  wasPicked: boolean, dragging?: boolean};

/** Whether the user can draw circles and arrows. */
const canMark = ({ mode }: Scene) => mode === 'mark' || mode === 'move or mark';

/** The square of an element in the grid. */
const squareOf = ({ target }: Event): string | undefined =>
  target instanceof Element ? target.closest('[data-square]')?.getAttribute('data-square') ?? undefined : undefined;

/** A board: what it shows and, until the user has made a move with it, what the pointer and the keyboard have begun. */
export class InteractiveBoard {
  shape: Shape;
  dispatch: Dispatch;
  picture: Picture;
  grid: HTMLElement;
  element: HTMLElement;
  scene = BLANK;
  picked: string | null = null;
  tabStop = 'c1'; // the only cell that Tab reaches
  /** The move whose target is pointed at or has the focus. */
  previewed: string | undefined;
  byPointer = false; // a pointer, not the keyboard, gave the board the focus
  press: Press | null = null;
  ignoresClick = false; // the one that follows a piece that was dragged, or a circle or an arrow
  /** The circle or arrow that a pointer draws, and the square from which the keyboard draws one. */
  stroke: { id: number; from: string; to: string } | null = null;
  markedFrom: string | null = null;
  longPress = { timer: 0, x: 0, y: 0 }; // a touch that becomes one
  cells: Map<string, HTMLElement> = new Map();

  constructor(shape: Shape, dispatch: Dispatch) {
    this.shape = shape;
    this.dispatch = dispatch;
    this.picture = new Picture(shape);
    this.grid = h('div', { role: 'grid', class: 'cells' });
    const { squares } = this.picture;
    for (let at = 0; at < squares.length; at += shape.width) {
      const cells = squares.slice(at, at + shape.width).map((name) => this.makeCell(name));
      this.grid.append(h('div', { role: 'row' }, cells));
    }
    this.element = h('div', { class: 'board' }, this.picture.element, this.grid);
    this.element.style.width = `${Math.min(1, this.picture.ratio) * 100}%`; // a high board is as high as a square one
    this.listen();
  }

  makeCell(name: string) {
    const cell = h('div', { role: 'gridcell', tabindex: -1, 'data-square': name });
    cell.style.width = `${this.picture.cell.width * 100}%`;
    cell.style.height = `${this.picture.cell.height * 100}%`;
    this.cells.set(name, cell);
    return cell;
  }

  cellOf(name: string) {
    const cell = this.cells.get(name);
    if (!cell) throw new RangeError(`no square ${name}`);
    return cell;
  }

  /** The move of the picked piece to a square, if there is one. */
  pickedMove(square: string | undefined) {
    return this.scene.legal.find((move) => move.from === this.picked && move.to === square);
  }

  isMovable(square: string) {
    return this.scene.legal.some((move) => move.from === square);
  }

  // ---- what is shown ----

  /** Draws a scene, or what a pointer or the keyboard has begun in that which is shown. */
  draw(next: Scene = this.scene) {
    const isPlacing = next.mode === 'place';
    const moved = next.position !== this.scene.position || isPlacing !== (this.scene.mode === 'place');
    if (moved) this.previewed = undefined;
    if (moved || next.mode !== 'mark') this.markedFrom = null;
    if (moved || !canMark(next)) {
      this.stroke = null;
      clearTimeout(this.longPress.timer);
    }
    if (moved || !next.legal.some((move) => move.from === this.picked)) this.picked = null;
    if (moved && next.picked) this.picked = next.picked;
    this.scene = next;
    const { from, to } = this.stroke ?? { from: this.markedFrom, to: this.markedFrom };
    const drawn = from && to ? [...next.marks, from === to ? from : `${from}-${to}`] : next.marks;
    this.picture.draw({ ...next, marks: drawn }, this.picked);
    this.grid.classList.toggle('pen', next.mode === 'mark');
    this.grid.setAttribute('aria-label', t('board'));
    for (const [name, cell] of this.cells) this.drawCell(name, cell);
    this.orderRows();
    if (!moved || !this.press) return;
    this.press = null; // the piece may no longer be where it was dragged from
    this.picture.drop();
  }

  drawCell(name: string, cell: HTMLElement) {
    const { x, y } = this.picture.corner(name);
    const isPlacing = this.scene.mode === 'place';
    cell.style.left = `${x * 100}%`;
    cell.style.top = `${y * 100}%`;
    this.setTabStop(name, cell);
    cell.classList.toggle('movable', Boolean(isPlacing || this.pickedMove(name) || this.isMovable(name)));
    cell.classList.toggle('draggable', this.isMovable(name));
    cell.setAttribute('aria-selected', String(name === this.picked));
    cell.setAttribute('aria-label', this.labelOf(name));
  }

  /** The label of a square for screen readers. */
  labelOf(name: string) {
    const { last, marks, values } = this.scene;
    const piece = this.picture.pieces.get(name);
    const target = this.pickedMove(name);
    const value = target && values?.find((move) => move.move === target.move)?.value;
    return [
      name,
      t(piece ? `${piece}Piece` : 'empty'),
      last && name === parseMove(last).to && t('lastMove'),
      name === this.picked && t('picked'),
      target && t('canMoveHere'),
      ...marks.filter((mark) => mark.startsWith(name)).map((mark) =>
        (mark === name ? t('circled') : t('arrowTo', parseMove(mark).to))),
      value && valueText(value),
    ].filter(Boolean).join(t('comma'));
  }

  /** The rows are in the order of the screen, which Tab and screen readers follow. */
  orderRows() {
    const { grid, picture } = this;
    const cellAt = (x: number, y: number) => this.cellOf(picture.at(x, y) ?? '');
    if (grid.firstChild?.firstChild === cellAt(0, 0)) return;
    const focused = grid.contains(document.activeElement) && document.activeElement;
    [...grid.children].forEach((row, y) =>
      row.replaceChildren(...Array.from({ length: this.shape.width }, (_, x) => cellAt(x, y))));
    if (focused instanceof HTMLElement) focused.focus();
  }

  setTabStop(name: string, cell: HTMLElement) {
    const index = name === this.tabStop ? 0 : -1;
    if (cell.tabIndex !== index) cell.tabIndex = index; // of a cell with the focus, setting it is slow
  }

  focusOn(square: string) {
    this.tabStop = square;
    for (const [name, cell] of this.cells) this.setTabStop(name, cell);
    this.cellOf(square).focus();
  }

  /** Gives the focus to the board, for the keyboard. */
  focus() {
    this.byPointer = false;
    this.cellOf(this.tabStop).focus();
  }

  // ---- what the user does ----

  pick(square: string | null) {
    if (this.picked === square) return;
    this.picked = square;
    this.dispatch({ type: 'picked', square });
  }

  /** @param move of the picked piece */
  move({ move }: LegalMove) {
    this.picked = null;
    this.dispatch({ type: 'move', move });
  }

  /**
   * Whether a tap on the square deselects its piece. Not one that the scene has picked: who follows it taps it first.
   */
  deselects(square: string) {
    return square === this.picked && square !== this.scene.picked;
  }

  /** Handles a click or Enter. */
  activate(square: string) {
    const move = this.pickedMove(square);
    if (this.scene.mode === 'place') this.dispatch({ type: 'place', square });
    else if (this.scene.mode === 'mark') this.markWithKeys(square);
    else if (move) this.move(move);
    else if (!this.deselects(square) && this.isMovable(square)) this.pick(square);
    else {
      const from = this.picked;
      this.pick(null);
      if (square !== from) this.dispatch({ type: 'refused', from, to: square });
    }
  }

  /** Reports the move of the picked piece to the square, if values are shown. */
  preview(square: string | undefined) {
    const move = this.pickedMove(square);
    const choice = this.scene.values?.find((one) => one.move === move?.move) ?? null;
    if (this.previewed === choice?.move) return;
    this.previewed = choice?.move;
    this.dispatch({ type: 'preview', move: choice });
  }

  /** The move of a piece that was flicked rather than dragged: a short, fast stroke in its direction. */
  flickedMove({ square, x, y, time }: Press, event: PointerEvent) {
    const size = this.cellOf(square).offsetWidth;
    const [dx, dy] = [event.clientX - x, event.clientY - y];
    const length = Math.hypot(dx, dy);
    if (length <= DRAG) return undefined; // it was put back, in whatever direction
    if (event.timeStamp - time > FLICK.milliseconds || length > FLICK.squares * size) return undefined;
    const from = this.picture.place(square);
    const turn = (move: LegalMove) => {
      const to = this.picture.place(move.to);
      const angle = Math.atan2(to.y - from.y, to.x - from.x) - Math.atan2(dy, dx);
      return Math.abs(Math.atan2(Math.sin(angle), Math.cos(angle)));
    };
    return this.scene.legal.find((move) => move.from === square && turn(move) < (FLICK.degrees * Math.PI) / 180);
  }

  // ---- circles and arrows ----

  /** Begins to draw with a pointer. */
  beginStroke(id: number, square: string) {
    this.press = null;
    this.markedFrom = null;
    this.picked = null;
    this.stroke = { id, from: square, to: square };
    this.cellOf(square).setPointerCapture(id);
    this.draw();
  }

  endStroke() {
    clearTimeout(this.longPress.timer);
    if (!this.stroke) return;
    const { from, to } = this.stroke;
    this.stroke = null;
    this.ignoresClick = true;
    this.dispatch({ type: 'mark', from, to });
  }

  /** Begins or ends an arrow or a circle with the keyboard. */
  markWithKeys(square: string) {
    const from = this.markedFrom;
    this.markedFrom = from ? null : square;
    this.dispatch(from ? { type: 'mark', from, to: square } : { type: 'picked', square });
  }

  // ---- events ----

  listen() {
    const { grid } = this;
    // A second finger does nothing.
    grid.addEventListener('pointerdown', (event) => event.isPrimary && this.onPointerDown(event));
    grid.addEventListener('pointermove', (event) => event.isPrimary && this.onPointerMove(event));
    grid.addEventListener('pointerup', (event) => event.isPrimary && this.onPointerUp(event));
    grid.addEventListener('pointercancel', (event) => event.isPrimary && this.release());
    grid.addEventListener('contextmenu', (event) => canMark(this.scene) && event.preventDefault());
    // After a long press, the finger draws instead of scrolling.
    grid.addEventListener('touchmove', (event) => this.stroke && event.preventDefault(), { passive: false });
    grid.addEventListener('pointerleave', () => this.preview(undefined));
    grid.addEventListener('focusin', (event) => this.onFocus(event));
    grid.addEventListener('click', (event) => this.onClick(event));
    grid.addEventListener('keydown', (event) => this.onKey(event));
  }

  onPointerDown(event: PointerEvent) {
    const { pointerId: id, clientX: x, clientY: y } = event;
    const square = squareOf(event);
    if (this.press || this.stroke) this.release(); // of another pointer, or of this one without its end
    this.ignoresClick = false;
    this.byPointer = true;
    if (!square) return;
    const isMarkable = canMark(this.scene);
    const isPen = event.button === 2 || (event.button === 0 && this.scene.mode === 'mark');
    if (isMarkable && isPen) return this.beginStroke(id, square);
    if (isMarkable && event.pointerType === 'touch')
      this.longPress = { timer: window.setTimeout(() => this.beginStroke(id, square), LONG), x, y };
    if (event.button !== 0 || this.pickedMove(square) || !this.isMovable(square)) return;
    this.press = { id, square, x, y, time: event.timeStamp, wasPicked: this.deselects(square) };
    this.cellOf(square).setPointerCapture(id);
    this.pick(square);
  }

  onPointerMove(event: PointerEvent) {
    const { press, stroke, longPress } = this;
    if (stroke?.id === event.pointerId) {
      const square = this.picture.squareAt(event);
      if (square === stroke.to) return;
      stroke.to = square ?? stroke.from;
      this.draw();
      return;
    }
    if (Math.hypot(event.clientX - longPress.x, event.clientY - longPress.y) > DRAG) clearTimeout(longPress.timer);
    if (!press && hovers(event)) this.preview(squareOf(event));
    if (press?.id !== event.pointerId) return;
    press.dragging ||= Math.hypot(event.clientX - press.x, event.clientY - press.y) > DRAG;
    if (press.dragging) this.picture.drag(press.square, event);
  }

  onPointerUp(event: PointerEvent) {
    const { press, picked } = this;
    this.endStroke();
    if (press?.id !== event.pointerId || !press.dragging) return;
    const square = this.picture.squareAt(event);
    const move = picked && (this.pickedMove(square) ?? this.flickedMove(press, event));
    if (move) this.move(move);
    else if (square && square !== picked) this.dispatch({ type: 'refused', from: picked, to: square });
    this.picture.drop();
    this.press = null;
    this.ignoresClick = true;
  }

  /** Ends what a pointer has begun, without effect. */
  release() {
    clearTimeout(this.longPress.timer);
    this.press = null;
    this.stroke = null;
    this.picture.drop();
    this.draw();
  }

  onFocus(event: FocusEvent) {
    const { target, relatedTarget: before } = event;
    if (!(target instanceof Element && target.matches(':focus-visible'))) return;
    const isInside = before instanceof Node && this.grid.contains(before);
    if (!isInside) this.byPointer = false; // the Tab key leads here
    this.preview(squareOf(event));
  }

  onClick(event: MouseEvent) {
    const square = squareOf(event);
    const { press, ignoresClick } = this;
    this.press = null;
    this.ignoresClick = false;
    if (!square || ignoresClick) return;
    this.tabStop = square;
    // The press has already picked the piece. The click deselects it if it was picked before the press.
    if (press?.square !== square) this.activate(square);
    else if (press?.wasPicked) this.pick(null);
  }

  /** Where a key moves the focus, in columns and rows; undefined for other keys. */
  stepOf(key: string, square: string) {
    const { x } = this.picture.place(square);
    const steps: Record<string, [number, number]> = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, -1],
      ArrowDown: [0, 1],
      Home: [-x, 0],
      End: [this.shape.width - 1 - x, 0],
    };
    return steps[key];
  }

  onKey(event: KeyboardEvent) {
    const square = squareOf(event);
    if (!square || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = this.stepOf(event.key, square);
    if (step && this.byPointer && this.scene.mode !== 'place') return; // these keys then step through the game
    if (step) {
      const { x, y } = this.picture.place(square);
      const next = this.picture.at(x + step[0], y + step[1]);
      if (next) this.focusOn(next);
    } else if (event.key === 'Enter' || event.key === ' ') this.activate(square);
    else if (event.key === 'Escape' && this.markedFrom) {
      this.markedFrom = null;
      this.draw();
    } else if (event.key === 'Escape' && this.picked) this.pick(null);
    else if (this.scene.mode === 'place' && Object.hasOwn(PLACED, event.key))
      this.dispatch({ type: 'place', square, piece: PLACED[event.key] });
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
