import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { findLeaks } from '../../chaos/evidence/leaks.ts';

const SECRET = 'canary-7f/3+9 "2b"';
const MEBIBYTE = 1024 * 1024;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bursar-leaks-'));
  mkdirSync(join(folder, 'logs'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Looks for the secret in a log of a worker. */
function leaksIn(log: string | Buffer): Promise<string[]> {
  writeFileSync(join(folder, 'logs', 'worker.log'), log);
  return findLeaks({
    folder,
    places: ['logs/'],
    canaries: { 'the secret': SECRET, other: 'elsewhere' },
  });
}

it('a secret that is nowhere is not found', async () => {
  expect(await leaksIn(`canary-7f ${'x'.repeat(3 * MEBIBYTE)}`)).toEqual([]);
});

it.each<[string, string | Buffer]>([
  ['as it is', `a request with ${SECRET} was refused`],
  ['in JSON', JSON.stringify({ key: SECRET })],
  ['in an address', `/hooks/${encodeURIComponent(SECRET)}`],
  ['in hexadecimal digits', Buffer.from(SECRET).toString('hex')],
  ['in base64, after nothing', Buffer.from(SECRET).toString('base64')],
  ['in base64, after a byte', Buffer.from(`k${SECRET}`).toString('base64')],
  ['in base64, after two bytes and before more', Buffer.from(`k:${SECRET}...`).toString('base64')],
  ['in base64 for addresses', Buffer.from(`k:${SECRET}`).toString('base64url')],
  ['among bytes that are no text', Buffer.from([0xff, 0, ...Buffer.from(SECRET), 0xfe])],
  ['where one piece of a large file ends', `${'x'.repeat(MEBIBYTE - 7)}${SECRET}`],
  ['at the very end of a large file', `${'x'.repeat(2 * MEBIBYTE)}${SECRET}`],
])('a canary is found %s', async (_how, log) => {
  expect(await leaksIn(log)).toEqual(['logs/worker.log: the secret']);
});

it('a missing folder fails the search', async () => {
  const hunt = { folder, places: ['logs/', 'temporal.db'], canaries: { 'the secret': SECRET } };
  writeFileSync(join(folder, 'temporal.db-wal'), SECRET);
  expect(await findLeaks(hunt)).toEqual([
    'logs/: there is nothing to look through',
    'temporal.db-wal: the secret',
  ]);
});

it('a file that vanishes before its read leaks nothing, and the others are still read', async () => {
  mkdirSync(join(folder, 'printed'));
  // Places are read in this order, so that the file in the middle goes before anybody opens it.
  const places = ['logs/a', 'printed/b', 'logs/c'];
  for (const name of places) writeFileSync(join(folder, name), SECRET);
  const hunt = findLeaks({ folder, places, canaries: { 'the secret': SECRET } });
  rmSync(join(folder, 'printed/b'));
  expect(await hunt).toEqual(['logs/a: the secret', 'logs/c: the secret']);
});
