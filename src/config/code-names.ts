import { isObject } from '../domain/json/is-object.ts';
import { resolve } from 'node:path';

/** A path as it was given. Its folder is that of `bursar.toml`, which no reader of a single setting receives. */
export class PathSetting {
  readonly #path: string;
  readonly #scheme: string;

  /** `scheme` stands before the path of an address, such as `sqlite:`. */
  constructor(path: string, scheme = '') {
    this.#path = path;
    this.#scheme = scheme;
  }

  absolute = (folder: string): string => `${this.#scheme}${resolve(folder, this.#path)}`;
}

/** `fence_margin_ms` in `bursar.toml` is `fenceMarginMs` in code. A name in capitals stays. */
type CodeName<Name> = Name extends `${infer Head}_${infer Tail}`
  ? Name extends Lowercase<Name>
    ? `${Head}${Capitalize<CodeName<Tail>>}`
    : Name
  : Name;

/** A checked value of `bursar.toml` under the names in code, with absolute paths. */
export type CodeNamed<Value> = Value extends PathSetting
  ? string
  : Value extends (...args: never[]) => unknown
    ? Value
    : Value extends readonly (infer Item)[]
      ? readonly CodeNamed<Item>[]
      : Value extends object
        ? {
            readonly [Name in keyof Value as CodeName<Name>]: Exclude<
              CodeNamed<Value[Name]>,
              undefined
            >;
          }
        : Value;

/** Gives every table of a checked value the names in code, and makes every path absolute, from `folder`. */
export const codeNamed = <Value>(value: Value, folder: string): CodeNamed<Value> =>
  rename(value, folder) as CodeNamed<Value>;

function rename(value: unknown, folder: string): unknown {
  if (value instanceof PathSetting) return value.absolute(folder);
  if (Array.isArray(value)) return value.map((item) => rename(item, folder));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(entries.map(([name, item]) => [codeName(name), rename(item, folder)]));
}

const codeName = (name: string): string =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
