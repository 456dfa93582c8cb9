// The state of the page: what is shown and what has been done. Reducers alone change it: each gets the state and an
// action, which is what the user has done or what has arrived. The views are functions of it.

import type { TemplateResult, nothing } from 'lit-html';

import type * as Api from '../../engine/api.js';
import type { Engine } from '../../engine/engine.js';
import type { Node, Tree } from './tree.js';

export type {
  Choice, End, GameState, LegalMove, MoveValue, Result, Reviewed, Side, Value, Why,
} from '../../engine/api.js';

// ---- the state ----

/**
 * What this device stores: storage.ts. Windows share it, but for the game, of which each has its own, and some of the
 * settings.
 */
export interface Device {
  settings: Settings;
  results: PlayResults;
  /** The game of this window or, if that has none, the one that was stored last. */
  ownGame: StoredGame | null;
  /** The games that are kept, latest first. */
  games: KeptGame[];
  /** What was left or deleted in the last thirty days, latest first. */
  recent: Recent[];
  /** The studies of the board, by number. */
  ownStudies: Record<string, Study>;
  /** What has been done in studies that are exercises, by a key of their texts, latest first. */
  answers: Record<string, StudyAnswers>;
}

export interface State extends Device {
  // The board that the address names: open.ts.
  engine: Engine;
  boardName: string;
  /** The board is being solved, and what needs values waits; null: it is solved. */
  solving: Solving | null;
  /** How many positions end after each number of plies, once they are solved. */
  byPlies: number[];
  /** The page goes to another board, which it loads. */
  leaving: Leaving | null;

  /** The field that is edited. */
  typing: Typing | null;

  /** What the device has, as it was read or stored last: what differs is to be stored. */
  saved: Device;
  /** Why something is not stored: there is no room, or the browser stores nothing for this page. */
  unsaved: 'full' | 'refused' | null;
  /** The date where the user is, as "2026-11-30". */
  today: string;

  // What is shown: shown.ts.
  view: ViewName;
  dialog: DialogName | null;
  /** What is said above the view. */
  notice: Message | null;
  /** The button that asks whether its action is meant: pressed again, it acts. Any other action takes that back. */
  confirming: { id: string; question: string } | null;
  /** The board is flipped against what suits the user. */
  isTurned: boolean;
  /** The move that is pointed at or has the focus. */
  preview: MoveShown | null;
  /** The line that is played on the board, without changing the game. */
  line: ShownLine | null;
  /** Any click on the board marks. */
  pen: boolean;
  /** The fields for comments and drawings are shown in Explore. */
  areNotesOpen: boolean;
  /** What the last action lets the user hear. */
  heard: Heard;
  share: Share;

  // The topics, each with a file of its name.
  game: PlayedGame;
  newGame: NewGame;
  /** The fair starts of the board, once they are found. */
  fairStarts: string[] | null;
  review: Review;
  exercises: Exercises;
  editor: Editor;
  study: StudyShown;
  /** The board that is chosen in the dialog for other boards. */
  draft: Board;
}

/** A field, by what it belongs to: typing.ts. */
export type Field =
  /** The comment of a position of the game. */
  | { kind: 'comment'; origin: symbol; node: number }
  /** In an own study, the comment after moves from a position, or the title. */
  | { kind: 'studyComment'; own: string; id: number; moves: string }
  | { kind: 'studyTitle'; own: string }
  /** The position in the editor. */
  | { kind: 'notation' }
  /** What is to be opened. */
  | { kind: 'open' };

/** What is typed in a field, with its spaces. */
export interface Typing {
  field: Field;
  text: string;
  /** The comment as it was before, which the page shows meanwhile. */
  before: string;
  /** The text is not in the address yet. */
  isPending: boolean;
}

/** The work of finding the values: open.ts. */
export interface Solving {
  progress: Api.Progress | null;
  /** It takes long enough to be shown. */
  isSlow: boolean;
  /** The address whose view is entered when the values are there; null: the view that is shown. */
  target: Address | null;
  /** A move in the introduction that waits. */
  move: string | null;
}

/** An address on another board, and the name of a text to show there. */
export interface Leaving {
  hash: string;
  notice: string | null;
}

