// Fields that are typed in. A field is named by what it belongs to: what is typed reaches that, whatever is shown then.
// It is in the state and stored with every letter. The address has the first one; it follows when the user stops.

import { typePosition } from './editor.js';
import { typeFairStart } from './new_game.js';
import { noteOf, typeNote } from './notes.js';
import { announce, typedIn, update } from './shown.js';
import { typeStudyComment, typeStudyTitle } from './study.js';
import { messageText } from '../format.js';

import type { Field, Message, Reducers, State } from './types.js';

type OfKind<Kind extends Field['kind']> = Extract<Field, { kind: Kind }>;

/** What a text does to what its field belongs to; a message if it is refused. */
const effects: { [Kind in Field['kind']]: (state: State, field: OfKind<Kind>, text: string) => State | Message } = {
  comment: typeNote,
  studyComment: typeStudyComment,
  studyTitle: typeStudyTitle,
  notation: (state, _, text) => typePosition(state, text),
  open: (state, _, text) => update(state, 'share', { text }),
  fair: (state, _, text) => typeFairStart(state, text),
};

const apply = <Kind extends Field['kind']>(state: State, field: OfKind<Kind> & { kind: Kind }, text: string) =>
  effects[field.kind](state, field, text);

/** The comment of a position as it was before the field was edited. */
function commentBefore({ typing, game: { tree } }: State, field: Field) {
  if (field.kind !== 'comment' || field.origin !== tree.origin) return '';
  return typing && typedIn({ typing }, field) !== null ? typing.before : noteOf(tree.node(field.node)).comment;
}

/** What is typed may get into the address. */
export const endTyping = (state: State) =>
  (state.typing ? { ...state, typing: { ...state.typing, isPending: false } } : state);

export const typingReducers = {
  type(before, { field, text }) {
    const isInDialog = field.kind === 'open' || field.kind === 'fair';
    const state = isInDialog ? before : { ...before, notice: null };
    const done = apply(state, field, text);
    if (Array.isArray(done)) return announce({ ...state, notice: done }, messageText(done));
    const isPending = typedIn(state, field) !== null;
    return { ...done, typing: { field, text, before: commentBefore(state, field), isPending } };
  },
  leaveField: (state) => ({ ...state, typing: null }),
  typingEnded: endTyping,
} satisfies Partial<Reducers>;
