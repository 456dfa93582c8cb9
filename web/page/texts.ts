// The texts of the page in the language that the user has chosen. texts/ has a file for each language.

import { en } from './texts/en.js';
import { ja } from './texts/ja.js';

import type { Text } from './state/types.js';

export const languages: Record<string, Record<string, Text>> = { en, ja };
let current = 'en';

export function setLanguage(language: string) {
  current = Object.hasOwn(languages, language) ? language : 'en';
  document.documentElement.lang = current;
}

/** Whether there is a text with this key. */
export const hasText = (key: string) => Object.hasOwn(languages[current], key);

/** What the key stands for; most keys, and all that are composed, are those of strings. */
type TextOf<Key extends string> = Key extends keyof typeof en
  ? ((typeof en)[Key] extends (...values: never[]) => infer Result ? Result : (typeof en)[Key])
  : string;

/** The text of the key in the language of the page. An unknown key is a programming error. */
export function t<Key extends string>(key: Key, ...values: unknown[]): TextOf<Key> {
  const text = languages[current][key];
  if (text === undefined) throw new RangeError(`${current} has no text ${key}`);
  return typeof text === 'function' ? Reflect.apply(text, undefined, values) : Object(text).valueOf();
}

/** The next of the languages, with its name in that language. */
export function otherLanguage() {
  const codes = Object.keys(languages);
  const code = codes[(codes.indexOf(current) + 1) % codes.length];
  return { code, name: String(languages[code].language) };
}

/** The first of the languages that a browser prefers, or English. */
export const preferredLanguage = (preferred: readonly string[]) =>
  preferred.map((one) => one.slice(0, 2)).find((code) => Object.hasOwn(languages, code)) ?? 'en';