/** What an address of the page says: address.ts. */
export interface Address extends WrittenGame {
  board: string;
  view: string;
  /** The number of a game against a friend, see players.ts. */
  friend: string;
  study: string;
  /** All of it can be read. */
  valid: boolean;
  /** It says nothing. */
  empty: boolean;
}

/** The game that Play, Review and Explore show: game.ts. */
export interface PlayedGame {
  tree: Tree;
  /** Where the game is, with the resignation; another object after each change. */
  gameState: Api.GameState;
  players: Players;
  /** The result is among those of this device. */
  isCounted: boolean;
  /** The user has had a hint, seen the values, or taken a move back. */
  isHelped: boolean;
  /** A game was begun here. */
  isStarted: boolean;
  /** The game is not that of this device: it came with a link or from a study, say, and has not been continued. */
  isForeign: boolean;
  /** The position of a study that the game is of, and the number of that study if it is an own one: study.ts. */
  tie: { own: string | null; id: number } | null;
  /** Two engines play each other, but not now. */
  isPaused: boolean;
  /** The position was reached by a move, not by looking around. */
  hasMoved: boolean;
  /** The sheet with the result is closed. */
  isClosed: boolean;
  /** The move that the user is about to make, and what the opponent wins with then. */
  warning: { move: string; reply: MoveShown } | null;
  /** The last move of the link of a friend, which is shown in a moment. */
  coming: Node | null;
  hints: Hints;
  /** What a move does, by board, moves and move, of a table for which a worker finds it out; null: it cannot. */
  why: { key: string; facts: Api.Why | null } | null;
}

/** Hints for a position, one for each press of the button: game.ts. */
export interface Hints {
  /** What they give, in order. */
  steps: ('situation' | 'piece' | 'move')[];
  given: number;
  /** What the hints are about, once the first one is given. */
  best: { choice: Api.Choice; side: Api.Side; facts: Api.Why | null } | null;
}

/** The sheet on which a game is begun: new_game.ts. */
export interface NewGame {
  opponent: string;
  colour: string;
  position: string;
  /** What is in the field for the number of a fair start. */
  fair: string;
  /** The players, if they are neither the user and an opponent nor two people. */
  custom: Players | null;
  /** Two people play on two devices. */
  isByLink: boolean;
  isMoreShown: boolean;
  isFairShown: boolean;
}

export interface Review {
  /** The index of the move that is discussed with the board before it; null: the last move played. */
  focus: number | null;
  /** The user looks for a better move, and has tried this one. */
  attempt: { move: string; value: Api.Value } | 'none' | null;
}

/** A position that is asked, and what is aimed at: aims.ts. */
export interface Item {
  position: string;
  /** Where the game begins that leads to the position, with these moves. */
  start?: string;
  moves?: string[];
  aim: string;
  /** The square to reach, while the opponent does not move. */
  goal?: string;
  /** The only move that is right. */
  move?: string;
  /** The side of the user, if it is not the one to move. */
  side?: Api.Side;
  /** It is played until the game ends or is safe: several moves keep the draw. Otherwise, one right move solves it. */
  until?: 'end' | 'safe';
  /** The piece that is picked up at first, and the move that White threatens. */
  picked?: string;
  threat?: string;
}

/** What has been done in an exercise: exercise.ts. */
export interface Exercise {
  /** null: none is known yet, or all are done. */
  item: Item | null;
  /** Where it is; NO_GAME while another one is looked for in its place. */
  gameState: Api.GameState;
  /** 'refuted': the move was wrong, and what follows it is shown. */
  progress: 'unsolved' | 'wrong' | 'refuted' | 'shown' | 'solved';
  /** The last move that was wrong or that solved the exercise, why it was wrong, and what follows it. */
  tried: { choice: Api.MoveValue; reason?: Api.Why; line?: string[] } | null;
  misses: number;
  /** The last slide to a square that is to be reached. */
  slid: string | null;
  hints: Hints;
  /** What is being looked for. */
  search: Search | null;
}
/** A further exercise of a lesson; a puzzle of a grade (without a seed a random one); a mistake in games. */
export type Search = { theme: string } | { grade: string; seed: number | null; date: string }
  | { games: KeptGame[]; at: number };
/**
 * A position that may be an exercise. `moves` are those of the game before it: a move that repeats a position is a
 * mistake only because of them.
 */
export type Candidate = { position: string; date?: string | null; game?: KeptGame | null; moves?: string[] };

