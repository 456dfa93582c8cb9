// The types that the parts of the page share. Those of the engine's answers are the npm package's.

import type { TemplateResult, nothing } from 'lit-html';

import type * as Api from '../engine/index.js';
import type { Engine, Game } from '../engine/engine.js';
import type { Action, ShownState } from './state/types.js';
import type { Node, Tree } from './state/tree.js';

export type { Choice, GameState, LegalMove, MoveValue, Result, Reviewed, Side, Value, Why } from '../engine/index.js';

/** The size of a board, in squares. */
export type Shape = { width: number; height: number };
/** With the number of pieces of a side and what wins. */
export type Board = Api.Engine['board'];
export type Pieces = Map<string, Api.Side>;
/** 'human' or the name of an opponent. */
export type Players = Record<Api.Side, string>;
/** The file of a table; the one that is not compressed may be replaced. */
export type Source = { file: Blob };
/**
 * An engine, what its table comes from (null: the page), the start position that it proposes, and what the laboratory
 * shows of the board.
 */
export type Opened = { engine: Engine; source: Source | null; start: string; result?: Solved };
/** What is known about a solved board. */
export interface Solved {
  board: Board;
  /** Of its table. */
  bytes: number;
  summary: Api.Engine['summary'];
  /** Of the start position. */
  value: Api.Value;
  /** The first moves that keep it, of all. */
  kept: number;
  first: number;
  /** The numbers of positions by their distance; null for a table that has not been solved here. */
  byPlies: number[] | null;
}
/** The state of the laboratory. */
export interface LaboratoryState {
  /** The board that is chosen. */
  draft: Board;
  /** The board that was solved or opened last, besides that of the page. */
  other: Opened | null;
  /**
   * What is being done, if anything: a board is solved, or (null) the table of a file is verified; how far it is:
   * while it is verified, the share.
   */
  job: { board: string | null; control: AbortController; progress: Progress | number | null } | null;
  /** What solving a board takes; null until it is known. */
  plan: { board: string; estimate: Estimate | null } | null;
  message: string;
  /** The message is not an error. */
  isCalm: boolean;
}
type Progress = import('../engine/solve.js').Progress;
type Estimate = Awaited<ReturnType<typeof import('../engine/solve.js').estimate>>;
/** The name of an opponent, and its English description. */
export type Opponent = { name: string; about?: string; offered_as?: string | null };
/** How a player is called, and what there is to say about it. */
export type PlayerText = { name: string; about: string };
/** A text of the page in one language; a function inserts values. */
export type Text = FixedText | ((...values: any[]) => string | number | string[] | PlayerText);
type FixedText = string | string[] | string[][] | PlayerText;
/**
 * Why a text is not the record of a game: where (the number of the character, from 1), in which move (from 1), and the
 * name of the text that says why, with what is inserted there.
 */
export type Unread = { at: number; move: { ply: number; side: Api.Side } | null; why: [string, ...string[]] };
/** What lit-html renders, among other things. */
export type Content = TemplateResult | typeof nothing | string | false | null | undefined | Content[];
/** A move with its value: one of the choices, or another that an arrow shows. */
export type MoveShown = Pick<Api.MoveValue, 'move' | 'from' | 'to' | 'value'>;

export type TabName = 'play' | 'review' | 'puzzle' | 'explore';
/** 'board' is what other pages embed. */
export type ViewName = TabName | 'editor' | 'study' | 'lessons' | 'laboratory' | 'board';
export type DialogName = 'start' | 'menu' | 'share' | 'help' | 'statistics';

