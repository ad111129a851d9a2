import { execFileSync } from 'node:child_process';
import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readKeyFile } from '../../src/operations/approval/key-file.ts';
import { isPublicKey, isSignedBy } from '../../src/domain/approval/signature.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { fakeWorld, type FakeWorld } from './support/fake-world.ts';

const newWorld = (): FakeWorld => fakeWorld({ cwd: temporaryFolder() });
const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe('bursar keys new', () => {
  it('makes a key that only its owner can read, and prints its settings', async () => {
    const world = newWorld();
    const { code, value } = await world.json('keys', 'new', 'bob');
    const path = join(world.world.cwd, 'bursar-bob.key');
    const publicKey = String(value['publicKey']);
    expect([code, value['schema'], value['file']]).toEqual([0, 'bursar.key/v1', 'bursar-bob.key']);
    expect(modeOf(path)).toBe(0o600);
    expect(isPublicKey(publicKey)).toBe(true);
    expect(value['toml']).toBe(
      `[[approval.people]]\nname = "bob"\npublic_key = "${publicKey}"\nroles = []`,
    );
    const key = readKeyFile(path, 'k');
    expect(key.publicKey).toBe(publicKey);
    expect(isSignedBy(publicKey, 'x', key.sign('x'))).toBe(true);
    const published = createPublicKey(readFileSync(path));
    expect(verify(null, Buffer.from('x'), published, Buffer.from(key.sign('x'), 'base64'))).toBe(
      true,
    );
    expect((await world.run('keys', 'show', 'bursar-bob.key')).out).toBe(`${publicKey}\n`);
  });

  it('never prints the private half', async () => {
    const world = newWorld();
    const { out, err } = await world.run('keys', 'new');
    const pem = readFileSync(join(world.world.cwd, 'bursar-alice.key'), 'utf8');
    const secret = pem.split('\n')[1] ?? '';
    expect(secret.length).toBeGreaterThan(40);
    expect(
      out + err + JSON.stringify(readKeyFile(join(world.world.cwd, 'bursar-alice.key'), 'k')),
    ).not.toContain(secret);
  });

  it('works before the settings do: they may wait for this key', async () => {
    const world = newWorld();
    writeFileSync(join(world.world.cwd, 'bursar.toml'), '[[approval.people]]\nname = "alice"');
    expect((await world.run('plan', 'x.csv')).code).toBe(2);
    expect((await world.run('keys', 'new')).code).toBe(0);
  });

  it('never writes over a file, and never through a link', async () => {
    const world = newWorld();
    const { cwd } = world.world;
    writeFileSync(join(cwd, 'mine'), 'something else');
    symlinkSync(join(cwd, 'nowhere'), join(cwd, 'link'));
    for (const out of ['mine', 'link', 'no/such/folder', '.']) {
      const { code, value } = await world.json('keys', 'new', '--out', out);
      expect([code, value['code']]).toEqual([2, 'KEY_FILE_UNWRITABLE']);
    }
    expect(readFileSync(join(cwd, 'mine'), 'utf8')).toBe('something else');
    await world.run('keys', 'new', 'bob');
    const before = readFileSync(join(cwd, 'bursar-bob.key'), 'utf8');
    expect((await world.run('keys', 'new', 'bob')).code).toBe(2);
    expect(readFileSync(join(cwd, 'bursar-bob.key'), 'utf8')).toBe(before);
  });

  it.each(['../bob', 'a/b', '-bob', 'bob\n', '"', 'x'.repeat(65)])(
    'refuses "%s" as a name',
    async (name) => {
      const { code, err } = await newWorld().run('keys', 'new', '--', name);
      expect([code, err]).toEqual([2, expect.stringContaining('is not a name')]);
    },
  );
});

describe('a key file', () => {
  const ed25519 = generateKeyPairSync('ed25519');
  const pem = ed25519.privateKey.export({ type: 'pkcs8', format: 'pem' });
  const secret = String(pem).split('\n')[1] ?? '';

  /** Shows the public half of what `prepare` put in place. */
  async function show(prepare: (path: string) => void) {
    const world = newWorld();
    const path = join(world.world.cwd, 'k');
    prepare(path);
    const { code, value } = await world.json('keys', 'show', 'k');
    expect(JSON.stringify(value)).not.toContain(secret);
    return [code, value['code'], value['what']];
  }

  const withMode = (mode: number) => (path: string) => {
    writeFileSync(path, pem);
    chmodSync(path, mode);
  };

  it.each([0o644, 0o640, 0o660, 0o604, 0o700, 0o777])('with mode %o is refused', async (mode) => {
    const [code, name, what] = await show(withMode(mode));
    expect([code, name]).toEqual([2, 'KEY_FILE_OPEN']);
    expect(what).toContain(`mode 0${mode.toString(8)}`);
  });

  it.each([0o600, 0o400])('with mode %o is taken', async (mode) => {
    expect((await show(withMode(mode)))[0]).toBe(0);
  });

  const written = (text: string | Buffer) => (path: string) =>
    writeFileSync(path, text, { mode: 0o600 });

  it.each<{ what: string; prepare: (path: string) => void; reason: string }>`
    what                         | prepare                                                                                                             | reason
    ${'missing'}                 | ${() => undefined}                                                                                                  | ${'ENOENT'}
    ${'empty'}                   | ${written('')}                                                                                                      | ${'no private key'}
    ${'cut off'}                 | ${written(String(pem).slice(0, 60))}                                                                                | ${'no private key'}
    ${'damaged'}                 | ${written(String(pem).replace('MC4C', 'MC5C'))}                                                                     | ${'no private key'}
    ${'a public key'}            | ${written(ed25519.publicKey.export({ type: 'spki', format: 'pem' }))}                                               | ${'no private key'}
    ${'text'}                    | ${written('hunter2')}                                                                                               | ${'no private key'}
    ${'a key that is too large'} | ${written(`${String(pem)}${'\n'.repeat(70_000)}`)}                                                                  | ${'too large'}
    ${'of another kind'}         | ${written(generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export({ type: 'pkcs8', format: 'pem' }))} | ${'kind rsa'}
    ${'of another curve'}        | ${written(generateKeyPairSync('x25519').privateKey.export({ type: 'pkcs8', format: 'pem' }))}                       | ${'kind x25519'}
    ${'a folder'}                | ${(path: string) => mkdirSync(path, { mode: 0o600 })}                                                               | ${'not a file'}
    ${'a pipe'}                  | ${(path: string) => execFileSync('mkfifo', ['-m', '600', path])}                                                    | ${'not a file'}
  `('that is $what is refused', async ({ prepare, reason }) => {
    const [code, name, what] = await show(prepare);
    expect([code, name]).toEqual([2, 'KEY_FILE_UNREADABLE']);
    expect(what).toContain(reason);
  });
});
