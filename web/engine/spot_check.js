// Checks random positions of a table that is too large to be verified: the value of each must follow from its moves.

/** @import { Engine } from './engine.js' */

/**
 * A random placement of all pieces, legal or not.
 * @param {import('./index.js').Board} board
 */
function randomPlacement({ width, height, pieces }) {
  const cells = Array(width * height).fill('1');
  for (const piece of ['b', 'w'])
    for (let placed = 0; placed < pieces; ) {
      const cell = Math.floor(Math.random() * cells.length);
      if (cells[cell] !== '1') continue;
      cells[cell] = piece;
      placed++;
    }
  const ranks = Array.from({ length: height }, (_, rank) => cells.slice(rank * width, (rank + 1) * width).join(''));
  return `${ranks.join('/').replace(/1+/g, (ones) => String(ones.length))} ${Math.random() < 0.5 ? 'b' : 'w'}`;
}

/**
 * Whether the value of a position follows from those of its moves: the fastest win, or a draw, or the slowest loss.
 * @param {Pick<Engine, 'value' | 'moves'>} engine
 * @param {string} position in which the game is not over
 */
export function agrees(engine, position) {
  const { result, plies } = engine.value(position);
  const values = engine.moves(position).map(({ value }) => value);
  /** @param {string} wanted */
  const distances = (wanted) => values.filter((value) => value.result === wanted).map((value) => value.plies);
  const [wins, losses] = [distances('win'), distances('loss')];
  if (wins.length) return result === 'win' && plies === Math.min(...wins);
  if (losses.length < values.length) return result === 'draw';
  return result === 'loss' && plies === Math.max(...losses);
}

/**
 * Checks so many random positions in which the game is not over. Returns the first that disagrees with its moves, or
 * null.
 * @param {Engine} engine
 * @param {number} count
 * @param {(done: number) => void} progress called before each
 */
export function spotCheck(engine, count, progress) {
  for (let done = 0; done < count; ) {
    const { ok, position = '' } = /** @type {{ok: boolean, position?: string}} */ (
      engine.checkPosition(randomPlacement(engine.board))
    );
    if (!ok || !engine.moves(position).length) continue;
    progress(done++);
    if (!agrees(engine, position)) return position;
  }
  return null;
}