/** What the board shows, and which moves the user can make on it. */
export interface Scene {
  position: string;
  legal: Api.LegalMove[];
  /** The last move. */
  last: string | null;
  values: MoveShown[] | null;
  preview: MoveShown | null;
  /** The side that has won, and the squares with which it has. */
  winners: Api.Side | null;
  winning: string[] | null;
  /** Whether they sparkle. */
  celebrates?: boolean;
  /** Squares to point out. */
  glow: string[] | null;
  /** The square of a piece that is picked up when the scene begins. */
  picked?: string;
  /** Circles and arrows: see tree.js. */
  marks: string[];
  /** The user can draw them: with the right button or after a long press or, with the `pen`, in any way. */
  drawing: boolean;
  pen: boolean;
  editing: boolean;
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

/** One of the views, or the introduction. */
export interface View {
  /** null: as in Play. */
  status(): Status | null;
  /** `base` is the scene of Play, if the view shows the game; what is missing has its default. */
  scene(base: Partial<Scene>): Partial<Scene>;
  panel(): Content;
  /** The user has made a move on the board. */
  move?(move: string): void;
  /** The user has drawn an arrow on the board, or a circle if both squares are the same. */
  draw?(from: string, to: string): void;
  /** What replaces the status above the board. */
  title?(): Content;
  /** The size of the board, if that is not the one that is played on. */
  shape?(): Shape;
}

export interface Dialog {
  content(): Content;
  /** It is about to open. */
  reset?(): void;
}

/** The game of an address: its parts as they are written there. */
export interface Target {
  start: string | null;
  moves: string;
  /** The number of the move that is shown; null: the last one. */
  at: number | null;
  end: string;
  /** Comments and marks, see tree.js. */
  notes: string;
  /** The number of a game against a friend, see friend.js. */
  friend?: string;
  /** The number of the last move of the game; -1: that of the first line. */
  last?: number;
}

/** A position of a study: a tree of moves, as in an address. */
export interface StudyPosition {
  start: string;
  moves: string;
  at: number;
  notes: string;
}

export interface Study {
  /** The name of the board. */
  board: string;
  title: string;
  positions: StudyPosition[];
}

export interface StoredGame extends Target, Players {
  start: string;
  counted: boolean;
}

/** A game that has ended: its moves, without variations. */
export interface KeptGame extends Players {
  start: string;
  moves: string;
  /** As in a Target: 'resigned-black', for example, or ''. */
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
  /** Of puzzles. */
  grade: string;
  /** By board: the start position that the user has chosen. */
  starts: Record<string, string>;
  /** By lesson: how many of its exercises are solved. */
  lessons: Record<string, number>;
}

/** The results of games and puzzles. */
export interface PlayRecord {
  /** By opponent: won, drawn, lost. */
  games: Record<string, number[]>;
  /** By grade: solved, failed. */
  puzzles: Record<string, number[]>;
  rating: number;
  streak: number;
  bestStreak: number;
  /** The date of the last daily puzzle that was solved. */
  daily: string;
  /** On so many days in a row until then. */
  days: number;
  /** The position of the puzzle that was counted last, or ''. */
  last: string;
}

/** A line that is played on the board without changing the game. */
export interface Demo {
  name: string;
  moves: string[];
  /** One more than there are moves. */
  positions: string[];
  over: Api.GameState['end'];
  at: number;
  playing: boolean;
}

/** What the parts of the page share; each adds what it offers. */
export interface App extends Readonly<ShownState> {
  dispatch(action: Action): void;
  settings: Settings;
  record: PlayRecord;
  /** That are kept, latest first. */
  games: KeptGame[];
  view: ViewName;
  /** The step of the introduction that is shown. */
  introduction: null | 'slide' | 'win' | 'block' | 'done';
  /** Whether the action of a button is meant: it has been asked for, and is done now. Otherwise it is asked now. */
  isMeant(id: string): boolean;
  /** `choices` of the state, once they are needed. */
  cachedChoices: Api.Choice[] | null;
  /** The moves with their values, best first. */
  readonly choices: Api.Choice[];
  randomSeed(): number;

