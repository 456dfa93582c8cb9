// The texts of the page in the language that the user has chosen. texts/ has a file for each language.

import { en } from './texts/en.js';
import { ja } from './texts/ja.js';

/** @import { Text } from './state/types.js' */

/** @type {Record<string, Record<string, Text>>} */
export const languages = { en, ja };
let current = 'en';

/** @param {string} language */
export function setLanguage(language) {
  current = Object.hasOwn(languages, language) ? language : 'en';
  document.documentElement.lang = current;
}

/**
 * Whether there is a text with this key.
 * @param {string} key
 */
export const hasText = (key) => Object.hasOwn(languages[current], key);

/**
 * What the key stands for; most keys, and all that are composed, are those of strings.
 * @template {string} Key
 * @typedef {Key extends keyof typeof en
 *   ? ((typeof en)[Key] extends (...values: any[]) => infer Result ? Result : (typeof en)[Key])
 *   : string} TextOf
 */

/**
 * The text of the key in the language of the page. An unknown key is a programming error.
 * @template {string} Key
 * @param {Key} key
 * @param {any[]} values
 * @returns {TextOf<Key>}
 */
export function t(key, ...values) {
  const text = languages[current][key];
  if (text === undefined) throw new RangeError(`${current} has no text ${key}`);
  return /** @type {any} */ (typeof text === 'function' ? text(...values) : text);
}

/** The other language, with its name in that language. */
export const otherLanguage = () =>
  current === 'en' ? { code: 'ja', name: ja.language } : { code: 'en', name: en.language };
