import { z } from 'zod';
import type { ListenAddress } from './settings.ts';

/**
 * A setting that is read from text, so that the environment and `bursar.toml` obey one rule.
 * `expected` completes the sentence "must be ...".
 */
export function readAs<Value>(expected: string, read: (text: string) => Value | undefined) {
  const error = `must be ${expected}`;
  return z.union([z.string(), z.number()], { error }).transform((given, context) => {
    const value = read(String(given));
    if (value !== undefined) return value;
    context.addIssue(error);
    return z.NEVER;
  });
}

export const text = readAs('a text that is not empty', (given) => given.trim() || undefined);

export const wholeNumber = ({ min, max }: Readonly<{ min: number; max: number }>) =>
  readAs(`a whole number from ${min} to ${max}`, (given) => {
    const value = /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
    return value >= min && value <= max ? value : undefined;
  });

export const positiveNumber = readAs('a number above 0, such as 5 or 0.5', (given) =>
  /^\d{1,9}(\.\d{1,9})?$/.test(given) && Number(given) > 0 ? Number(given) : undefined,
);

export const oneOf = <Choice extends string>(choices: readonly Choice[]) =>
  readAs(choices.join(' or '), (given) => choices.find((choice) => choice === given));

export const yesNo = z.union([
  z.boolean(),
  readAs('true or false', (given) => ({ true: true, false: false })[given]),
]);

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

const splitList = (given: string): string[] =>
  given
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** What a browser calls the place of a page: scheme, host and port, and nothing behind. */
export const webOrigin = readAs(
  'the address of a page without a path, such as https://host',
  (given) => {
    const url = URL.canParse(given) ? new URL(given) : undefined;
    return url !== undefined && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
      ? url.origin
      : undefined;
  },
);

/** `true` or `false`; in a variable as text. */
export const flag = z
  .union([z.boolean(), z.enum(['true', 'false'])], { error: 'must be true or false' })
  .transform((given) => given === true || given === 'true');
