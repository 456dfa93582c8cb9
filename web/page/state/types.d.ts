// The part of the page's state that only reducers change: they get an action, which says what has happened.

import type { Demo, DialogName, MoveShown } from '../types.js';

/** What is shown on top of a view. */
export interface ShownState {
  dialog: DialogName | null;
  /** A message above the view, or ''. */
  notice: string;
  /** The button that asks whether its action is meant: pressed again, it acts. Any other action takes that back. */
  asked: string | null;
  /** The board is flipped against what suits the user. */
  turned: boolean;
  /** The move that is pointed at or has the focus. */
  preview: MoveShown | null;
  /** The line that is played on the board, without changing the game. */
  demo: Demo | null;
}

export type Action =
  /** A dialog opens in place of any other, or (null) is closed. */
  | { type: 'dialog'; name: DialogName | null }
  | { type: 'notice'; text: string }
  /** A button asks whether its action is meant, or (null) the question is answered or taken back. */
  | { type: 'ask'; id: string | null }
  | { type: 'flip' }
  | { type: 'preview'; move: MoveShown | null }
  /** Another position of a line is shown, or (null) none any more. */
  | { type: 'demo'; demo: Demo | null }
  /** Another position of the game is shown. */
  | { type: 'position' }
  /** Another view, game or puzzle is shown. */
  | { type: 'subject' };
