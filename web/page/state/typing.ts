// Fields that are typed in. A field is named by what it belongs to: what is typed reaches that, whatever is shown then.
// It is in the state and stored with every letter. The address has the first one; it follows when the user stops.

import { typePosition } from './editor.js';
import { noteOf, typeNote } from './notes.js';
import { readMoves } from './position.js';
import { notify, typedIn, update } from './shown.js';
import { asTitle } from './storage.js';
import { bringBack, lookAt, typeStudyComment, typeStudyTitle } from './study.js';
import { asComment } from './tree.js';

import type { Field, Message, Reducers, State } from './types.js';

type OfKind<Kind extends Field['kind']> = Extract<Field, { kind: Kind }>;

/** The text of a field as it is stored; null: it is not, or only this window has it. */
const stored: { [Kind in Field['kind']]: (state: State, field: OfKind<Kind>) => string | null } = {
  comment: ({ game: { tree } }, { origin, node }) => (tree.origin === origin ? noteOf(tree.node(node)).comment : null),
  studyComment(state, { own, id, moves }) {
    const entry = state.ownStudies[own]?.positions.find((one) => one.id === id);
    const found = entry && lookAt(state, entry)?.tree.follow(readMoves(moves));
    return found ? noteOf(found.current).comment : null;
  },
  studyTitle: ({ ownStudies }, { own }) => ownStudies[own]?.title ?? null,
  notation: () => null,
  open: () => null,
};

const storedIn = <Kind extends Field['kind']>(state: State, field: OfKind<Kind> & { kind: Kind }) =>
  stored[field.kind](state, field);

/** What a text does to what its field belongs to; a message if it is refused. */
const effects: { [Kind in Field['kind']]: (state: State, field: OfKind<Kind>, text: string) => State | Message } = {
  comment: typeNote,
  studyComment: typeStudyComment,
  studyTitle: typeStudyTitle,
  notation: (state, _, text) => typePosition(state, text),
  open: (state, _, text) => update(state, 'share', { text }),
};

const apply = <Kind extends Field['kind']>(state: State, field: OfKind<Kind> & { kind: Kind }, text: string) =>
  effects[field.kind](state, field, text);

/** The text of a field as it was before that was edited. */
const textBefore = (state: State, field: Field) =>
  (state.typing && typedIn(state, field) !== null ? state.typing.before : storedIn(state, field) ?? '');

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

/** What is typed in a field, with what another window has typed there since the field had the text before. */
function withOthers(state: State, field: Field, before: string | undefined, text: string) {
  const theirs = storedIn(state, field);
  const asStored = field.kind === 'studyTitle' ? asTitle : asComment;
  return theirs === null || before === undefined ? text : merged(asStored(before), theirs, text);
}

/** With what the field belongs to, where another window has removed that. */
function withPlace(state: State, field: Field) {
  if (field.kind === 'studyTitle') return bringBack(state, field.own, null);
  return field.kind === 'studyComment' ? bringBack(state, field.own, field.id) : state;
}

export const typingReducers = {
  type(left, { field, before, text: typed }) {
    const state = withPlace(left, field);
    const text = withOthers(state, field, before, typed);
    const done = apply(state, field, text);
    if (Array.isArray(done)) return notify(state, done);
    const isPending = typedIn(state, field) !== null;
    return { ...done, typing: { field, text, before: textBefore(state, field), isPending } };
  },
  leaveField: (state) => ({ ...state, typing: null }),
  /** As before any other action, what was typed gets into the address. */
  typingEnded: (state) => state,
} satisfies Partial<Reducers>;
