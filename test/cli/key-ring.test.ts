import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readKeyRing } from '../../src/config.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { fakeWorld, type FakeWorld } from './support/fake-world.ts';

const newWorld = (): FakeWorld & { file: string } => {
  const cwd = temporaryFolder();
  const file = join(cwd, 'ring');
  return { ...fakeWorld({ cwd, env: { BURSAR_TEMPORAL_KEY_RING_FILE: file } }), file };
};

describe('bursar keys ring', () => {
  it('makes the key ring of the settings once, and lists it after that', async () => {
    const { json, file } = newWorld();
    const { code, value } = await json('keys', 'ring');
    expect([code, value]).toEqual([
      0,
      {
        schema: 'bursar.key-ring/v1',
        file,
        isNew: true,
        isSet: true,
        current: readKeyRing(file)[0].id,
        others: [],
      },
    ]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await json('keys', 'ring')).value).toEqual({ ...value, isNew: false });
  });

  it('rotates: the new key encrypts, the old one still decrypts', async () => {
    const { json, file } = newWorld();
    const { value: before } = await json('keys', 'ring');
    const { value } = await json('keys', 'ring', '--rotate');
    expect(value['others']).toEqual([before['current']]);
    expect(readKeyRing(file).map(({ id }) => id)).toEqual([value['current'], before['current']]);
  });

  it('adds a key for later, which can be taken when every machine has it', async () => {
    const { json } = newWorld();
    const { value: before } = await json('keys', 'ring');
    const { value: added } = await json('keys', 'ring', '--add');
    expect(added['current']).toBe(before['current']);
    const [later] = added['others'] as string[];
    const { value } = await json('keys', 'ring', '--use', String(later));
    expect([value['current'], value['others']]).toEqual([later, [before['current']]]);
  });

  it('names the missing setting when the settings name no ring', async () => {
    const cwd = temporaryFolder();
    const { run } = fakeWorld({ cwd });
    const { out } = await run('keys', 'ring');
    const file = join(cwd, '.bursar/key-ring');
    expect(out).toContain(`export BURSAR_TEMPORAL_KEY_RING_FILE='${file}'`);
    expect(readKeyRing(file)).toHaveLength(1);
    expect((await run('keys', 'ring', '--file', 'other')).out).toContain(join(cwd, 'other'));
  });

  it.each([
    ['a key that is not in the ring', ['--use', 'nobody'], 'FLAG_INVALID'],
    ['two changes at once', ['--rotate', '--add'], 'FLAG_INVALID'],
  ])('refuses %s', async (_what, flags, code) => {
    const { json, file } = newWorld();
    await json('keys', 'ring');
    const before = readFileSync(file);
    expect(await json('keys', 'ring', ...flags)).toMatchObject({ code: 2, value: { code } });
    expect(readFileSync(file)).toEqual(before);
  });

  it('takes no key of a ring that is not there, and makes none', async () => {
    const { json } = newWorld();
    const asked = await json('keys', 'ring', '--use', 'nobody');
    expect(asked).toMatchObject({ code: 2, value: { code: 'KEY_RING_UNREADABLE' } });
  });

  it('changes no ring that others can read', async () => {
    const { json, file } = newWorld();
    await json('keys', 'ring');
    chmodSync(file, 0o644);
    const rotated = await json('keys', 'ring', '--rotate');
    expect(rotated).toMatchObject({ code: 2, value: { code: 'KEY_RING_OPEN' } });
  });

  it('never prints a key', async () => {
    const { run, file } = newWorld();
    const printed = [await run('keys', 'ring'), await run('keys', 'ring', '--rotate')];
    writeFileSync(file, `${readFileSync(file, 'utf8')}broken line\n`);
    printed.push(await run('keys', 'ring'));
    const keys = [...readFileSync(file, 'utf8').matchAll(/ (\S{44})$/gm)].map(([, key]) => key);
    expect(keys).toHaveLength(2);
    for (const key of keys) expect(JSON.stringify(printed)).not.toContain(key);
  });
});
