// Texts and files that are opened in the dialog for sharing: links, positions, games and studies; why a text is none of
// them: from the code and the place that the engine reports, a message of the page; and what else that dialog does.

import { linkIn, readAddress } from './address.js';
import { EngineError } from '../../engine/page.js';
import { openTree } from './game.js';
import { explorePosition, openAddress } from './open.js';
import { isMeantAsPosition, moveNumber, positionFault, readPosition } from './position.js';
import {
  fitsLink, isCut, isMeantAsRecord, legalIn, recordsIn, treeOfRecord, withoutLinks, withParagraphs,
} from './record.js';
import { announce, BLANK_SHARE, notify, STATUS, update } from './shown.js';
import { studyPositionOf } from './study.js';
import { asText, asTitle, MOST_LENGTH, MOST_POSITIONS, readStudy } from './study_text.js';
import { t } from '../texts.js';
import { asComment, hasNote, MOST_COMMENT, MOST_MOVES } from './tree.js';

import type { Engine } from '../../engine/engine.js';
import type { GameState, Message, Reducers, SentStudy, Side, State } from './types.js';

// ---- why a text is not a game ----

/** Why a move is illegal, if it is; `piece` is the one on the square from which it begins. */
function moveFault(
  { legal, to_move: toMove, end }: GameState, from: string, to: string, piece: Side | undefined,
): Message {
  if (end) return ['unread_over'];
  if (!piece) return ['unread_noPiece', from];
  if (piece !== toMove) return ['unread_otherPiece', from, toMove];
  const way = (square: string) => [...square].map((c, axis) => c.charCodeAt(0) - from.charCodeAt(axis));
  const [x, y] = way(to);
  if (x && y && Math.abs(x) !== Math.abs(y)) return ['unread_noLine', from, to];
  const stop = legal.find((one) => one.from === from && `${way(one.to).map(Math.sign)}` === `${[x, y].map(Math.sign)}`);
  return stop ? ['unread_stops', stop.to, to] : ['unread_blocked', from];
}

/** Reads the game that a text begins with; null if it begins with something else. */
function beginning(engine: Engine, text: string) {
  try {
    const game = engine.readGame(`[Event ""]\n${text}`); // without moves it is a game as well
    const state = game.state();
    game.free();
    return state;
  } catch {
    return null;
  }
}

/** Why the games in a text are no study; null: they are one, or there is only one game. */
function gamesFault(engine: Engine, text: string): Message | null {
  const texts = recordsIn(text);
  if (texts.length < 2) return null;
  if (texts.length > MOST_POSITIONS) return ['unreadMany', MOST_POSITIONS];
  for (const [n, one] of texts.entries())
    try {
      if (readRecord(engine, one).tree.length > MOST_MOVES) return ['unreadGame', n + 1, ['tooManyMoves', MOST_MOVES]];
    } catch (error) {
      if (error instanceof EngineError) return ['unreadGame', n + 1, recordFault(engine, one, error)];
    }
  return null;
}

/**
 * Why a text is not the record of a game.
 * @param error that readGame has thrown
 */