/** The exercises of each view that has them: lists.ts, puzzle.ts. */
export interface Exercises {
  /** The number of the step; the last one has no exercise. */
  introduction: Exercise & { number: number; isPicked: boolean };
  /** The number of the exercise in the lesson; null: a further one. */
  lessons: Exercise & { name: string; number: number | null };
  /**
   * The positions that are still to be asked, next one first, as places in the strategy, none if the game is played;
   * and how many times each was answered right, one after the other.
   */
  hold: Exercise & { queue: number[]; right: number[] };
  puzzle: Exercise & PuzzleState;
  study: Exercise;
}
export type ListName = keyof Exercises;

interface PuzzleState {
  item: Puzzle | null;
  /** The puzzle counts as solved or failed already: only the first try does. */
  isCounted: boolean;
  /** The text that explains why there is no puzzle, or ''. */
  none: string;
  /** How many of the user's mistakes have been shown. */
  mistakes: number;
}
export interface Puzzle extends Item {
  result: Api.Result;
  grade: string;
  /** The date of a daily puzzle; '' for any other; null: which of both is being found out. */
  date: string | null;
  /** The game in which the user made a mistake in this position. */
  game: KeptGame | null;
}

export interface Editor {
  /** The position of the game when the editor was opened, or ''. */
  of: string;
  pieces: Pieces;
  toMove: Api.Side;
  brush: Api.Side | 'empty';
  /** The text in the field while it is edited. */
  typed: string | null;
}

/** What is shown of studies; those of this device are in `ownStudies`: study.ts. */
export interface StudyShown {
  /** The identity of the position that is selected: if there is none such, the one in its place, or the first one. */
  id: number | null;
  /** A study from a link or a file, in place of the own one. */
  opened: Study | null;
  /** The link that is being read. */
  reading: string | null;
  /** The study that was packed last, and its text for the address. */
  packed: { study: Study | null; text: string };
}

/** What has been done in a study that is an exercise. */
export interface StudyAnswers {
  /** The number of the position that was selected last. */
  at: number;
  /** How positions were solved, by their identities. */
  solved: Record<string, 'alone' | 'helped'>;
  /** The identities of those for which a hint or the answer was given. */
  hinted: number[];
  /** How many wrong moves were made until then, by their identities. */
  misses: Record<string, number>;
}

/** What an entry of the history states with its address: address.ts. */
export interface HistoryEntry {
  /** The number of the own study that was shown or that the game is of. */
  own: string | null;
  /** The study from a link or a file that the game is of. */
  opened: Study | null;
  /** The identity of the position that was selected. */
  id: number | null;
  /** The game is that of this device. */
  isOwn: boolean;
  /** The players of any other game, or of one that is over, and whether its result is counted. */
  players: (Players & Pick<StoredGame, 'counted'>) | null;
  /** The name of a text to show. */
  notice: string | null;
  /** What was in the fields of the editor, while it was edited, and of the dialog for sharing. */
  notation: string | null;
  text: string;
}

/** The dialog with links, pictures and what can be opened. */
export interface Share {
  /** The text that was copied last; 'picture' for the picture, or ''. */
  copied: string;
  /** What the browser has not done since: copy something, or make the picture to save. */
  failed: 'copy' | 'save' | null;
  /** The picture also shows the last move and the values of moves. */
  hasValues: boolean;
  isMoreShown: boolean;
  /** Why `text` was not opened. */
  error: Message | null;
  text: string;
  /** A file that is being read, with such a text. */
  file: File | null;
  /** A study that is being packed for its address. */
  opening: { study: SentStudy } | null;
}

/** What a screen reader is to speak, and a sound. */
export interface Heard {
  sentences: Sentence[];
  sound: 'move' | 'won' | 'lost' | null;
}
/** A sentence, or a function of the state when the action is done; what is empty is left out. */
export type Sentence =
  string | false | null | undefined | typeof import('./shown.js').STATUS | ((state: State) => string);

// ---- the actions ----

/**
 * What the user does, by the name of the action: its reducer in the file of its topic. `seed` is a random number. What
 * is special about some of them is in store.ts (KINDS).
 */
