// Bytes as letters in a page: two of 91 letters for 13 bits, which is shorter than base64. The letters are those from
// '#' on, with '!' for '<', which could end the element.

const [FIRST, BASE, BITS] = [35, 91, 13];
const [LESS, INSTEAD] = [60, 33]; // the codes of '<' and '!'

const LETTERS = Array.from({ length: BASE }, (_, digit) =>
  String.fromCharCode(FIRST + digit === LESS ? INSTEAD : FIRST + digit));
/** The digits by the codes of the letters; BASE for other codes. */
const DIGITS = new Uint8Array(128).fill(BASE);
for (const [digit, letter] of LETTERS.entries()) DIGITS[letter.charCodeAt(0)] = digit;

/** @param {Uint8Array} bytes */
export function lettersOf(bytes) {
  let letters = '';
  let [held, count] = [0, 0]; // bits that are not written yet, the first ones lowest
  const write = (/** @type {number} */ value) => {
    letters += LETTERS[value % BASE] + LETTERS[Math.floor(value / BASE)];
  };
  for (const byte of bytes) {
    held |= byte << count;
    count += 8;
    if (count < BITS) continue;
    write(held & ((1 << BITS) - 1));
    held >>= BITS;
    count -= BITS;
  }
  // The end has at most 12 bits: in one letter if it fits, so that the number of bytes is known.
  if (count > 6) write(held);
  else if (count) letters += LETTERS[held];
  return letters;
}

/** How many bytes letters are. @param {string} letters */
export const sizeOf = ({ length }) => (length * BITS) >> 4;

/**
 * The bytes of what lettersOf() returns. Throws an error if a letter is none of these.
 * @param {string} letters
 */
export function bytesOf(letters) {
  const bytes = new Uint8Array(sizeOf(letters));
  let [held, count, end] = [0, 0, 0];
  // Without calls and conversions: the page waits for this.
  for (let i = 0; i < letters.length; i += 2) {
    const low = DIGITS[letters.charCodeAt(i)];
    const high = i + 1 < letters.length ? DIGITS[letters.charCodeAt(i + 1)] : 0;
    if (!(low < BASE && high < BASE)) throw new RangeError(`letter ${i}: expected only those of lettersOf()`);
    held |= (low + BASE * high) << count;
    count += BITS;
    if (count >= 16) {
      bytes[end++] = held;
      held >>= 8;
      count -= 8;
    }
    bytes[end++] = held; // past the end for the rest of the last letters, which has no effect
    held >>= 8;
    count -= 8;
  }
  return bytes;
}