export function recordFault(engine: Engine, text: string, { code, at }: EngineError): Message {
  if (code === 'syntax' && !at) return ['unread_none'];
  const before = [...text].slice(0, at - 1).join(''); // of an emoji, JavaScript counts two characters
  const here = (...why: Message): Message => ['unreadPlace', at, why];
  const line = before.slice(before.search(/(?<![^\n\r])[^\n\r]*$/));
  const next = text.slice(before.length);
  if (next[0] === '{') return here('unread_comment');
  if (code === 'rules') return here('unread_board', /^[^"]*/.exec(next)?.[0] ?? '');
  if (/^\[(?:start|fen)|^start/i.test(line)) {
    const { ok } = engine.checkPosition(/^[^"\n]*/.exec(next)?.[0] ?? '');
    return here(ok ? 'unread_starts' : 'unread_start');
  }
  if (/^\s*\[/.test(line)) return here('unread_header');
  if (next[0] === '[' && before.trim()) return gamesFault(engine, text) ?? here('unread_second');
  const [word] = /(?<![^\s()])[^\s()]*$/.exec(before) ?? [''];
  const state = beginning(engine, before.slice(0, before.length - word.length));
  const [, move = ''] = /^(?:\d+\.*)?([^\s(){}!?;,]*)/.exec(word + next) ?? [];
  if (!state && code === 'move') return here('unread_illegal', move); // in a variation
  if (!state || !move) return here('unread_other');
  const inMove = (...why: Message): Message =>
    ['unreadMove', at, moveNumber(state.start, state.plies), state.to_move, why, state.plies + 1];
  const [, from, to] = /^([a-z]\d)-?([a-z]\d)$/i.exec(move.toLowerCase()) ?? [];
  if (code === 'move' && from) {
    const { pieces } = readPosition(state.position, engine.board);
    return inMove(...moveFault(state, from, to, pieces.get(from)));
  }
  if (code === 'move') return inMove('unread_over');
  return next && !/\s/.test(next[0]) ? inMove('unread_noMove', next[0]) : inMove('unread_other');
}

// ---- games and positions ----

/** What a record says that its moves contradict, or what was skipped in it, in the words of the page. */
function warningOf({ warning }: { warning: string | null }): Message | null {
  if (!warning) return null;
  if (/third occurrence/.test(warning)) return ['warnRepetition'];
  if (/the result differs/.test(warning)) return ['warnResults'];
  if (/the result \S+ is ignored/.test(warning)) return ['warnResult'];
  return ['warnSkipped', Number(/\d+/.exec(warning)?.[0])];
}

/** Reads a record. An error is where it is in the text, to which paragraphs add characters. */
function readRecord(engine: State['engine'], text: string) {
  try {
    return engine.readRecord(withParagraphs(text));
  } catch {
    return engine.readRecord(text);
  }
}

/** Opens the record of a game. Returns a message if that is impossible. */
function openRecord(state: State, text: string): State | Message {
  const { engine } = state;
  let record: ReturnType<typeof readRecord>;
  try {
    record = readRecord(engine, text);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return ['openFailed', recordFault(engine, text, error)];
  }
  if (record.tree.length > MOST_MOVES) return ['tooManyMoves', MOST_MOVES];
  const tree = legalIn(engine, treeOfRecord(record, engine.board));
  if (!fitsLink(tree)) return ['commentsFull'];
  const isAnnotated = tree.inTextOrder().some((node) => hasNote(node) || node.children.length > 1);
  const opened = openTree(state, tree, { view: isAnnotated ? 'explore' : 'review', isForeign: true });
  const notice: Message | null = record.tree.some(isCut) ? ['commentsCut', MOST_COMMENT] : warningOf(record);
  return { ...opened, notice };
}

function isRecord({ engine }: State, text: string) {
  try {
    engine.readRecord(text);
    return true;
  } catch {
    return false;
  }
}

/** Opens a link, a position or a game. Returns a message for any other text. Not a study: see openInput(). */
function openGameText(state: State, given: string): State | Message {
  const text = isMeantAsRecord(given) ? withoutLinks(given) : given;
  const link = linkIn(text);
  const hash = link && isRecord(state, text) ? '' : link; // a record may have a link in its comments
  const target = hash ? readAddress(hash) : null;
  if (target && !target.empty) return openAddress(state, hash);
  const check = state.engine.checkPosition(text);
  if (check.ok) return explorePosition(state, check.position);
  if (!text || hash) return ['openFailed'];
  if (/^https?:/i.test(text)) return ['openFailed', ['unread_address']];
  if (!isMeantAsPosition(text, check.error)) return openRecord(state, text);
  return ['openFailed', positionFault(text, check.error, state.engine.board.pieces)];
}

// ---- studies ----

/** The study that has a position for each of several games in a text; null for all other texts. */
function studyOfGames(state: State, text: string): SentStudy | null {
  const { engine } = state;
  const texts = recordsIn(text);
  if (texts.length < 2 || texts.length > MOST_POSITIONS) return null;
  try {
    const records = texts.map((one) => readRecord(engine, one));
    if (records.some(({ tree }) => tree.length > MOST_MOVES)) return null;
    const events = records.map(({ headers: { event = '' } }) => event);
    // Other programs name a chapter "Study: Chapter".
    const [first] = events[0].split(': ');
    const title = events.every((event) => `${event}: `.startsWith(`${first}: `)) ? first : '';
    const positions = records.map((record, n) => {
      const { result = '*' } = record.headers;
      const tree = legalIn(engine, treeOfRecord(record, engine.board));
      const { comment } = tree.root;
      const event = events[n].slice(title.length).replace(/^: /, '');
      const lines = [event, result !== '*' && `(${result})`, comment].filter(Boolean);
      const named = tree.withNote(tree.root, { comment: asComment(lines.join('\n')) });
      return studyPositionOf(named.goto(named.root), n + 1);
    });
    return { board: state.boardName, title: asTitle(title), positions, exercise: false };
  } catch {
    return null;
  }
}

const MOST_BYTES = 1e6; // of a file with a game or a study

/** Opens the study that a text is, or shows that it is none, or is too large for a link. */
function openStudy(state: State, text: string, study: SentStudy | null) {
  const isTooLarge = study && asText(study, study.board).length > MOST_LENGTH;
  const error: Message | null = isTooLarge ? ['fileTooLarge'] : study ? null : ['studyDamaged'];
  return update(state, 'share', { text, error, opening: study && !error ? { study } : null });
}

/** Opens what is in the dialog for sharing, or shows there why not. */
function openInput(state: State, text: string) {
  const study = text.startsWith('{') ? readStudy(text) : studyOfGames(state, text);
  // Not a record that begins with a comment: a study that was cut off.
  if (study || (/^\{\s*["}]/.test(text) && !isRecord(state, text)))
    return openStudy(state, text, study);
  const opened = openGameText({ ...state, dialog: null }, text);
  return Array.isArray(opened) ? update(state, 'share', { text, error: opened })
    : announce({ ...opened, share: BLANK_SHARE }, STATUS);
}

export const textReducers = {
  openText: (state, { text }) => openInput(state, text),
  openFile: (state, { file }) =>
    update(state, 'share', file.size > MOST_BYTES ? { file: null, error: ['fileTooLarge'] } : { file, error: null }),
  fileRead(state, { request, text }) {
    if (state.dialog !== 'share' || state.share.file !== request) return state;
    const read = update(state, 'share', { file: null });
    return text === null ? update(read, 'share', { error: ['fileUnreadable'] }) : openInput(read, text.trim());
  },
  studyLinked: (state, { request, hash }) =>
    (request && state.dialog === 'share' && state.share.opening === request
      ? openAddress({ ...state, share: BLANK_SHARE }, hash) : state),
  changePicture: (state, { changes }) => update(state, 'share', changes),
  copied: (state, { what }) => announce(update(state, 'share', { copied: what, failed: null }), t('copied')),
  copyFailed(state) {
    const failed = update(state, 'share', { copied: '', failed: 'copy' });
    if (state.dialog === 'share') return failed; // which shows it
    return state.dialog ? announce(failed, t('copyFailed')) : notify(failed, ['copyFailed']);
  },
} satisfies Partial<Reducers>;