export interface UserActions {
  // shown.ts
  open: { dialog: DialogName };
  close: object;
  /** Changes the board that is chosen in the dialog for other boards. */
  chooseBoard: { changes: Partial<Board> };
  flip: object;
  preview: { move: MoveShown | null };
  /** Plays a line on the board, named so that it is known which line is shown, from the move with number `at`. */
  showLine: { name: string; position: string; moves: string[]; at?: number; isPlaying?: boolean };
  pauseLine: object;
  stopLine: object;
  changeSetting: { [Name in keyof Settings]: { name: Name; value: Settings[Name] } }[keyof Settings];

  // open.ts
  /** An address, and what its entry of the history states. */
  openAddress: { hash: string; entry?: HistoryEntry; isIntroduced?: boolean };
  /** Shows a view; `theme` is that of the further exercises that the lessons are to show. */
  show: { view: ViewName; theme?: string; from?: string };
  explore: { position: string };
  resumeGame: object;
  /** Goes on with a game that was left. */
  resumeRecent: { game: StoredGame };
  reviewGame: { game: KeptGame };

  // open_text.ts
  openText: { text: string };
  openFile: { file: File };
  changePicture: { changes: Partial<Pick<Share, 'copied' | 'failed' | 'hasValues' | 'isMoreShown'>> };

  // game.ts
  /** These go to a ply of the line, to where moves lead, or to the ply of undo (-1) or redo (+1). */
  goto: { ply: number };
  gotoNode: { moves: string[] };
  step: { way: number };
  resign: object;
  /** Two people agree to a draw. */
  agreeDraw: object;
  pauseGame: { isPaused: boolean };
  closeResult: object;
  forgetWarning: object;
  /** Another game, by default from where the one that is shown began. */
  begin: { players: Players; position?: string; seed: number };
  deleteResults: object;
  deleteGames: object;

  // new_game.ts
  openNewGame: { position?: string; isFairShown?: boolean };
  changeNewGame: { changes: Partial<NewGame> };
  /** Has games on this board begin here; with null, in the position that the engine proposes. */
  chooseStart: { position: string | null };
  beginNewGame: { seed: number };

  // lists.ts
  /** The user has made a move on the board, in whatever view. */
  move: { move: string };
  introduce: object;
  picked: { square: string | null };
  /** A square is chosen to which no move leads or, without a piece that is picked, on which none stands. */
  refused: { from: string | null; to: string };
  /** `from` is a lesson, a grade, 'daily', 'mistakes' or, in the lesson on holding the draw, 'start'. */
  nextExercise: { from?: string };
  /** The next hint, in Play, too. */
  hint: object;
  showAnswer: object;

  // review.ts
  look: { index: number };
  tryAgain: { index: number };
  /** Plays a move and what follows it with best play. */
  refute: { name: string; index: number; move: string };

  // notes.ts
  togglePen: object;
  openNotes: { isOpen: boolean };
  mark: { from: string; to: string };
  eraseMarks: object;
  deleteLine: object;
  promote: object;

  // puzzle.ts
  tryPuzzleAgain: object;

  // typing.ts
  /** `before` is what the field had until then, if other windows can change it. */
  type: { field: Field; before?: string; text: string };
  leaveField: object;

  // editor.ts
  /** Without `piece`, the brush decides: it erases the piece that it has already painted there. */
  place: { square: string; piece?: Api.Side | null };
  chooseBrush: { brush: Editor['brush'] };
  chooseSide: { side: Api.Side };
  clearBoard: object;
  loadStart: object;

  // study.ts
  /** The game that is shown, or a position. */
  addToStudy: { position?: string };
  selectPosition: { id: number };
  /** A position of an own study, which another window may have moved or removed. */
  raisePosition: { own: string; id: number };
  /** The position that is on the board becomes the picture of the one that is selected. */
  setPicture: object;
  removePosition: { own: string; id: number };
  newStudy: object;
  chooseStudy: { own: string };
  deleteStudy: { own: string };
  /** Undoes the removal of a position or a study. */
  restoreRemoved: { removed: Removed };
  switchExercise: { own: string; exercise: boolean };
  keepStudy: object;
}

/**
 * What answers later: `request` is what it was asked for, and the reducer drops it if the state has moved on. One
 * without a request counts whatever is shown meanwhile.
 */
