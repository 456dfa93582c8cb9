// Small boards that illustrate the rules.

import { html, nothing, svg } from 'lit-html';

import { boardName, STANDARD } from '../state/boards.js';
import { squareName } from '../state/position.js';
import { t } from '../texts.js';

import type { Board } from '../state/types.js';

/** A line from the centre of a square to that of another. */
type Line = [string, string];

const TILES = Array.from(
  { length: 25 },
  (_, i) => `M${(i % 5) * 20 + 4} ${Math.floor(i / 5) * 20 + 1}h12q3 0 3 3v12q0 3-3 3h-12q-3 0-3-3v-12q0-3 3-3z`,
).join('');

/** Pieces as "b1" by side, a path that a piece slides, lines that win, a square that is marked. */
function diagram(
  { black = [], white = [], slide, lines = [], marked }:
    { black?: string[]; white?: string[]; slide?: Line; lines?: Line[]; marked?: string },
) {
  const at = (square: string) => [square.charCodeAt(0) * 20 - 1930, 110 - Number(square[1]) * 20];
  const circles = (squares: string[], radius: number) =>
    squares
      .map(at)
      .map(([x, y]) => [x - radius, y, `a${radius} ${radius} 0 1 0`, 2 * radius])
      .map(([x, y, arc, width]) => `M${x} ${y}${arc} ${width} 0${arc} -${width} 0z`)
      .join('');
  /** The pieces of a side, which together are two elements, since many small ones take long. */
  const pieces = (side: string, squares: string[]) =>
    svg`<g class="piece ${side}"><path class="body" d=${circles(squares, 7)} /><path
      class="ring" d=${circles(squares, 4.2)} /></g>`;
  const line = (name: string, [from, to]: Line) =>
    svg`<line class=${name} x1=${at(from)[0]} y1=${at(from)[1]} x2=${at(to)[0]} y2=${at(to)[1]} />`;
  return html`<svg class="diagram" viewBox="0 0 100 100" aria-hidden="true">
    <path class="tile" d=${TILES} />
    ${slide ? line('way', slide) : nothing}${pieces('black', black)}${pieces('white', white)}${
      lines.map((one) => line('won', one))}${
      marked ? svg`<rect class="marked" x=${at(marked)[0] - 9} y=${at(marked)[1] - 9} width="18" height="18" rx="3"/>`
        : nothing
    }
  </svg>`;
}

/** What wins: a line of each side, as far as two have room, or the squares of a rule without lines. */
export function winDiagram({ row_length: row, win }: Pick<Board, 'row_length' | 'win'>) {
  if (win === 'equidistant') return diagram({ black: ['a1', 'c2', 'e3'], lines: [['a1', 'e3']] });
  if (win === 'centre') return diagram({ black: ['a2', 'c3', 'd5'], marked: 'c3' });
  const line: (file: number, rank: number, files: number, ranks: number) => string[] = (file, rank, files, ranks) =>
    Array.from({ length: row }, (_, n) => squareName(file + n * files, rank + n * ranks));
  const black = win === 'orthogonal' ? line(1, 0, 0, 1) : line(0, 0, 1, 1);
  const free = 5 - row;
  const white = !free ? [] : win === 'diagonal' ? line(4, free, -1, 1) : line(free, 4, 1, 0);
  const ends = (squares: string[]): Line => [squares[0], squares[squares.length - 1]];
  return diagram({ black, white, lines: [black, white].filter(({ length }) => length).map(ends) });
}

export function illustratedRules(board: Board) {
  const pictures = [
    board.pieces === 3 ? diagram({ black: ['b1', 'd1', 'c4'], white: ['d4', 'b5', 'c2'], slide: ['d1', 'd3'] })
      : nothing,
    boardName(board) === STANDARD
      ? diagram({ black: ['b2', 'c3', 'd4'], white: ['a5', 'd5', 'e3'], lines: [['b2', 'd4']] })
      : winDiagram(board),
    board.pieces === 3 ? diagram({ black: ['a1', 'c1', 'b4'], white: ['b5', 'e2', 'd4'], slide: ['e2', 'e5'] })
      : nothing,
  ];
  return html`<div class="rules">${
    t('rules', board).map((rule, i) => html`<div>${pictures[i]}<p>${rule}</p></div>`)
  }</div>`;
}
