// Bytes as letters in a page: two of 91 letters for 13 bits, which is shorter than base64. The letters are those from
// '#' on, with '!' for '<', which could end the element.

const [FIRST, BASE, BITS] = [35, 91, 13];
const [LESS, INSTEAD] = [60, 33]; // the codes of '<' and '!'

/** @param {number} digit */
function letterOf(digit) {
  const code = FIRST + digit;
  return String.fromCharCode(code === LESS ? INSTEAD : code);
}

/** @param {string} letters @param {number} at */
function digitAt(letters, at) {
  const code = letters.charCodeAt(at);
  const digit = (code === INSTEAD ? LESS : code) - FIRST;
  if (digit < 0 || digit >= BASE) throw new RangeError(`letter ${at}: expected one of ${BASE}`);
  return digit;
}

/** @param {Uint8Array} bytes */
export function lettersOf(bytes) {
  let letters = '';
  let [held, count] = [0, 0]; // bits that are not written yet, the first ones lowest
  const write = (/** @type {number} */ value) => {
    letters += letterOf(value % BASE) + letterOf(Math.floor(value / BASE));
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
  else if (count) letters += letterOf(held);
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
  for (let i = 0; i < letters.length; i += 2) {
    const [low, high] = [digitAt(letters, i), i + 1 < letters.length ? digitAt(letters, i + 1) : 0];
    held |= (low + BASE * high) << count;
    count += BITS;
    for (; count >= 8 && end < bytes.length; count -= 8) {
      bytes[end++] = held & 255;
      held >>= 8;
    }
  }
  return bytes;
}
