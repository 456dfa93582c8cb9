// The picture of the board: an SVG of squares, pieces, marks and values.

import { fill, s, symbol } from '../dom.js';
import { countOf, letterOf, sameValue } from '../format.js';
import { parseMove, parseSquare, readPosition, squareName } from '../state/position.js';

import type { MoveShown, Pieces, Scene, Shape, Side } from '../state/types.js';

type Point = { x: number; y: number };
type PieceDrawn = { side: Side; element: SVGElement };

const CELL = 100;
const EDGE = 14;
const SPARKS = 14;
const PILL_FONT = 19; // pixels, as in the style

/** The default values of a scene. */
export const BLANK: Scene = {
  position: '',
  legal: [],
  last: null,
  values: null,
  preview: null,
  winner: null,
  winning: null,
  glow: null,
  marks: [],
  mode: 'move',
  flip: false,
};

/** Gives squares, which repeat the gradient, and pieces their depth; the colours are in the style. */
function gradients() {
  const stop = (name: string, offset: number) => s('stop', { class: name, offset });
  return s(
    'defs',
    {},
    s(
      'linearGradient',
      { id: 'inset', gradientUnits: 'userSpaceOnUse', x1: 0, y1: EDGE + 3, x2: 0, y2: EDGE + 3 + CELL,
        spreadMethod: 'repeat' },
      stop('inset-dark', 0),
      stop('inset-dark none', 0.15),
      stop('inset-light none', 0.865),
      stop('inset-light', 0.94),
    ),
    s('radialGradient', { id: 'gloss', cx: 0.36, cy: 0.28, r: 0.75 }, stop('gloss-light', 0), stop('gloss-none', 0.6),
      stop('gloss-dark', 1)),
  );
}

const layer = (name: string) => s('g', { class: name });

function pieceShape(side: Side) {
  return s(
    'g',
    { class: `piece ${side}` },
    s('ellipse', { class: 'shadow', cy: 7, rx: 36, ry: 34 }),
    s('circle', { class: 'body', r: 35 }),
    s('circle', { class: 'gloss', r: 33 }),
    s('circle', { class: 'ring', r: 21 }),
  );
}

/** The lengths of texts as a canvas has measured them. */
const textLengths: Map<string, number> = new Map();
let canvas: CanvasRenderingContext2D | null = null;

/**
 * The attributes that condense the text of a pill if a wide font makes it too long for the space next to the symbol.
 * A canvas measures it: asking the element would have the browser lay out the page in the middle of a change.
 */
function condensed(text: string, room: number, fontFamily: string) {
  const digits = text.replace(/\d/g, '0'); // they are of equal width in the page, but perhaps not in a canvas
  let length = textLengths.get(digits);
  if (length === undefined) {
    canvas ??= document.createElement('canvas').getContext('2d');
    if (!canvas) return {};
    canvas.font = `650 ${PILL_FONT}px ${fontFamily}`;
    textLengths.set(digits, (length = canvas.measureText(digits).width));
  }
  return length > room ? { textLength: room, lengthAdjust: 'spacingAndGlyphs' } : {};
}

/** The picture of a board of some size, which shows a scene after draw(). */
export class Picture {
  width: number;
  height: number;
  across: number;
  down: number;
  isLarge: boolean;
  scale: number; // of the values
  fontFamily: string;
  /** Its width by its height, and the size of a square as fractions of it. */
  ratio: number;
  cell: { width: number; height: number };
  squares: string[];
  /** The groups of elements, from the lowest one to the highest. */
  layers = {
    tiles: layer('tiles'), lines: layer('lines'), pieces: layer('pieces'), winning: layer('winning'),
    marks: layer('marks'), values: layer('pills'), arrow: layer('arrow'), lifted: layer('lifted'),
  };
  element: SVGSVGElement;
  scene = BLANK;
  pieces: Pieces = new Map();
  picked: string | null = null;
  /** The drawn pieces by square. */
  shapes: Map<string, PieceDrawn> = new Map();
  /** The piece that follows the pointer. */
  dragged: SVGElement | null = null;
  tiles: Map<string, SVGRectElement> = new Map();
  tilesFlipped: boolean | undefined;
  rowDrawn = { squares: '', flip: false };

