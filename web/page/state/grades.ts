// The grades of puzzles.

/**
 * What the puzzles of a grade are: wins in so many plies, from and to, or draws that one move keeps; and how strong a
 * player solves half of them.
 */
export const GRADES: Record<string, { from?: number; to?: number; draw?: true; rating: number }> = {
  easy: { from: 3, to: 3, rating: 800 },
  medium: { from: 5, to: 5, rating: 1050 },
  hard: { from: 7, to: 9, rating: 1350 },
  expert: { from: 11, to: 99, rating: 1700 },
  draw: { draw: true, rating: 1150 },
};
