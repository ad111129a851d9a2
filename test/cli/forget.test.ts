import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import {
  BATCH,
  endBatch,
  type Place,
  placeIn,
  settleBatch,
  verifyAt,
} from '../report/verify/support/ended-batch.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { fakeWorld } from './support/fake-world.ts';

const DAY_MS = 86_400_000;

async function worldAfter(days: number, pay: (place: Place) => Promise<void> = settleBatch) {
  const place = placeIn(temporaryFolder());
  await pay(place);
  const { folder } = place;
  const world = fakeWorld({
    cwd: folder,
    env: {
      BURSAR_STORE_URL: `sqlite:${join(folder, 'store.db')}`,
      BURSAR_BLOB_URL: `file:${join(folder, 'blobs')}`,
    },
  });
  world.engine.isDown = true;
  await world.world.clock.pause(days * DAY_MS, new AbortController().signal);
  return { place, world };
}

/** The address of the first row of the submitted file. */
function firstAddress({ folder }: Place): string {
  const [copy = ''] = readdirSync(join(folder, 'blobs'));
  const [header = '', first = ''] = readFileSync(join(folder, 'blobs', copy), 'utf8').split('\n');
  return first.split(',')[header.split(',').indexOf('address')] ?? '';
}

/** The files below a folder that hold a text. */
function filesWith(folder: string, text: string): string[] {
  return (readdirSync(folder, { recursive: true }) as string[]).filter((name) => {
    const path = join(folder, name);
    return statSync(path).isFile() && readFileSync(path, 'latin1').includes(text);
  });
}

describe('bursar forget', () => {
  it('lists the batches with an address, and removes nothing without --yes', async () => {
    const { place, world } = await worldAfter(40);
    const address = firstAddress(place);
    const { code, out, err } = await world.run('forget', address);
    expect([code, err]).toEqual([0, expect.stringContaining('Nothing was removed.')]);
    expect(out).toContain('would be removed');
    expect((await verifyAt(place)).result).toBe('PROVEN');
  });

  it('leaves no file with the address, and a batch that verify proves by its digests', async () => {
    const { place, world } = await worldAfter(40);
    const address = firstAddress(place);
    // The merchant's own file is theirs.
    rmSync(join(place.folder, 'payroll.csv'));
    expect(filesWith(place.folder, address)).not.toEqual([]);
    const { code, value } = await world.json('forget', address, '--yes');
    expect(code).toBe(0);
    expect(value['batches']).toMatchObject([{ batchId: BATCH, kept: null, pruned: true }]);
    expect(filesWith(place.folder, address)).toEqual([]);
    expect((await verifyAt(place)).result).toBe('PRUNED');
    expect((await world.json('forget', address, '--yes')).value['batches']).toEqual([]);
  });

  it('leaves no file with the name of a payee, in the rows or in a finding', async () => {
    const { place, world } = await worldAfter(40);
    expect(filesWith(place.folder, 'Payee 2')).not.toEqual([]);
    await world.run('forget', 'address-2', '--yes');
    expect(filesWith(place.folder, 'Payee 2')).toEqual([]);
    expect(filesWith(place.folder, 'address-2')).toEqual([]);
    expect((await verifyAt(place)).result).toBe('PRUNED');
  });

  it('finds an address in either case, and none that is not there', async () => {
    const { place, world } = await worldAfter(40);
    const address = firstAddress(place);
    const found = await world.json('forget', address.toUpperCase());
    expect(found.value['batches']).toHaveLength(1);
    expect((await world.json('forget', `${address}x`)).value['batches']).toEqual([]);
    expect((await world.json('forget', '%%%%%%%%')).code).toBe(2);
  });

  it('keeps a batch that may not lose its rows, and ends with 8', async () => {
    const young = await worldAfter(20);
    const first = await young.world.run('forget', firstAddress(young.place), '--yes');
    expect([first.code, first.out]).toEqual([8, expect.stringContaining('is too young')]);
    expect(first.err).toContain('The address stays in 1 batch.');
    const unknown = await worldAfter(500, endBatch);
    const second = await unknown.world.run('forget', firstAddress(unknown.place), '--yes');
    expect([second.code, second.out]).toEqual([
      8,
      expect.stringContaining('stays: it has rows without a certain outcome'),
    ]);
  });
});
