// Fields that are typed in. A field is named by what it belongs to: what is typed reaches that, whatever is shown then.
// It is in the state and stored with every letter. The address has the first one; it follows when the user stops.

import { typePosition } from './editor.js';
import { fieldOf, typeNote } from './notes.js';
import { readMoves } from './position.js';
import { notify, update } from './shown.js';
import { bringBack, knownOf, ownPosition, typeStudyComment, typeStudyTitle } from './study.js';
import { asTitle } from './study_text.js';
import { asComment } from './tree.js';

import type { Node } from './tree.js';
import type { Field, Message, Reducers, State } from './types.js';

// ---- what can be asked ----

const isSame = (one: Field, other: Field) => {
  const entries: [string, unknown][] = Object.entries(one);
  const others: Record<string, unknown> = { ...other };
  return entries.every(([name, value]) => others[name] === value);
};

/** What is typed in a field as long as it is edited, with its spaces; null: it is not edited. */
export const typedIn = ({ typing }: Pick<State, 'typing'>, field: Field) =>
  (typing && isSame(typing.field, field) ? typing.text : null);

/** The comment of a position as the page shows it: while it is typed, as it was before. */
export function commentOf(state: State, node: Node) {
  const { typing, game: { tree } } = state;
  const isTyped = typing && node.id === tree.current.id && typedIn(state, fieldOf(state)) !== null;
  return isTyped ? typing.before : node.comment;
}

// ---- what typing does ----

type OfKind<Name extends Field['kind']> = Extract<Field, { kind: Name }>;

/** What belongs to the fields of a kind. */
interface FieldKind<Of> {
  /** The text as it is stored; null: it is not, or only this window has it. */
  stored(state: State, field: Of): string | null;
  /** A text as it is to be stored. */
  tidied(text: string): string;
  /** With what a field belongs to, where another window has removed that. */
  broughtBack(state: State, field: Of): State;
  /** What a text does; a message if it is refused. */
  type(state: State, field: Of, text: string): State | Message;
}
const ONLY_HERE = { stored: () => null, tidied: asComment, broughtBack: (state: State) => state };

const FIELDS: { [Name in Field['kind']]: FieldKind<OfKind<Name>> } = {
  comment: {
    ...ONLY_HERE,
    stored: ({ game: { tree } }, { origin, node }) =>
      (tree.origin === origin ? tree.node(node).comment : null),
    type: typeNote,
  },
  studyComment: {
    stored(state, { own, id, moves }) {
      const position = ownPosition(state, own, id);
      const found = position && knownOf(state, position)?.tree.follow(readMoves(moves));
      return found?.current.comment ?? null;
    },
    tidied: asComment,
    broughtBack: (state, { own, id }) => bringBack(state, own, id),
    type: typeStudyComment,
  },
  studyTitle: {
    stored: ({ ownStudies }, { own }) => ownStudies[own]?.title ?? null,
    tidied: asTitle,
    broughtBack: (state, { own }) => bringBack(state, own, null),
    type: typeStudyTitle,
  },
  notation: { ...ONLY_HERE, type: (state, _, text) => typePosition(state, text) },
  open: { ...ONLY_HERE, type: (state, _, text) => update(state, 'share', { text }) },
};

/** How many parts two texts have in common at their beginnings, and then at their ends. */
function inCommon(one: string[], other: string[]) {
  const most = Math.min(one.length, other.length);
  let [begin, end] = [0, 0];
  while (begin < most && one[begin] === other[begin]) begin++;
  while (end < most - begin && one.at(-1 - end) === other.at(-1 - end)) end++;
  return [begin, end];
}

/** A text with the changes that two windows have made of it, of which each is in one place of the parts. */
function mergedParts([before, theirs, mine]: string[][]) {
  const [begin, end] = inCommon(before, mine);
  const [begun, ended] = inCommon(before, theirs);
  const [last, isAfter] = [before.length - end, begin >= before.length - ended];
  const isBefore = last <= begun;
  const at = isBefore ? begin : theirs.length - Math.min(before.length - begin, ended);
  const rest = isBefore ? last : isAfter ? theirs.length - end : at;
  const text = [...theirs.slice(0, at), ...mine.slice(begin, mine.length - end), ...theirs.slice(rest)].join('');
  return { text, isApart: isBefore || isAfter };
}

/**
 * A text with the changes that two windows have made of it. What both have changed in one place has the words of both.
 */
export function merged(...texts: [before: string, theirs: string, mine: string]) {
  const { text, isApart } = mergedParts(texts.map((one) => Array.from(one)));
  return isApart ? text : mergedParts(texts.map((one) => one.match(/\w+|./gs) ?? [])).text;
}

/** What is typed in a field that had a text before, with what another window has typed there since. */
function typeIn<Name extends Field['kind']>(
  left: State, field: OfKind<Name> & { kind: Name }, typed: string, before: string | undefined,
): State {
  const { stored, tidied, broughtBack, type } = FIELDS[field.kind];
  const state = broughtBack(left, field);
  const theirs = stored(state, field);
  const text = theirs === null || before === undefined ? typed : merged(tidied(before), theirs, typed);
  const done = type(state, field, text);
  if (Array.isArray(done)) return notify(state, done);
  const typing = typedIn(state, field) === null ? null : state.typing; // of this field
  return { ...done, typing: { field, text, before: typing?.before ?? theirs ?? '', isPending: typing !== null } };
}

export const typingReducers = {
  type: (state, { field, before, text }) => typeIn(state, field, text, before),
  leaveField: (state) => ({ ...state, typing: null }),
  /** As before any other action, what was typed gets into the address. */
  typingEnded: (state) => state,
} satisfies Partial<Reducers>;
