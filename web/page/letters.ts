// Bytes as letters in a page: two of 91 letters for 13 bits, which is shorter than base64. The letters are those from
// '#' on, with '!' for '<', which could end the element.

const [FIRST, BASE, BITS] = [35, 91, 13];
const [LESS, INSTEAD] = [60, 33]; // the codes of '<' and '!'

/** The codes of the letters, by their values. */
const CODES = Array.from({ length: BASE }, (_, value) => (FIRST + value === LESS ? INSTEAD : FIRST + value));
const LETTERS = CODES.map((code) => String.fromCharCode(code));

export function lettersOf(bytes: Uint8Array) {
  let letters = '';
  let [held, count] = [0, 0]; // bits that are not written yet, the first ones lowest
  const write = (value: number) => {
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

/** The values of pairs, by the code of the first letter and that of the second or 0; a bit more for all others. */
const PAIRS = new Uint16Array(1 << 16).fill(1 << BITS);
CODES.forEach((first, low) => {
  PAIRS[first] = low;
  CODES.forEach((second, high) => (PAIRS[first | (second << 8)] = low + BASE * high));
});

/** The bytes of what lettersOf() returns. Throws an error if a letter is none of these. */
export function bytesOf(letters: string) {
  const codes = new TextEncoder().encode(letters);
  const bytes = new Uint8Array((letters.length * BITS) >> 4);
  let [held, count, end, all] = [0, 0, 0, 0];
  // Without calls and conversions: the page waits for this. Writing past the end has no effect.
  for (let i = 0; i < codes.length; i += 2) {
    const value = PAIRS[codes[i] | (codes[i + 1] << 8)];
    all |= value;
    held |= value << count;
    bytes[end++] = held;
    held >>= 8;
    count += BITS - 8;
    if (count < 8) continue;
    bytes[end++] = held;
    held >>= 8;
    count -= 8;
  }
  if (all >> BITS) throw new RangeError('expected only letters of lettersOf()');
  return bytes;
}
