import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readKeyFile } from '../../src/operations/approval/key-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { fakeWorld } from './support/fake-world.ts';

const SECRET = 'correct horse battery';

/** A world with a file that holds a passphrase. */
function worldWith(input: readonly string[] | undefined, mode = 0o600) {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'passphrase'), `${SECRET}\n`, { mode });
  const world = fakeWorld({ cwd, ...(input === undefined ? {} : { isTty: true, input }) });
  return { ...world, key: join(cwd, 'bursar-bob.key') };
}

describe('a key with a passphrase', () => {
  it('is made with one from a file, is encrypted, and is used with it', async () => {
    const made = worldWith(undefined);
    const { code, value } = await made.json(
      'keys',
      'new',
      'bob',
      '--passphrase-file',
      'passphrase',
    );
    expect(code).toBe(0);
    expect(readFileSync(made.key, 'utf8')).toMatch(/^-----BEGIN ENCRYPTED PRIVATE KEY-----/);
    expect(readKeyFile(made.key, 'k', SECRET).publicKey).toBe(value['publicKey']);
    const shown = await made.json(
      ...['keys', 'show', 'bursar-bob.key', '--passphrase-file', 'passphrase'],
    );
    expect(shown.value['publicKey']).toBe(value['publicKey']);
  });

  it('is made with one that is typed twice on a terminal, which shows nothing of it', async () => {
    const made = worldWith([`${SECRET}\n`, `${SECRET}\n`]);
    const { code, out, err } = await made.run('keys', 'new', 'bob');
    expect([code, err]).toEqual([0, expect.stringContaining('The passphrase again: ')]);
    expect(out + err).not.toContain('horse');
    expect(() => readKeyFile(made.key, 'k', SECRET)).not.toThrow();
  });

  it.each([
    [['one\n', 'two\n'], 3, 'KEY_PASSPHRASE_DIFFERS'],
    [['one\n'], 3, 'KEY_PASSPHRASE_DIFFERS'],
  ])('is not made when the two that are typed differ: %j', async (input, exitCode, expected) => {
    const made = worldWith(input);
    const { code, err } = await made.run('keys', 'new', 'bob');
    expect([code, err]).toEqual([exitCode, expect.stringContaining(expected)]);
    expect(() => readFileSync(made.key)).toThrow('ENOENT');
  });

  it.each([
    [['\n'], []],
    [[], ['--no-passphrase']],
  ])('is not needed: typed %j, flags %j', async (input, flags) => {
    const made = worldWith(input);
    expect((await made.run('keys', 'new', 'bob', ...flags)).code).toBe(0);
    expect(() => readKeyFile(made.key, 'k')).not.toThrow();
  });

  it('is refused without it, with a wrong one, and with one that others can read', async () => {
    const made = worldWith(undefined);
    await made.run('keys', 'new', 'bob', '--passphrase-file', 'passphrase');
    const show = (...flags: string[]) => made.json('keys', 'show', 'bursar-bob.key', ...flags);
    const codeOf = async (...flags: string[]) => {
      const { code, value } = await show(...flags);
      return [code, value['code']];
    };
    expect(await codeOf()).toEqual([2, 'KEY_PASSPHRASE_MISSING']);
    writeFileSync(join(made.world.cwd, 'wrong'), 'another', { mode: 0o600 });
    expect(await codeOf('--passphrase-file', 'wrong')).toEqual([4, 'KEY_PASSPHRASE_WRONG']);
    writeFileSync(join(made.world.cwd, 'open'), SECRET, { mode: 0o644 });
    expect(await codeOf('--passphrase-file', 'open')).toEqual([2, 'SECRET_FILE_OPEN']);
  });
});