  constructor({ width, height }: Shape) {
    this.width = width;
    this.height = height;
    this.across = width * CELL + 2 * EDGE;
    this.down = height * CELL + 2 * EDGE;
    this.isLarge = Math.max(width, height) > 6;
    this.scale = this.isLarge ? 1.15 : 1;
    // Now, since later the browser would compute styles in the middle of changes.
    this.fontFamily = getComputedStyle(document.body).fontFamily;
    this.ratio = this.across / this.down;
    this.cell = { width: CELL / this.across, height: CELL / this.down };
    this.squares = [];
    for (let rank = height - 1; rank >= 0; rank--)
      for (let file = 0; file < width; file++) this.squares.push(squareName(file, rank));
    this.element = s(
      'svg',
      { viewBox: `0 0 ${this.across} ${this.down}`, 'aria-hidden': 'true', class: this.isLarge && 'large' },
      gradients(),
      s('rect', { class: 'frame', width: this.across, height: this.down, rx: 22 }),
      s('rect', { class: 'rim', x: 1.5, y: 1.5, width: this.across - 3, height: this.down - 3, rx: 20.5 }),
      Object.values(this.layers),
    );
  }

  /** The column and row of a square on the screen, from the upper left. */
  place(square: string): Point {
    const { file, rank } = parseSquare(square);
    return this.scene.flip ? { x: this.width - 1 - file, y: rank } : { x: file, y: this.height - 1 - rank };
  }

  centre(square: string): Point {
    const { x, y } = this.place(square);
    return { x: EDGE + (x + 0.5) * CELL, y: EDGE + (y + 0.5) * CELL };
  }

  /** The square at a column and row of the screen. */
  at(x: number, y: number) {
    return this.squares.find((square) => this.place(square).x === x && this.place(square).y === y);
  }

  /** The upper left corner of a square, as fractions of the picture. */
  corner(square: string) {
    const { x, y } = this.place(square);
    return { x: (EDGE + x * CELL) / this.across, y: (EDGE + y * CELL) / this.down };
  }

  /** The position of a pointer in the units of the picture. */
  pointAt({ clientX, clientY }: PointerEvent) {
    const box = this.element.getBoundingClientRect();
    return {
      x: ((clientX - box.left) / box.width) * this.across,
      y: ((clientY - box.top) / box.height) * this.down,
    };
  }

  /** The square under a pointer; undefined outside the board. */
  squareAt(event: PointerEvent) {
    const { x, y } = this.pointAt(event);
    return this.at(Math.floor((x - EDGE) / CELL), Math.floor((y - EDGE) / CELL));
  }

  draw(scene: Scene, picked: string | null = null) {
    const { pieces } = readPosition(scene.position, this);
    Object.assign(this, { scene, pieces, picked });
    this.drawTiles();
    this.drawPieces();
    this.drawValues();
    this.drawMarks();
  }

  // ---- the board ----

  makeTiles() {
    const size = CELL - 6;
    const corner = (n: number) => EDGE + n * CELL + 3;
    const shape = 'h70q12 0 12 12v70q0 12-12 12h-70q-12 0-12-12v-70q0-12 12-12z';
    for (const name of this.squares) {
      const { x, y } = this.place(name);
      this.tiles.set(name, s('rect', { x: corner(x), y: corner(y), width: size, height: size, rx: 12 }));
    }
    const texts = this.squares.map((name) => {
      const { x, y } = this.place(name);
      return [
        x === 0 && s('text', { class: 'coordinate', x: corner(x) + 7, y: corner(y) + (this.isLarge ? 21 : 17) },
          name.slice(1)),
        y === this.height - 1 &&
          s('text', { class: 'coordinate', x: corner(x) + size - 7, y: corner(y) + size - 7, 'text-anchor': 'end' },
            name[0]),
      ];
    });
    const insets = this.squares.map((name) =>
      `M${corner(this.place(name).x) + 12} ${corner(this.place(name).y)}${shape}`);
    fill(this.layers.tiles, [...this.tiles.values()], s('path', { class: 'inset', d: insets.join('') }), texts);
    this.tilesFlipped = this.scene.flip;
  }

