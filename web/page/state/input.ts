// Reads what comes from outside the page: what is stored on this device, and addresses. Other versions of the page,
// other pages of the same site, and people can have written anything there. Whatever has the wrong shape is as if it
// were missing; nothing here throws. Only own properties count, so that no name reaches a prototype.

/** A check returns a value that has its shape, and undefined for any other. */
export type Check<T> = (value: unknown) => T | undefined;

/** A check for each property of an object. */
export type Checks<T extends object> = {[Name in keyof T]: Check<T[Name]>};

/** The names of an object's own properties, where its type has no others. */
export const namesOf = <T extends object>(value: T) => Object.keys(value) as (keyof T)[];

export const flag: Check<boolean> = (value) => (typeof value === 'boolean' ? value : undefined);

/** An integer from `least` to `most`. */
export const integer =
  (least: number, most: number = Number.MAX_SAFE_INTEGER): Check<number> =>
  (value) =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most ? value : undefined;

/** A text that fits the pattern. */
export const text =
  (pattern: RegExp = /(?:)/): Check<string> =>
  (value) =>
    typeof value === 'string' && pattern.test(value) ? value : undefined;

/** A text, which may be missing. */
export const optionalText: Check<string> = (value) => text()(value) ?? '';

/** One of these values. */
export const oneOf = <T>(values: readonly T[]): Check<T> => (value) => values.find((one) => one === value);

/** Null, or what another check accepts. */
export const orNull = <T>(check: Check<T>): Check<T | null> => (value) => (value === null ? null : check(value));

/** A list of `least` to `most` items. */
export const list = <T>(item: Check<T>, least: number, most: number = least): Check<T[]> => (value) => {
  if (!Array.isArray(value) || value.length < least || value.length > most) return undefined;
  const found = value.flatMap((one) => item(one) ?? []);
  return found.length === value.length ? found : undefined;
};

/** A list of at most so many items: those that have the right shape. */
export const itemsOf = <T extends object>(item: Check<T>, most: number): Check<T[]> => (value) =>
  Array.isArray(value) && value.length <= most ? value.flatMap((one) => item(one) ?? []) : undefined;

export const isObject = (value: unknown): value is Record<PropertyKey, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const own = (value: unknown, name: PropertyKey): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** The entries of an object whose names and values have the right shape; the others are left out. */
export const entriesOf = <T>(name: Check<string>, item: Check<T>): Check<Record<string, T>> => (value) =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).flatMap(([key, one]) => {
      const found = item(one);
      return name(key) !== undefined && found !== undefined ? [[key, found]] : [];
    }))
    : undefined;

/** An object whose properties all have the right shape. */
export const object = <T extends object>(checks: Checks<T>): Check<T> => (value) => {
  const names = namesOf(checks);
  const found = names.map((name) => [name, checks[name](own(value, name))]);
  return found.every(([, one]) => one !== undefined) ? Object.fromEntries(found) : undefined;
};

/** A check for each property of an object, and what it has if its value has another shape. */
export type Schema<T extends object> = {[Name in keyof T]: [check: Check<T[Name]>, usual: T[Name]]};

export function checksOf<T extends object>(schema: Schema<T>): Checks<T> {
  const checks = namesOf(schema).map((name) => [name, schema[name][0]]);
  return Object.fromEntries(checks);
}

/** The properties of a value that have the right shape, and what is usual for the others. */
export function readObject<T extends object>(value: unknown, schema: Schema<T>): T {
  const found = namesOf(schema).map((name) => [name, schema[name][0](own(value, name)) ?? schema[name][1]]);
  return Object.fromEntries(found);
}

/**
 * What is stored under a key. Without access to storage nothing is.
 * @param storage for all windows, or for this one
 */
export function readStored(key: string, storage: 'localStorage' | 'sessionStorage' = 'localStorage'): unknown {
  try {
    return JSON.parse(globalThis[storage].getItem(key) ?? 'null');
  } catch {
    return undefined;
  }
}

/** The parameters of a query such as "view=review&at=3": the last value of each name. */
export const readQuery = (query: string): Record<string, string> => Object.fromEntries(new URLSearchParams(query));

/** A number in decimal digits, as an address has it. */
export const digits: Check<number> = (value) => (text(/^\d{1,9}$/)(value) === undefined ? undefined : Number(value));
