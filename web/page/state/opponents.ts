// The opponents that the engine has, and under which names the page offers them first.

import type { Opponent } from './types.js';

let all: Opponent[] = [];
let texts: Record<string, string> = {};

/**
 * To be called before all else here.
 * @param opponents as the engine lists them
 */
export function useOpponents(opponents: Opponent[]) {
  all = opponents;
  const named = [...opponents].reverse().filter((one) => one.offered_as);
  texts = Object.fromEntries(named.map((one) => [one.name, `named_${one.offered_as}`]));
}

/** Strongest first. */
export const opponents = () => all;

/** A player of whom only an opponent has more than a name. */
export const playerNamed = (name: string): Opponent => all.find((one) => one.name === name) ?? { name };

/** The opponents that are offered first, weakest first, and the texts with the names under which they are. */
export const namedOpponents = () => texts;

export const weakestNamed = () => Object.keys(texts)[0];