export interface Answers {
  /** Something is to be said above the view. */
  warn: { notice: Message };
  /** Another window has stored something; maybe another game. */
  storageChanged: { game: StoredGame | null };
  /** The user has stopped typing. */
  typingEnded: object;
  /** Something has been copied, whatever is shown meanwhile. */
  copied: { what: string };
  copyFailed: object;
  /** The text of a file; null: it cannot be read. */
  fileRead: { request: File; text: string | null };
  lineStep: { request: ShownLine };
  reply: { request: Api.GameState; seed: number };
  friendMoved: { request: Node };
  whyFound: { request: string; facts: Api.Why | null };
  fairFound: { positions: string[] };
  /** A reply, or the next exercise. */
  exerciseStep: { request: Api.GameState; seed: number };
  /** null: the search has failed. */
  exerciseFound: { request: Search; found: Candidate[] | null };
  dailyFound: { request: Puzzle; date: string };
  studyPacked: { request: Study | null; text: string };
  studyRead: { request: string; study: SentStudy | null };
  studyLinked: { request: Share['opening']; hash: string };
  solvingIsSlow: object;
  solvingProgress: { progress: Api.Progress; isSpoken: boolean };
  solved: { engine: Engine; byPlies: number[] };
  unsolved: { error: unknown };
}

type Actions = UserActions & Answers;
export type ActionType = keyof Actions;
export type Action<Type extends ActionType = ActionType> = { [One in Type]: { type: One } & Actions[One] }[Type];
export type Dispatch = (action: Action) => void;
/** What the store shows to the parts of the page: its `state` is the latest one. */
export interface Store {
  readonly state: State;
  dispatch: Dispatch;
}
/** What the state after an action is given to. */
export type Follower = (state: State, type: ActionType) => void;
/** The reducers of a topic: what an action makes of the state. */
export type Reducers = { [Type in keyof Actions]: (state: State, action: Actions[Type]) => State };

// ---- what these have ----

/** The size of a board, in squares. */
export type Shape = { width: number; height: number };
/** The size, the number of pieces of a side, and what wins. */
export type Board = Api.Board;
export type Pieces = Map<string, Api.Side>;
/** 'human' or the name of an opponent. */
export type Players = Record<Api.Side, string>;
/** The name of an opponent, and its English description. */
export type Opponent = { name: string; about?: string; offered_as?: string | null };
/** The name of a player, and its description. */
type PlayerText = { name: string; about: string };
/** A text of the page in one language; a function inserts values. */
export type Text = FixedText | ((...values: never[]) => string | number | string[] | PlayerText);
type FixedText = string | string[] | string[][] | PlayerText;
/**
 * A message, which a view translates when it renders: the name of a text, and what is inserted there. A side, as
 * 'black', becomes its name, a message its text.
 */
export type Message = [name: string, ...values: (string | number | Message)[]];
/** What lit-html renders, among other things. */
export type Content = TemplateResult | typeof nothing | string | false | null | undefined | Content[];
/** A move with its value: one of the choices, or another that an arrow shows. */
export type MoveShown = Pick<Api.MoveValue, 'move' | 'from' | 'to' | 'value'>;

export type TabName = 'play' | 'learn' | 'explore';
/** 'board' is what other pages embed. */
export type ViewName =
  | 'play' | 'introduction' | 'lessons' | 'hold' | 'puzzle' | 'explore' | 'review' | 'editor' | 'study' | 'board';
export type DialogName = 'start' | 'menu' | 'share' | 'help' | 'statistics' | 'laboratory';

/** What the board shows, and which moves the user can make on it. */
export interface Scene {
  position: string;
  legal: Api.LegalMove[];
  /** The last move. */
  last: string | null;
  values: MoveShown[] | null;
  preview: MoveShown | null;
  /** The side that has won, and the squares with which it has. */
  winner: Api.Side | null;
  winning: string[] | null;
  /** Whether they sparkle. */
  celebrates?: boolean;
  /** Squares to point out. */
  glow: string[] | null;
  /** The square of a piece that is picked up when the scene begins. */
  picked?: string;
  /** Circles and arrows: see tree.ts. */
  marks: readonly string[];
  /**
   * What the user does: makes the legal moves; also marks, which is to draw circles and arrows, with the right button
   * or after a long press; marks in any way; or places pieces.
   */
  mode: 'move' | 'move or mark' | 'mark' | 'place';
  flip: boolean;
}