  // main.js
  engine: Engine;
  /** What its table comes from; null: the page. */
  source: Source | null;
  reviewer: ReturnType<typeof import('./reviewer.js').createReviewer>;
  opponents: Opponent[];
  /** The name of the board that is played on, and where its games begin. */
  boardName: string;
  start: string;
  /** Where they begin unless the user chooses another start. */
  proposed: string;
  board: {
    read(text: string): { pieces: Pieces; toMove: Api.Side };
    write(pieces: Pieces, toMove: Api.Side): string;
  };
  /** Whether White is at the bottom. */
  flipped(): boolean;
  render(): void;
  announce(...sentences: (string | false | null | undefined | (() => string))[]): void;
  statusText(): string;
  set<Name extends keyof Settings>(name: Name, value: Settings[Name]): void;
  /** Draws everything, stores the game, and adds the address to the history, or replaces its last entry. */
  update(options?: { replace?: boolean; notice?: string }): void;
  /** Stores the game and its address a moment later, at the latest when the page is left. */
  storeSoon(): void;
  /** The position of the game has changed. */
  moved(): void;
  /** Shows a view; `theme` is that of the further exercises that the lessons are to show. */
  show(view: ViewName, theme?: string): void;
  setPreview(choice: MoveShown | null): void;
  /** Explores a position. */
  openPosition(position: string): void;
  open(name: DialogName): void;
  close(): void;
  /** Shows the next puzzle, or the sheet for a new game. */
  next(): void;
  flip(): void;
  toggleValues(): void;
  setLanguage(code: string): void;
  setTheme(theme: string): void;
  /** A stored game that a link has covered. */
  otherGame(): StoredGame | null;
  resumeGame(): void;
  /** Has games on this board of the laboratory begin here; with null, in the position that the engine proposes. */
  chooseStart(position: string | null): void;
  /** Leaves the board of the laboratory. */
  standardGame(): void;
  startLesson(): void;

  // start.js
  openStart(position?: string): void;

  // play.js
  tree: Tree;
  /** The engine's game, which agrees with the tree. */
  game: Game;
  /** Of the game, with the resignation. */
  state: Api.GameState;
  players: Players;
  /** To move in the start position of the game. */
  first: Api.Side;
  /** The result is in the record. */
  counted: boolean;
  /** A game was begun here. */
  started: boolean;
  /** The game came with a link and has not been continued. */
  foreign: boolean;
  /** The side of the user against an opponent; null for two people or two engines. */
  you(): Api.Side | null;
  isHuman(side: Api.Side): boolean;
  /** Whether this is 'human' or the name of an opponent that the page offers. */
  isKnown(name: string): boolean;
  nameOf(side: Api.Side): string;
  /** Whether an opponent replies now. */
  thinking(): boolean;
  schedule(): void;
  /** Makes the engine's game and the state agree with the tree. */
  refresh(): void;
  /** The ply that undo (-1) or redo (+1) goes to; null if there is none. */
  target(way: number): number | null;
  sideAt(ply: number): Api.Side;
  /** The number of the move with this index. */
  moveNumber(ply: number): number;
  /** Whether the user may move now. */
  canMove(): boolean;
  /** Whether the page warns of a move that loses at once. */
  warns(): boolean;
  play(move: string): void;
  step(way: number): void;
  /** Has a screen reader speak the last move and who is to move. */
  announcePosition(): void;
  goto(ply: number): void;
  gotoNode(node: Node): void;
  resign(): void;
  openTree(tree: Tree, options?: { players?: Players; view?: ViewName; counted?: boolean }): void;
  newGame(players?: Players, start?: string): void;

  // explore.js: the list that Explore and Play show
  valueList(): Content;

  // notes.js
  /** Has the user draw on the board with any click, or not any more. */
  togglePen(): void;

  // games.js
  /** Keeps the game, which has ended. */
  keepGame(): void;
  keptGames(): KeptGame[];
  gameList(): Content;
  reviewGame(game: KeptGame): void;

  // demo.js
  showLine(name: string, position: string, moves: string[], options?: { at?: number; playing?: boolean }): void;
  stopDemo(): void;
  demoScene(): Partial<Scene>;
  /** A line whose moves can be stepped through and played, named so that one can tell which line is shown. */
  lineTemplate(name: string, position: string, moves: string[]): Content;
}
