// The address of what the page shows: the part of the link after #, what it has of each view, and the history of the
// browser, which has it.

import { STANDARD, startOf, usualName } from './boards.js';
import { editedText } from './editor.js';
import { digits, flag, integer, namesOf, object, orNull, readObject, readQuery, text } from './input.js';
import { furtherOf, LESSONS } from './lists.js';
import { friendNumber, userOf } from './players.js';
import { writeMoves } from './position.js';
import { encodeNotes, endOf, isMeantAsRecord } from './record.js';
import { isOfGame } from './shown.js';
import { player } from './storage.js';
import { ownNumber, selectedPosition } from './study.js';
import { studyCheck, studyNumber } from './study_text.js';

import type { Schema } from './input.js';
import type { ActionType, Address, Follower, HistoryEntry, Leaving, State, Store, ViewName } from './types.js';

/** What is written of an address. */
type Written = Omit<Address, 'valid' | 'empty'>;

/** The parameters of an address, in the order in which they are written. */
const PARAMETERS: Schema<Written> = {
  board: [text(), STANDARD],
  view: [text(), 'play'],
  friend: [text(/^\d{0,9}$/), ''],
  start: [text(/^[^#]*$/), null],
  moves: [text(), ''],
  at: [digits, null],
  end: [text(), ''],
  notes: [text(), ''],
  names: [text(), ''],
  study: [text(), ''],
};

const isParameter = (name: string): name is keyof Written => Object.hasOwn(PARAMETERS, name);

// ---- what chats, mail and browsers make of a link ----

/** Full-width forms as their ASCII characters, without joiners and what ends a line softly. */
const folded = (text: string) =>
  text.replace(/[\u00ad\u200b-\u200d\u2060\ufeff]/g, '')
    .replace(/[\uff01-\uff5e]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0xfee0));

/** A link without the characters after it that chats, Markdown and sentences take for a part of it. */
function withoutRest(text: string) {
  let length = text.length;
  for (let depth = text.split('(').length - text.split(')').length; length; length--) {
    const last = text[length - 1];
    if (last === ')' && depth < 0) depth++;
    else if (/[\w()%~=+-]/.test(last)) break;
  }
  return text.slice(0, length);
}

/** A text of a link in which "=" has been encoded, decoded; the text itself if it cannot be. */
function decoded(text: string) {
  try {
    return /=/.test(text) ? text : decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** What mail and social networks add to links, to count who opens them. */
const TRACKING = /^utm_|clk?id$/i;

/** The parameters of an address, by their names, as they were written by writeAddress(). */
function parametersOf(hash: string) {
  const query = decoded(folded(hash)).replace(/&(?:amp;)+/g, '&').replace(/:~:.*|\]\(.*/s, '');
  const given = Object.entries(readQuery(withoutRest(query.replace(/^#/, ''))));
  const parameters = given.filter(([name]) => !TRACKING.test(name)).map(([written, value]) => {
    const name = written.toLowerCase().replace(/^\W+/, '');
    // Notes and names are texts, and the letters of a study are in capitals and not.
    const isText = name === 'notes' || name === 'names';
    return [name, isText ? value : name === 'study' ? value.replace(/[^\w-].*/s, '') : plain(name, value)];
  });
  return Object.fromEntries(parameters);
}

/** The value of a parameter that is neither a text nor a study. What follows it in a sentence is cut. */
function plain(name: string, value: string) {
  const whole = value.toLowerCase().replace(/[<>"?].*/s, '');
  const cut = whole.replace(/(?<![^a-z\d()])[^a-z\d()]+$/, ''); // "(": the link was cut there
  return name === 'moves' ? cut.replaceAll('-', '').replace(/\.?[ ,+][ ,+.]*/g, '.') : cut;
}

/** The headers and comments of records, which may have links, too. A link without its page begins with # and a name. */
const OF_RECORDS = /\[\w+\s+"[^"\n]*"\]|\{[^}]*(?:\}|$)|(?:^|\s)(?:;|#(?!\w+=)).*/g;

/** Where mail breaks the line in the moves of a link. */
const BREAKS = /\r?\n(?:> ?)*(?=(?:[.&]|[a-h]\d[a-hvz.&]|\d\.?[a-h])[\w.&=()-]*$)/gim;

/**
 * The part from # on of the link that a text is or contains, maybe in brackets or Markdown, without the https: that
 * chats leave out, and not in a record; '' if there is none.
 */
export function linkIn(text: string) {
  if (isMeantAsRecord(text)) return '';
  const page =
    /(?:^|(?:https?|file):(?:(?!https?:|file:)[^\s#<>])*?|\w\.[a-z]{2}[^\s#<>]{0,99}?(?=#\w+=))(?:#|%23)([^\s<>"]*)/i;
  const found = page.exec(folded(text).replace(BREAKS, '').replace(OF_RECORDS, ''));
  return found ? `#${found[1]}` : '';
}

/** Writes an address; parameters that are empty or have what is usual are left out. */
export function writeAddress(target: Partial<Written>) {
  const { start, notes = '', names = '' } = target;
  const texts = { start: start?.replace(' ', '_') ?? null, notes: encodeNotes(notes), names: encodeNotes(names) };
  const written: Partial<Written> = { ...target, ...texts };
  return namesOf(PARAMETERS).filter((name) => (written[name] ?? '') !== '' && written[name] !== PARAMETERS[name][1])
    .map((name) => `${name}=${written[name]}`).join('&');
}

/** Reads an address. The caller checks the values: whether there are such a board and view, and what is legal. */
export function readAddress(hash: string): Address {
  const parameters = parametersOf(hash);
  const given = Object.keys(parameters);
  const read = readObject(parameters, PARAMETERS);
  return {
    ...read,
    board: usualName(read.board),
    start: read.start?.replaceAll('_', ' ') ?? null,
    valid: given.every((name) => isParameter(name) && PARAMETERS[name][0](parameters[name]) !== undefined),
    empty: !given.some(isParameter),
  };
}

// ---- what the addresses of views have ----

/** The views whose addresses do not have the game, but these parts. */
const PARTS: { [View in ViewName]?: (state: State) => Partial<Written> } = {
  puzzle: ({ exercises: { puzzle: { item } } }) => ({ start: item && !item.game ? item.position : null }),
  lessons: ({ exercises: { lessons } }) => ({ at: LESSONS.indexOf(lessons.name) + 1, start: furtherOf(lessons) }),
  hold: () => ({}),
  editor: (state) => ({ start: editedText(state) }),
  study: ({ study }) => ({ study: study.packed.text }),
};

/** The address of the game in a view. */
export function gameAddress(state: State, view: ViewName) {
  const { boardName: board, game: { tree, players } } = state;
  const start = board === STANDARD && tree.start === startOf(state) ? null : tree.start;
  const friend = view === 'play' ? friendNumber(players) : '';
  if (friend) {
    const moves = writeMoves(tree.gameMoves());
    return writeAddress({ board, view, start, moves, end: endOf(tree), friend });
  }
  const { moves, at, notes } = tree.write();
  const isLast = tree.current === tree.firstEnd();
  const end = tree.end() === tree.firstEnd() ? endOf(tree) : ''; // which an address has after the first line
  return writeAddress({ board, view, start, moves, at: isLast ? null : at, end, notes, names: tree.names });
}

/** The address of what is shown. */
export function addressOf(state: State) {
  const { view, boardName: board, solving } = state;
  if (solving?.target) return location.hash.replace(/^#/, ''); // which is opened when the values are there
  const parts = PARTS[view];
  if (parts) return writeAddress({ board, view, ...parts(state) });
  return gameAddress(state, view === 'introduction' ? 'play' : view);
}

/** The link to an address of this page. */
export const linkTo = (address: string) => new URL(`#${address}`, location.href).href;

/** A link to what is shown. */
export const linkOf = (state: State) => linkTo(addressOf(state));

// ---- the history ----

/** The actions after which going back leads to what was shown before. */
const LEADING: ActionType[] = [
  'begin', 'beginNewGame', 'resumeGame', 'resumeRecent', 'reviewGame', 'introduce', 'openText', 'fileRead',
  'studyLinked', 'show', 'explore',
];

/** What the address and its entry of the history are made of. */
const WRITTEN: (keyof State)[] = ['view', 'game', 'exercises', 'editor', 'study', 'share', 'solving'];

/**
 * What the entry of the history for an address of this page states; an address that the user has entered has null. An
 * own study is shown as it is now, also if the page is loaded again before the link to its last change is packed; but
 * if it could not be stored, only the link has it. The address of a game has neither the study that it is of nor the
 * players.
 */
function historyEntryOf(state: State): HistoryEntry {
  const { view, editor, share, game, unsaved, study: { opened, reading, id } } = state;
  const isTied = view !== 'study' && game.tie !== null;
  const isOwn = isOfGame(state) && !game.isForeign;
  // An own game that is over may have given way to another one by then.
  const hasPlayers = isOfGame(state) && userOf(game) !== null && (game.isForeign || game.isCounted);
  const isShown = isTied || (view === 'study' && !reading);
  return {
    own: isShown && !opened && !unsaved ? ownNumber(state) : null,
    opened: isTied ? opened : null,
    id: isShown ? selectedPosition(state)?.id ?? null : reading === null ? null : id,
    notation: view === 'editor' ? editor.typed : null,
    isOwn,
    players: hasPlayers ? { ...game.players, counted: game.isCounted } : null,
    notice: null,
    text: share.text,
  };
}

const entrySchema: Schema<HistoryEntry> = {
  own: [orNull(studyNumber), null],
  opened: [orNull(studyCheck), null],
  id: [orNull(integer(1)), null],
  notation: [orNull(text()), null],
  isOwn: [flag, false],
  players: [orNull(object({ black: player, white: player, counted: flag })), null],
  notice: [orNull(text(/^(badLink|labFailed_\w+)$/)), null], // which need no values
  text: [text(), ''],
};
const readEntry = (entry: unknown) => readObject(entry, entrySchema);

/** The action that opens the address where the history is. */
export function openingOfHistory() {
  return { type: ('openAddress' as const), hash: location.hash, entry: readEntry(history.state) };
}

/** Adds an address to the history, or replaces its last entry. */
function remember(how: 'pushState' | 'replaceState', address: string, entry: HistoryEntry) {
  try {
    history[how](entry, '', address);
  } catch {
    /* Too many changes in a short time, for some browsers: the address follows with the next one. Or a frame whose
       address cannot change. */
  }
}

/** The address of this page becomes that of the standard board. */
export const leaveBoard = () => remember('replaceState', '#', readEntry(null));

/** Loads the page with another address, of another board. */
function loadBoard({ hash, notice }: Leaving) {
  const isThere = location.hash.replace(/^#/, '') === hash; // the history has led there
  const entry = readEntry(isThere ? history.state : null);
  remember(isThere ? 'replaceState' : 'pushState', `#${hash}`, { ...entry, notice });
  location.reload();
}

/** Writes into the address, and the history, what has changed since; goes to an address on another board. */
function write(state: State, before: State, type?: ActionType) {
  if (state.leaving) {
    if (state.leaving !== before.leaving) loadBoard(state.leaving);
    return;
  }
  // The address may ask for another language.
  if (state.settings.language !== before.settings.language && location.search)
    remember('replaceState', location.pathname + location.hash, history.state);
  const isLeading = type !== undefined && LEADING.includes(type);
  const isWritten = isLeading || type === 'openAddress'; // in any case
  if (!isWritten && WRITTEN.every((part) => state[part] === before[part])) return;
  const hash = `#${addressOf(state)}`;
  const isNew = hash !== (location.hash || '#');
  const entry = historyEntryOf(state);
  if (isNew || JSON.stringify(history.state) !== JSON.stringify(entry))
    remember(isNew && isLeading ? 'pushState' : 'replaceState', hash, entry);
}

/**
 * Makes a follower of the store, which has the address and the history follow the state. While the user types, they do
 * so with the first letter and at the end.
 */
export function createHistory(first: State): Follower {
  let written = first; // the state that the address is of
  let typed: State | null = null; // that which it will be of
  return (state, type) => {
    if (state.typing?.isPending) typed = state;
    else {
      if (typed) write(typed, written);
      write(state, typed ?? written, type);
      [written, typed] = [state, null];
    }
  };
}

/** Follows going back and forward. */
export function connectHistory(store: Store) {
  window.addEventListener('popstate', ({ state: entry }) => {
    const { state } = store;
    const isBeneath = state.dialog && entry;
    if (!isBeneath) return store.dispatch(openingOfHistory());
    // Closing the dialog is all that going back does.
    remember('pushState', `#${addressOf(state)}`, historyEntryOf(state));
    return store.dispatch({ type: 'close' });
  });
}