  drawTiles() {
    if (this.tilesFlipped !== this.scene.flip) this.makeTiles();
    const last = this.scene.last ? parseMove(this.scene.last) : null;
    for (const [name, tile] of this.tiles) {
      const kind = name === last?.from ? 'tile left' : name === last?.to ? 'tile reached' : 'tile';
      tile.setAttribute('class', name === this.picked ? `${kind} picked` : kind);
    }
  }

  // ---- the pieces ----

  /** Draws the pieces. One whose square is empty now slides to where one of its side has come. */
  drawPieces() {
    const isThere = ([square, { side }]: [string, PieceDrawn]) => this.pieces.get(square) === side;
    const before = [...this.shapes];
    const free = before.filter((one) => !isThere(one));
    this.shapes = new Map(before.filter(isThere));
    for (const [square, side] of this.pieces) {
      if (this.shapes.has(square)) continue;
      const at = free.findIndex(([, piece]) => piece.side === side);
      if (at < 0) {
        const element = pieceShape(side);
        this.layers.pieces.append(element); // a piece that is inserted again would not slide
        this.shapes.set(square, { side, element });
        continue;
      }
      const [[from, piece]] = free.splice(at, 1);
      const [a, b] = [this.place(from), this.place(square)];
      const distance = Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y));
      piece.element.style.transitionDuration = `${120 + 30 * distance}ms`;
      this.shapes.set(square, piece);
    }
    for (const [, { element }] of free) element.remove();
    for (const [square, { element }] of this.shapes) {
      const { x, y } = this.centre(square);
      if (element !== this.dragged) element.style.transform = `translate(${x}px, ${y}px)`;
      element.classList.toggle('winner', Boolean(this.scene.winning?.includes(square)));
      element.classList.toggle('picked', square === this.picked);
      element.classList.toggle('glow', Boolean(this.scene.glow?.includes(square)));
    }
    this.drawRow();
  }

  /** The winning pieces light up, one after another, are crossed by a line and, if the user has won, sparkle. */
  drawRow() {
    const centre = (square: string) => this.centre(square);
    const winning = [...this.shapes].filter(([square]) => this.scene.winning?.includes(square));
    winning.sort(([a], [b]) => centre(a).x - centre(b).x || centre(a).y - centre(b).y);
    winning.forEach(([, piece], n) => piece.element.style.setProperty('--n', String(n)));
    const drawn = this.rowDrawn;
    this.rowDrawn = { squares: winning.map(([square]) => square).sort().join(), flip: this.scene.flip };
    const isSame = drawn.squares === this.rowDrawn.squares;
    if (isSame && drawn.flip === this.scene.flip) return;
    if (!winning.length) return fill(this.layers.winning);
    const [first, middle, last] = [0, winning.length >> 1, winning.length - 1].map((n) => centre(winning[n][0]));
    // Of a row that is only turned, the win has been celebrated.
    const sparks = Array.from({ length: this.scene.celebrates && !isSame ? SPARKS : 0 }, (_, n) => {
      const spark = s('circle', { class: 'spark', cx: middle.x, cy: middle.y, r: n % 3 ? 5 : 8 });
      spark.style.setProperty('--turn', `${(360 * n) / SPARKS}deg`);
      return spark;
    });
    const line = s('line', { x1: first.x, y1: first.y, x2: last.x, y2: last.y, pathLength: 1 });
    fill(this.layers.winning, line, sparks);
  }

  /** Moves the piece of the square to the pointer until drop(). */
  drag(square: string, event: PointerEvent) {
    const at = this.pointAt(event);
    const x = Math.max(0, Math.min(at.x, this.across)); // it stays in sight
    const y = Math.max(0, Math.min(at.y, this.down));
    const { element } = this.shapes.get(square) ?? {};
    if (!element) return;
    this.dragged = element;
    element.classList.add('dragged');
    element.style.transform = `translate(${x}px, ${y}px) scale(1.08)`;
    if (!this.layers.lifted.contains(element)) this.layers.lifted.append(element);
  }

  /** Puts the dragged piece on its square in the current scene. */
  drop() {
    const piece = this.dragged;
    this.dragged = null;
    if (piece) this.layers.pieces.append(piece);
    this.drawPieces();
    // Its transition returns only after it has been drawn there: it must not slide.
    requestAnimationFrame(() => requestAnimationFrame(() => piece?.classList.remove('dragged')));
  }

  // ---- marks, values and arrows ----

  /** A value in a pill; the best values are highlighted. */
  pill({ value, move }: MoveShown, x: number, y: number) {
    const { values } = this.scene;
    const drawn = value.result === 'draw';
    const wide = drawn ? 54 : countOf(value.plies) < 10 ? 74 : 86;
    const text = `${letterOf(value)}${drawn ? '' : ` ${countOf(value.plies)}`}`;
    const best = Boolean(values && sameValue(value, values[0].value));
    return s(
      'g',
      {
        class: `pill ${value.result}${best ? ' best' : ''}${this.isFaint(move) ? ' faint' : ''}`,
        transform: `translate(${x} ${y}) scale(${this.scale})`,
        'data-move': move,
      },
      s('rect', { x: -wide / 2, y: -14, width: wide, height: 28, rx: 14 }),
      symbol(value.result, { transform: `translate(${15 - wide / 2} 0)` }),
      s('text', { x: 10, y: 6.5, ...condensed(text, wide - 30, this.fontFamily) }, text),
    );
  }

  /** Whether another move is pointed out. */
  isFaint(move: string) {
    const { preview } = this.scene;
    return preview !== null && move !== preview.move;
  }

  /** The values of the moves or, without these, where the piece that is picked can go; and the arrow of a move. */
  drawValues() {
    const { preview, values, legal } = this.scene;
    const shown = values?.filter((move) => !this.picked || move.from === this.picked) ?? [];
    const reached: Map<string, MoveShown[]> = new Map();
    for (const move of shown) reached.set(move.to, [...(reached.get(move.to) ?? []), move]);
    const lines = shown.map(({ move, from, to, value }) => {
      const [a, b] = [this.centre(from), this.centre(to)];
      const kind = `${value.result}${this.isFaint(move) ? ' faint' : ''}`;
      return s('line', { class: kind, x1: a.x, y1: a.y, x2: b.x, y2: b.y });
    });
    const targets = values ? [] : legal.filter((move) => move.from === this.picked);
    fill(this.layers.lines, lines);
    fill(
      this.layers.values,
      [...reached].map(([square, moves]) => this.pillsOn(square, moves)),
      targets.map(({ to }) => s('circle', { class: 'target', cx: this.centre(to).x, cy: this.centre(to).y, r: 13 })),
    );
    fill(this.layers.arrow, preview && this.previewArrow(preview));
  }

  /** The values of the moves that reach a square, one below the other. */
  pillsOn(square: string, moves: MoveShown[]) {
    const { x, y } = this.centre(square);
    const from = (move: MoveShown) => this.centre(move.from);
    moves.sort((a, b) => from(a).y - from(b).y || from(a).x - from(b).x);
    return moves.map((move, i) => this.pill(move, x, y + (i - (moves.length - 1) / 2) * 31 * this.scale));
  }

  /**
   * An arrow, which begins and ends at distances from the centres of two squares.
   * @param gap at its tip
   */
  arrow(kind: string, { from, to }: { from: string; to: string }, gap: number, start: number = 38) {
    const [a, b] = [this.centre(from), this.centre(to)];
    const length = Math.hypot(b.x - a.x, b.y - a.y);
    const angle = (Math.atan2(b.y - a.y, b.x - a.x) * 180) / Math.PI;
    const tip = length - gap;
    return s(
      'g',
      { class: kind, transform: `translate(${a.x} ${a.y}) rotate(${angle})` },
      s('path', { d: `M${start} 0H${tip - 14}` }),
      s('path', { class: 'head', d: `M${tip} 0l-20-13v26z` }),
    );
  }

  previewArrow(shown: MoveShown) {
    return this.arrow(`preview ${shown.value.result}`, shown, this.scene.values ? 26 : 8);
  }

  /** The circles and arrows of the user. */
  drawMarks() {
    const drawn = this.scene.marks.map((mark) => {
      if (mark.includes('-')) return this.arrow('drawn', parseMove(mark), 8, 20);
      const { x, y } = this.centre(mark);
      return s('circle', { class: 'drawn', cx: x, cy: y, r: 43 });
    });
    fill(this.layers.marks, drawn);
  }
}
