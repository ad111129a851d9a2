import { randomBytes } from 'node:crypto';
import { BursarError } from '../domain/errors/bursar-error.ts';
import { makePrivateFile, replacePrivateFile } from './private-writing.ts';
import { linesOf, type PrivateFileErrors, readPrivateFile } from './secret-file.ts';

/** A key that payloads are encrypted with: 32 bytes, under a name that is no secret. */
export type RingKey = Readonly<{ id: string; key: Uint8Array }>;

/** The first key encrypts; all of them decrypt. There is always one. */
export type KeyRing = readonly [RingKey, ...RingKey[]];

const KEY_SIZE_BYTES = 32;
/** More than a person needs who takes a new key every month. */
const KEYS_MAX = 100;

const LINE = /^([A-Za-z0-9._-]{1,64}) ([A-Za-z0-9+/]{43}=)$/;

/**
 * Reads a key ring: one key a line, its id and 32 bytes in base64; what follows a `#` at the start of a line is for people.
 * Throws KEY_RING_OPEN when it is not private, and KEY_RING_UNREADABLE; neither holds any part of a key.
 */
export function readKeyRing(file: string): KeyRing {
  const errors = errorsOf(file);
  const lines = linesOf(readPrivateFile(file, errors)).filter((line) => !line.startsWith('#'));
  if (lines.length > KEYS_MAX) throw errors.unreadable(`it holds more than ${KEYS_MAX} keys`);
  const [current, ...older] = lines.map((line, at) => {
    const key = parseLine(line);
    if (key === undefined)
      throw errors.unreadable(`key ${at + 1} is not a name and 32 bytes in base64`);
    return key;
  });
  if (current === undefined) throw errors.unreadable('it holds no key');
  const ids = new Set([current, ...older].map(({ id }) => id));
  if (ids.size <= older.length) throw errors.unreadable('two of its keys have one name');
  return [current, ...older];
}

/**
 * Makes a key ring with one key in a new file; answers with false when there is a file of that name.
 * Throws KEY_RING_UNWRITABLE.
 */
export const makeKeyRing = (file: string, nowMs: number): boolean =>
  written(file, () => makePrivateFile(file, textOf([newKey(nowMs)])));

/**
 * Adds a key to a ring: `first`, so that it encrypts from now on, or `last`, so that it only decrypts yet.
 * Throws what {@link readKeyRing} throws, and KEY_RING_UNWRITABLE.
 */
export function addKey(file: string, nowMs: number, place: 'first' | 'last'): KeyRing {
  const ring = readKeyRing(file);
  const key = newKey(nowMs);
  if (ring.length === KEYS_MAX) throw unwritable(file, `it holds ${KEYS_MAX} keys already`);
  const [first, ...older] = ring;
  return replaceRing(file, place === 'first' ? [key, ...ring] : [first, ...older, key]);
}

/** Makes a key of the ring the one that encrypts; answers with undefined when there is no such key. Throws as {@link addKey}. */
export function makeCurrent(file: string, id: string): KeyRing | undefined {
  const ring = readKeyRing(file);
  const chosen = ring.find((key) => key.id === id);
  return chosen && replaceRing(file, [chosen, ...ring.filter((key) => key !== chosen)]);
}

function replaceRing(file: string, ring: KeyRing): KeyRing {
  written(file, () => replacePrivateFile(file, textOf(ring)));
  return ring;
}

/** The day is for people, who look for old keys; the rest makes the name unique. */
function newKey(nowMs: number): RingKey {
  const day = new Date(nowMs).toISOString().slice(0, 10);
  return { id: `${day}-${randomBytes(3).toString('hex')}`, key: randomBytes(KEY_SIZE_BYTES) };
}

const HEAD =
  '# Keys of Bursar for what Temporal keeps. The first one encrypts, all decrypt. Without them nothing can be read.';

const textOf = (ring: KeyRing): string =>
  [HEAD, ...ring.map(({ id, key }) => `${id} ${Buffer.from(key).toString('base64')}`), ''].join(
    '\n',
  );

function parseLine(line: string): RingKey | undefined {
  const [, id, text] = LINE.exec(line) ?? [];
  if (id === undefined || text === undefined) return undefined;
  const key = Buffer.from(text, 'base64');
  return key.length === KEY_SIZE_BYTES ? { id, key } : undefined;
}

function written<Result>(file: string, write: () => Result): Result {
  try {
    return write();
  } catch (cause) {
    throw unwritable(file, (cause as NodeJS.ErrnoException).code ?? 'unknown reason', cause);
  }
}

const errorsOf = (file: string): PrivateFileErrors => ({
  open: (mode) => new BursarError('KEY_RING_OPEN', { file, mode }),
  unreadable: (reason, cause) =>
    new BursarError('KEY_RING_UNREADABLE', { file, reason }, { cause }),
});

const unwritable = (file: string, reason: string, cause?: unknown) =>
  new BursarError('KEY_RING_UNWRITABLE', { file, reason }, { cause });
