// The picture of the board: an SVG of squares, pieces, marks and values.

import { fill, s } from '../views/dom.js';
import { symbol } from '../views/symbols.js';
import { countOf, letterOf, sameValue } from '../format.js';
import { parseMove, parseSquare, squareName } from '../state/position.js';

/** @import { MoveShown, Pieces, Scene, Shape, Side } from '../state/types.js' */

/** @typedef {{x: number, y: number}} Point */
/** @typedef {{side: Side, element: SVGElement, square: string}} PieceDrawn */

const CELL = 100;
const EDGE = 14;
const SPARKS = 14;
const PILL_FONT = 19; // pixels, as in the style

/**
 * What a scene has unless it says otherwise.
 * @type {Scene}
 */
export const BLANK = {
  position: '',
  legal: [],
  last: null,
  values: null,
  preview: null,
  winners: null,
  winning: null,
  glow: null,
  marks: [],
  drawing: false,
  pen: false,
  editing: false,
  flip: false,
};

/** Gives squares, which repeat the gradient, and pieces their depth; the colours are in the style. */
function gradients() {
  /**
   * @param {string} name
   * @param {number} offset
   */
  const stop = (name, offset) => s('stop', { class: name, offset });
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

/** @param {Shape} shape */
export function createPicture(shape) {
  const { width, height } = shape;
  const across = width * CELL + 2 * EDGE;
  const down = height * CELL + 2 * EDGE;
  const isLarge = Math.max(width, height) > 6;
  const scale = isLarge ? 1.15 : 1; // of the values
  /** @type {string[]} */
  const squares = [];
  for (let rank = height - 1; rank >= 0; rank--)
    for (let file = 0; file < width; file++) squares.push(squareName(file, rank));

  /** @param {string} name */
  const layer = (name) => s('g', { class: name });
  const layers = {
    tiles: layer('tiles'),
    lines: layer('lines'),
    pieces: layer('pieces'),
    winning: layer('winning'),
    notes: layer('notes'),
    marks: layer('marks'),
    arrow: layer('arrow'),
    lifted: layer('lifted'),
  };
  const element = s(
    'svg',
    { viewBox: `0 0 ${across} ${down}`, 'aria-hidden': 'true', class: isLarge && 'large' },
    gradients(),
    s('rect', { class: 'frame', width: across, height: down, rx: 22 }),
    s('rect', { class: 'rim', x: 1.5, y: 1.5, width: across - 3, height: down - 3, rx: 20.5 }),
    Object.values(layers),
  );

  let scene = BLANK;
  /** @type {Pieces} */
  let pieces = new Map();
  /** @type {string | null} */
  let picked = null;
  /** @type {Map<string, PieceDrawn>} */
  let shapes = new Map(); // by square
  /** @type {SVGElement | null} */
  let dragged = null;
  /** @type {Map<string, SVGRectElement>} */
  const tiles = new Map();
  /** @type {boolean | undefined} */
  let tilesFlipped;
  /** @type {Map<string, number>} */
  const textLengths = new Map();
  /** @type {CanvasRenderingContext2D | undefined} */
  let canvas;
  const { fontFamily } = getComputedStyle(document.body);

  /**
   * The column and row of a square on the screen, from the upper left.
   * @param {string} square
   * @returns {Point}
   */
  const place = (square) => {
    const { file, rank } = parseSquare(square);
    return scene.flip ? { x: width - 1 - file, y: rank } : { x: file, y: height - 1 - rank };
  };
  /**
   * @param {string} square
   * @returns {Point}
   */
  const centre = (square) => {
    const { x, y } = place(square);
    return { x: EDGE + (x + 0.5) * CELL, y: EDGE + (y + 0.5) * CELL };
  };
  /**
   * The square at a column and row of the screen.
   * @param {number} x
   * @param {number} y
   */
  const at = (x, y) => squares.find((square) => place(square).x === x && place(square).y === y);

  function makeTiles() {
    const size = CELL - 6;
    const corner = (/** @type {number} */ n) => EDGE + n * CELL + 3;
    const shape = 'h70q12 0 12 12v70q0 12-12 12h-70q-12 0-12-12v-70q0-12 12-12z';
    for (const name of squares) {
      const { x, y } = place(name);
      tiles.set(name, s('rect', { x: corner(x), y: corner(y), width: size, height: size, rx: 12 }));
    }
    const texts = squares.map((name) => {
      const { x, y } = place(name);
      return [
        x === 0 && s('text', { class: 'coordinate', x: corner(x) + 7, y: corner(y) + (isLarge ? 21 : 17) },
          name.slice(1)),
        y === height - 1 &&
          s('text', { class: 'coordinate', x: corner(x) + size - 7, y: corner(y) + size - 7, 'text-anchor': 'end' },
            name[0]),
      ];
    });
    const insets = squares.map((name) => `M${corner(place(name).x) + 12} ${corner(place(name).y)}${shape}`);
    fill(layers.tiles, [...tiles.values()], s('path', { class: 'inset', d: insets.join('') }), texts);
    tilesFlipped = scene.flip;
  }

  function drawTiles() {
    if (tilesFlipped !== scene.flip) makeTiles();
    const last = scene.last ? parseMove(scene.last) : null;
    for (const [name, tile] of tiles) {
      const kind = name === last?.from ? 'tile left' : name === last?.to ? 'tile reached' : 'tile';
      tile.setAttribute('class', name === picked ? `${kind} picked` : kind);
    }
  }

  /** @param {Side} side */
  function pieceShape(side) {
    return s(
      'g',
      { class: `piece ${side}` },
      s('ellipse', { class: 'shadow', cy: 7, rx: 36, ry: 34 }),
      s('circle', { class: 'body', r: 35 }),
      s('circle', { class: 'gloss', r: 33 }),
      s('circle', { class: 'ring', r: 21 }),
    );
  }

  /** Moves the drawn pieces to their squares: a piece that changes its square slides there. */
  function drawPieces() {
    /** @type {typeof shapes} */
    const rest = new Map();
    /** @type {PieceDrawn[]} */
    const free = [];
    for (const [square, piece] of shapes)
      if (pieces.get(square) === piece.side) rest.set(square, piece);
      else free.push(piece);
    for (const [square, side] of pieces) {
      if (rest.has(square)) continue;
      const found = free.findIndex((piece) => piece.side === side);
      const piece = found >= 0 ? free.splice(found, 1)[0] : { side, element: pieceShape(side), square };
      if (found < 0) layers.pieces.append(piece.element); // a piece that is inserted again would not slide
      else {
        const [a, b] = [place(piece.square), place(square)];
        const distance = Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y));
        piece.element.style.transitionDuration = `${120 + 30 * distance}ms`;
      }
      piece.square = square;
      rest.set(square, piece);
    }
    for (const piece of free) piece.element.remove();
    shapes = rest;
    for (const [square, piece] of shapes) {
      const { x, y } = centre(square);
      piece.element.style.transform = `translate(${x}px, ${y}px)`;
      piece.element.classList.toggle('winner', Boolean(scene.winning?.includes(square)));
      piece.element.classList.toggle('picked', square === picked);
      piece.element.classList.toggle('glow', Boolean(scene.glow?.includes(square)));
    }
    drawRow();
  }

  /** The winning pieces light up, one after another, are crossed by a line and, if the user has won, sparkle. */
  function drawRow() {
    const winning = [...shapes].filter(([square]) => scene.winning?.includes(square));
    winning.sort(([a], [b]) => centre(a).x - centre(b).x || centre(a).y - centre(b).y);
    winning.forEach(([, piece], n) => piece.element.style.setProperty('--n', String(n)));
    const drawn = layers.winning.childElementCount > 0;
    if (drawn === winning.length > 0) return;
    if (drawn) return fill(layers.winning);
    const [first, middle, last] = [0, winning.length >> 1, winning.length - 1].map((n) => centre(winning[n][0]));
    const sparks = Array.from({ length: scene.celebrates ? SPARKS : 0 }, (_, n) => {
      const spark = s('circle', { class: 'spark', cx: middle.x, cy: middle.y, r: n % 3 ? 5 : 8 });
      spark.style.setProperty('--turn', `${(360 * n) / SPARKS}deg`);
      return spark;
    });
    fill(layers.winning, s('line', { x1: first.x, y1: first.y, x2: last.x, y2: last.y, pathLength: 1 }), sparks);
  }

  /**
   * A value in a pill; the best values are highlighted.
   * @param {MoveShown} shown
   * @param {number} x
   * @param {number} y
   * @param {boolean} faint
   */
  function pill({ value, move }, x, y, faint) {
    const drawn = value.result === 'draw';
    const wide = drawn ? 54 : countOf(value.plies) < 10 ? 74 : 86;
    const text = `${letterOf(value)}${drawn ? '' : ` ${countOf(value.plies)}`}`;
    const best = Boolean(scene.values && sameValue(value, scene.values[0].value));
    return s(
      'g',
      {
        class: `pill ${value.result}${best ? ' best' : ''}${faint ? ' faint' : ''}`,
        transform: `translate(${x} ${y}) scale(${scale})`,
        'data-move': move,
      },
      s('rect', { x: -wide / 2, y: -14, width: wide, height: 28, rx: 14 }),
      symbol(value.result, { transform: `translate(${15 - wide / 2} 0)` }),
      s('text', { x: 10, y: 6.5, ...condensed(text, wide - 30) }, text),
    );
  }

  /**
   * The attributes that condense the text of a pill if a wide font makes it too long for the space next to the symbol.
   * A canvas measures it: asking the element would have the browser lay out the page in the middle of a change.
   * @param {string} text
   * @param {number} room
   */
  function condensed(text, room) {
    const digits = text.replace(/\d/g, '0'); // they are of equal width in the page, but perhaps not in a canvas
    let length = textLengths.get(digits);
    if (length === undefined) {
      if (!canvas) {
        canvas = /** @type {CanvasRenderingContext2D} */ (document.createElement('canvas').getContext('2d'));
        canvas.font = `650 ${PILL_FONT}px ${fontFamily}`;
      }
      textLengths.set(digits, (length = canvas.measureText(digits).width));
    }
    return length > room ? { textLength: room, lengthAdjust: 'spacingAndGlyphs' } : {};
  }

  function drawMarks() {
    const { preview } = scene;
    const shown = scene.values?.filter((move) => !picked || move.from === picked) ?? [];
    /** @type {Map<string, MoveShown[]>} */
    const reached = new Map();
    for (const move of shown) reached.set(move.to, [...(reached.get(move.to) ?? []), move]);
    /** @param {MoveShown} move */
    const faint = (move) => preview !== null && move.move !== preview.move;
    fill(
      layers.lines,
      shown.map((move) => {
        const [from, to] = [centre(move.from), centre(move.to)];
        return s('line', {
          class: `${move.value.result}${faint(move) ? ' faint' : ''}`,
          x1: from.x,
          y1: from.y,
          x2: to.x,
          y2: to.y,
        });
      }),
    );
    fill(
      layers.marks,
      [...reached].map(([square, moves]) => {
        const { x, y } = centre(square);
        moves.sort((a, b) => centre(a.from).y - centre(b.from).y || centre(a.from).x - centre(b.from).x);
        return moves.map((move, i) => pill(move, x, y + (i - (moves.length - 1) / 2) * 31 * scale, faint(move)));
      }),
      picked &&
        !scene.values &&
        scene.legal
          .filter((move) => move.from === picked)
          .map((move) => {
            const { x, y } = centre(move.to);
            return s('circle', { class: 'target', cx: x, cy: y, r: 13 });
          }),
    );
    fill(layers.arrow, preview && arrow(preview));
  }

  /**
   * An arrow, which begins and ends at distances from the centres of two squares.
   * @param {string} kind
   * @param {{from: string, to: string}} squares
   * @param {number} gap at its tip
   * @param {number} start
   */
  function arrowShape(kind, { from, to }, gap, start = 38) {
    const [a, b] = [centre(from), centre(to)];
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

  /** @param {MoveShown} shown */
  const arrow = (shown) => arrowShape(`preview ${shown.value.result}`, shown, scene.values ? 26 : 8);

  /** The circles and arrows of the user. */
  function drawNotes() {
    fill(
      layers.notes,
      scene.marks.map((mark) => {
        if (mark.includes('-')) return arrowShape('drawn', parseMove(mark), 8, 20);
        const { x, y } = centre(mark);
        return s('circle', { class: 'drawn', cx: x, cy: y, r: 43 });
      }),
    );
  }

  /**
   * The position of a pointer in the units of the picture.
   * @param {PointerEvent} event
   */
  function pointAt({ clientX, clientY }) {
    const box = element.getBoundingClientRect();
    return { x: ((clientX - box.left) / box.width) * across, y: ((clientY - box.top) / box.height) * down };
  }

  return {
    element,
    squares,
    place,
    at,
    /** Its width by its height, and the size of a square as fractions of it. */
    ratio: across / down,
    cell: { width: CELL / across, height: CELL / down },
    /**
     * The upper left corner of a square, as fractions of the picture.
     * @param {string} square
     */
    corner(square) {
      const { x, y } = place(square);
      return { x: (EDGE + x * CELL) / across, y: (EDGE + y * CELL) / down };
    },
    /**
     * The square under a pointer; undefined outside the board.
     * @param {PointerEvent} event
     */
    squareAt(event) {
      const { x, y } = pointAt(event);
      return at(Math.floor((x - EDGE) / CELL), Math.floor((y - EDGE) / CELL));
    },
    /**
     * @param {Scene} nextScene
     * @param {Pieces} nextPieces
     * @param {string | null} nextPicked
     */
    show(nextScene, nextPieces, nextPicked) {
      scene = nextScene;
      pieces = nextPieces;
      picked = nextPicked;
      drawTiles();
      drawPieces();
      drawMarks();
      drawNotes();
    },
    /**
     * Moves the piece of the square to the pointer until drop().
     * @param {string} square
     * @param {PointerEvent} event
     */
    drag(square, event) {
      const at = pointAt(event);
      const x = Math.max(0, Math.min(at.x, across)); // it stays in sight
      const y = Math.max(0, Math.min(at.y, down));
      const { element: piece } = /** @type {PieceDrawn} */ (shapes.get(square));
      dragged = piece;
      piece.classList.add('dragged');
      piece.style.transform = `translate(${x}px, ${y}px) scale(1.08)`;
      if (!layers.lifted.contains(piece)) layers.lifted.append(piece);
    },
    /** Puts the dragged piece on its square in the current scene. */
    drop() {
      const piece = dragged;
      dragged = null;
      if (piece) layers.pieces.append(piece);
      drawPieces();
      // Its transition returns only after it has been drawn there: it must not slide.
      requestAnimationFrame(() => requestAnimationFrame(() => piece?.classList.remove('dragged')));
    },
  };
}
