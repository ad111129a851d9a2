import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { addKey, makeCurrent, makeKeyRing, readKeyRing } from '../../src/config.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const DAY = Date.UTC(2026, 10, 22);
const KEY = `${'A'.repeat(42)}E=`;

let folder: string;
let file: string;
beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, 'deep', 'key-ring');
});

function written(text: string, mode = 0o600): string {
  const path = join(folder, 'written');
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

describe('a key ring', () => {
  it('is made with one key of 32 bytes, in a file that only its owner can read', () => {
    expect(makeKeyRing(file, DAY)).toBe(true);
    const [key, ...others] = readKeyRing(file);
    expect(others).toEqual([]);
    expect(key.id).toMatch(/^2026-11-22-[0-9a-f]{6}$/);
    expect(key.key).toHaveLength(32);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(folder, 'deep'))).toEqual(['key-ring']);
  });

  it('is never made over another file', () => {
    makeKeyRing(file, DAY);
    const before = readFileSync(file);
    expect(makeKeyRing(file, DAY)).toBe(false);
    expect(readFileSync(file)).toEqual(before);
  });

  it('gets a new first key and keeps the others, in a file that stays private', () => {
    makeKeyRing(file, DAY);
    const [first] = readKeyRing(file);
    const ring = addKey(file, DAY, 'first');
    expect(ring).toHaveLength(2);
    expect(ring[1]).toEqual(first);
    expect(readKeyRing(file)).toEqual(ring);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('can get a key that only decrypts yet, and use it later', () => {
    makeKeyRing(file, DAY);
    const [first] = readKeyRing(file);
    const [, added] = addKey(file, DAY, 'last');
    expect(readKeyRing(file)[0]).toEqual(first);
    expect(makeCurrent(file, added?.id ?? '')).toEqual([added, first]);
    expect(readKeyRing(file)).toEqual([added, first]);
    expect(makeCurrent(file, 'nobody')).toBeUndefined();
  });

  it('may hold lines for people', () => {
    expect(readKeyRing(written(`# mine\n\n one ${KEY}\r\n# old\ntwo.2 ${KEY}`))).toMatchObject([
      { id: 'one' },
      { id: 'two.2' },
    ]);
  });

  it.each([0o640, 0o604, 0o644, 0o660, 0o700, 0o777])('is refused with mode %o', (mode) => {
    const path = written(`one ${KEY}\n`, mode);
    expect(() => readKeyRing(path)).toThrow(
      expect.objectContaining({
        code: 'KEY_RING_OPEN',
        facts: { file: path, mode: `0${mode.toString(8)}` },
      }),
    );
    // What others may have read must not become the old key of a new ring unseen.
    expect(() => addKey(path, DAY, 'first')).toThrow(
      expect.objectContaining({ code: 'KEY_RING_OPEN' }),
    );
  });

  it.each([
    ['nothing', ''],
    ['only lines for people', '# no key\n'],
    ['a key without a name', KEY],
    ['a short key', `one ${'A'.repeat(43)}`],
    ['a key of 31 bytes', `one ${'A'.repeat(42)}==`],
    ['a key of another alphabet', `one ${'-'.repeat(43)}=`],
    ['two keys of one name', `one ${KEY}\ntwo ${KEY}\none ${KEY}`],
    ['too many keys', Array.from({ length: 101 }, (_, at) => `k${at} ${KEY}`).join('\n')],
  ])('is refused with %s, and the error repeats no key', (_what, text) => {
    const path = written(text);
    const refusal = (): unknown => readKeyRing(path);
    expect(refusal).toThrow(expect.objectContaining({ code: 'KEY_RING_UNREADABLE' }));
    expect(refusal).not.toThrow(/AAAA|----/);
  });

  it('is missed when it is not there, and made nowhere where no file can be', () => {
    expect(() => readKeyRing(file)).toThrow(
      expect.objectContaining({ code: 'KEY_RING_UNREADABLE', facts: { file, reason: 'ENOENT' } }),
    );
    const inTheWay = join(written('x'), 'key-ring');
    expect(() => makeKeyRing(inTheWay, DAY)).toThrow(
      expect.objectContaining({ code: 'KEY_RING_UNWRITABLE' }),
    );
    expect(existsSync(inTheWay)).toBe(false);
  });
});
