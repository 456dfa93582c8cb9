// Studies as they are stored, and as text: as a file has it and, compressed, as a link has it.

import { flag, integer, list, object, oneOf, optionalText, readObject, text } from './input.js';
import { asComment } from './tree.js';

import type { Check, Checks } from './input.js';
import type { SentStudy, Study, StudyPosition } from './types.js';

// ---- what is stored ----

/** The number of a study of this device. */
export const studyNumber = text(/^[1-9]\d{0,8}$/);

export const MOST_POSITIONS = 64; // of a study
export const MOST_TITLE = 100; // characters

/** A position of a study. Whether it is legal, the engine knows. */
const positionCheck: Check<StudyPosition> = object({
  start: text(), moves: text(), at: integer(0), notes: text(), names: optionalText, id: (id) => integer(1)(id) ?? 0,
});

/** Gives the positions of a study identities. The first with one keeps it: another window may edit that position. */
function identify(positions: StudyPosition[]) {
  const ids = new Set([0]);
  let last = Math.max(0, ...positions.map(({ id }) => id));
  return positions.map((one) => {
    const id = ids.has(one.id) ? ++last : one.id;
    ids.add(id);
    return { ...one, id };
  });
}

/** The positions of a study that is not empty. */
const positionsCheck: Check<StudyPosition[]> = (value) => {
  const found = list(positionCheck, 1, MOST_POSITIONS)(value);
  return found && identify(found);
};

export const asTitle = (written: string) =>
  asComment(asComment(written.replace(/\s+/g, ' ').trim()).slice(0, MOST_TITLE));
/** A longer title is cut: the study counts. */
const titleCheck: Check<string> = (value) => (typeof value === 'string' ? asTitle(value) : undefined);

const anyList: Check<unknown[]> = (value) => (Array.isArray(value) ? value : undefined);

/** A study of this device, as far as it can be read: one position costs no other. */
export const studyCheck: Check<Study> = (value) => {
  const parts = object({ positions: anyList, unread: (one) => anyList(one) ?? [] })(value);
  if (!parts) return undefined;
  const positions: StudyPosition[] = [];
  const unread: unknown[] = [];
  for (const one of [...parts.positions, ...parts.unread]) {
    const found = positions.length < MOST_POSITIONS && positionCheck(one);
    if (found) positions.push(found);
    else unread.push(one);
  }
  const rest = readObject(value, { title: [titleCheck, ''], exercise: [flag, false] });
  return { ...rest, positions: identify(positions), ...(unread.length && { unread }) };
};
export const BLANK_STUDY: Study = { title: '', positions: [], exercise: false };

// ---- texts ----

export const MOST_LENGTH = 1e5; // characters of the text of a study
const VERSION = 1;

/** @param board its name */
export function asText({ title, positions, exercise }: Study, board: string) {
  const written = positions.map(({ start, moves, at, notes, names }) =>
    ({ start, moves, at, notes, ...(names && { names }) }));
  const study = { 'neutreeko-study': VERSION, board, title, positions: written };
  return JSON.stringify({ ...study, ...(exercise && { exercise }) }, null, 1);
}

/** A number that two texts rarely share. */
export const checksum = (written: string) =>
  Array.from(written).reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) | 0, 0);

/** The study that a text describes; null for any other text. Whether its positions are legal, the engine knows. */
export function readStudy(written: string): SentStudy | null {
  if (written.length > MOST_LENGTH) return null;
  const checks: Checks<SentStudy & { 'neutreeko-study': number }> = {
    'neutreeko-study': oneOf([VERSION]),
    board: text(/^[\da-z/]{1,40}$/),
    title: titleCheck,
    positions: positionsCheck,
    exercise: (value) => value === true, // may be missing
  };
  try {
    const found = object(checks)(JSON.parse(written));
    if (!found) return null;
    const { 'neutreeko-study': _, ...study } = found;
    return study;
  } catch {
    return null;
  }
}

/** Compresses or uncompresses bytes. Rejects if there are more than a study can have, or if they are damaged. */
async function through(bytes: Blob, stream: CompressionStream | DecompressionStream) {
  const parts = [];
  let room = 4 * MOST_LENGTH; // of UTF-8
  const reader = bytes.stream().pipeThrough(stream).getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    room -= next.value.length;
    if (room < 0) throw new RangeError('too long');
    parts.push(next.value);
  }
  return new Blob(parts);
}

/** The text of a study as a link has it. */
export async function pack(study: Study, board: string) {
  const packed = await through(new Blob([asText(study, board)]), new CompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await packed.arrayBuffer());
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The study of a link; null if that is damaged. */
export async function unpack(packed: string) {
  try {
    const letters = atob(packed.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    const plain = await through(new Blob([bytes]), new DecompressionStream('deflate-raw'));
    return readStudy(await plain.text());
  } catch {
    return null;
  }
}
