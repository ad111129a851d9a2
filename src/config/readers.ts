import { z } from 'zod';
import { isHostName, isOriginOf } from '../domain/approval/passkey.ts';
import { PathSetting } from './code-names.ts';

declare module 'zod' {
  interface GlobalMeta {
    /** Completes the sentence "must be ...". */
    rule?: string;
    /** The variable of the environment where it does not follow from the name; for a table: how those of its settings begin. */
    variable?: string;
    /** Whether an empty variable is a value; for other settings it counts as not set. */
    mayBeEmpty?: boolean;
  }
}

/**
 * A setting that is read from text, so that the environment and `bursar.toml` obey one rule.
 * `expected` completes the sentence "must be ...", and describes the value in docs/settings.md.
 */
export function readAs<Value>(expected: string, read: (text: string) => Value | undefined) {
  const error = `must be ${expected}`;
  return z
    .union([z.string(), z.number()], { error })
    .transform((given, context) => {
      const value = read(String(given));
      if (value !== undefined) return value;
      context.addIssue(error);
      return z.NEVER;
    })
    .meta({ rule: expected });
}

/** A setting that is null in code where it is not given. */
export const orNull = <Value extends z.ZodType>(value: Value) =>
  value.optional().transform((given) => given ?? null);

export const text = readAs('a text that is not empty', (given) => given.trim() || undefined);

/** A path of this machine; a relative one starts at the folder of `bursar.toml`. */
export const filePath = text.transform((given) => new PathSetting(given)).meta({ rule: 'a path' });

/** The path of an address such as `sqlite:FILE`; `sqlite::memory:` is no file. */
export function pathInUrl(url: string): PathSetting | string {
  const [, scheme, path] = /^(sqlite:|file:)(?!:memory:)(.+)$/.exec(url) ?? [];
  return scheme === undefined || path === undefined ? url : new PathSetting(path, scheme);
}

/** The rule of a setting that holds a secret. */
export const SECRET_RULE = 'a secret text';

/** A secret. In code it is a function, as nothing that prints settings shows what it returns. */
export const secretText = text.transform((given) => () => given).meta({ rule: SECRET_RULE });

export const wholeNumber = ({ min, max }: Readonly<{ min: number; max: number }>) =>
  readAs(`a whole number from ${min} to ${max}`, (given) => {
    const value = /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
    return value >= min && value <= max ? value : undefined;
  });

/** Longest time that any setting in milliseconds may name: one day. */
export const TIME_MS_MAX = 86_400_000;
export const timeMs = wholeNumber({ min: 1, max: TIME_MS_MAX });

export const positiveNumber = readAs('a number above 0, such as 5 or 0.5', (given) =>
  /^\d{1,9}(\.\d{1,9})?$/.test(given) && Number(given) > 0 ? Number(given) : undefined,
);

export const oneOf = <Choice extends string>(choices: readonly Choice[]) =>
  readAs(choices.join(' or '), (given) => choices.find((choice) => choice === given));

/** An http address without user, query and fragment; a slash at its end is dropped. */
export const httpUrl = readAs(
  'an address such as https://host or http://host:port/path',
  (given) => {
    const url = URL.canParse(given) ? new URL(given) : undefined;
    if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined;
    if (url.username || url.password || url.search || url.hash) return undefined;
    return url.href.replace(/(?<!\/)\/+$/, '');
  },
);

export type ListenAddress = Readonly<{ host: string; port: number }>;

/** `host:port`; an IPv6 host stands in brackets. Port 0 means any free port. */
export const listenAddress = readAs(
  'host:port, such as 127.0.0.1:8787',
  (given): ListenAddress | undefined => {
    const [, bracketed, plain, portText] =
      /^(?:\[([^\]]+)\]|([^:\s]+)):(\d{1,5})$/.exec(given) ?? [];
    const host = bracketed ?? plain;
    const port = Number(portText);
    return host !== undefined && port <= 65_535 ? { host, port } : undefined;
  },
);

/** A list in `bursar.toml`; in a variable, its parts with commas. */
export const listOf = <Value extends z.ZodType>(value: Value) =>
  z.preprocess(
    (given) => (typeof given === 'string' ? splitList(given) : given),
    z.array(value, { error: 'must be a list' }),
  );

/** Tables of `bursar.toml`; in a variable, the same as a JSON list of objects. */
export const tablesOf = <Value extends z.ZodType>(value: Value) =>
  z.preprocess(
    (given) => (typeof given === 'string' ? readJson(given) : given),
    z.array(value, { error: 'must be a list of tables (in a variable: as JSON)' }),
  );

function readJson(given: string): unknown {
  try {
    return JSON.parse(given);
  } catch {
    return given;
  }
}

const splitList = (given: string): string[] =>
  given
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** The origin of a page, as browsers define it: scheme, host and port, without a path. */
export const webOrigin = readAs(
  'the address of a page without a path, such as https://host',
  (given) => {
    const url = URL.canParse(given) ? new URL(given) : undefined;
    return url !== undefined && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
      ? url.origin
      : undefined;
  },
);

/** The address of a web app that passkeys can belong to. */
export const appOrigin = readAs(
  'https:// and a host name, or http://localhost, with a port or without',
  (given) => {
    const url = URL.canParse(given) ? new URL(given) : undefined;
    if (url === undefined || url.href !== `${url.origin}/`) return undefined;
    return isOriginOf(url.hostname, url.origin) && isHostName(url.hostname)
      ? url.origin
      : undefined;
  },
);

/** `true` or `false`; in a variable as text. */
export const flag = z
  .union([z.boolean(), z.enum(['true', 'false'])], { error: 'must be true or false' })
  .transform((given) => given === true || given === 'true')
  .meta({ rule: 'true or false' });

/** A table of `bursar.toml` whose settings can all be left out. A setting that it does not have is refused. */
export function section<Shape extends z.ZodRawShape>(shape: Shape) {
  const table = z.strictObject(shape);
  return table.prefault({} as z.input<typeof table>);
}