/** The line above the board. */
export interface Status {
  side: Api.Side | null;
  headline: string;
  /** '?' or '??' after the headline. */
  mark?: string;
  subline: string;
  wrong?: boolean;
}

/** One of the views: functions of the state. */
export interface View {
  /** How it is called next to the others of its tab, if there are any. */
  name?(state: State): string;
  /** Whether it has anything to show; it has if this is missing. */
  hasContent?(state: State): boolean;
  status(state: State): Status;
  /** What is missing has its default. */
  scene(state: State): Partial<Scene>;
  panel(state: State, dispatch: Dispatch): Content;
  /** Whether the panel has the status, as a result: the players are above the board then. */
  hasResult?(state: State): boolean;
}

/** A game as text: its parts as an address has them. */
export interface WrittenGame {
  start: string | null;
  moves: string;
  /** The number of the move that is shown; null: the last one. */
  at: number | null;
  end: string;
  /** Comments and marks, and the names of the players, see tree.ts. */
  notes: string;
  names: string;
}

/** A position of a study, with the moves from there and to the picture of it. */
export interface StudyPosition extends Omit<WrittenGame, 'end'> {
  /** Identifies the position in its study, also after it has been changed or moved. */
  id: number;
  start: string;
  at: number;
}

/** A study of the board of the page. */
export interface Study {
  title: string;
  positions: StudyPosition[];
  /** Those who open the study look for the best moves, and see the comments afterwards. */
  exercise: boolean;
  /** What is stored in the place of positions and cannot be read, maybe by this version of the page: it is kept. */
  unread?: unknown[];
}

/** A study from a link or a file, with the name of its board. */
export interface SentStudy extends Study {
  board: string;
}

/** A game as it is stored: that of this device, or one that was left. */
export interface StoredGame extends WrittenGame, Players {
  start: string;
  /** The number of the last move of the game; -1: that of the first line. */
  last: number;
  counted: boolean;
  helped: boolean;
}

/** A study as it was before it was deleted or, with the place of a position, before that was removed. */
export interface Removed {
  own: string;
  study: Study;
  at: number | null;
}

/** A game that was left before its end or with notes, or what was removed, with the date. */
export type Recent = { date: string; game: StoredGame } | { date: string; removed: Removed };

/** A game that has ended, as it is kept: its moves, without variations. */
export interface KeptGame extends Players {
  start: string;
  moves: string;
  /** How the game has ended, as in a WrittenGame: 'resigned-black', for example, or ''. */
  end: string;
  /** As "2026-11-30". */
  date: string;
  winner: Api.Side | null;
}

export interface Settings {
  language: string;
  theme: string;
  /** The user has seen or skipped the introduction. */
  met: boolean;
  /** Values are shown while playing. */
  values: boolean;
  /** Single keys work everywhere. */
  keys: boolean;
  /** The page warns of a move that loses at once; null: until the user has won a game. */
  warnings: boolean | null;
  sound: boolean;
  opponent: string;
  /** 'black', 'white' or 'random'. */
  colour: string;
  /** The grade of random puzzles. */
  grade: string;
  /** By board: the start position that the user has chosen. */
  starts: Record<string, string>;
  /** By board: the number of the own study that is shown, or that positions are added to. */
  studies: Record<string, string>;
  /** By lesson: how many of its exercises are solved. */
  lessons: Record<string, number>;
  /** The lesson on how White holds the draw is done. */
  held: boolean;
}

/** The results of games and puzzles. */
export interface PlayResults {
  /** By opponent: won, drawn, lost. */
  games: Record<string, number[]>;
  /** By opponent: how many of these games were played with help. */
  helped: Record<string, number>;
  /** By grade: solved, failed. */
  puzzles: Record<string, number[]>;
  rating: number;
  streak: number;
  bestStreak: number;
  /** The date of the last daily puzzle that was solved. */
  daily: string;
  /** On how many days in a row, until then, one was solved. */
  days: number;
  /** The position of the puzzle that was counted last, or ''. */
  last: string;
}

/** A line that is played on the board without changing the game. */
export interface ShownLine {
  name: string;
  moves: string[];
  /** One more than there are moves. */
  positions: string[];
  end: Api.End | null;
  at: number;
  isPlaying: boolean;
}

