import type { Connection } from '../../../src/store/database/db.ts';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { sql } from 'kysely';
import { verifyBatch } from '../../../src/report/verify/verify-batch.ts';
import { createFiles } from '../../../src/files/index.ts';
import type { Store } from '../../../src/store/index.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';
import { BATCH, endBatch, openAt, placeIn } from './support/ended-batch.ts';
import {
  canBeCopied,
  type Cell,
  cellsIn,
  copyRow,
  cutLog,
  dropRow,
  flipBit,
  flipped,
  type RowAt,
  rowsIn,
  swapEntries,
} from './support/tamper.ts';
import { writableDb } from '../../../src/store/database/writable.ts';

const place = placeIn(sharedFolder());
let store: Store;
let rows: RowAt[];
let cells: Cell[];

beforeAll(async () => {
  await endBatch(place);
  store = await openAt(place);
  rows = await rowsIn(writableDb(store));
  cells = await cellsIn(writableDb(store));
});
afterAll(() => store.close());

const verify = async () => {
  const blobs = createFiles(`file:${join(place.folder, 'blobs')}`);
  const { result, problems } = await verifyBatch(
    { store, blobs },
    { batchId: BATCH, reportDir: place.reportDir, head: null },
  );
  return { result, codes: problems.map(({ code }) => code) };
};

/** Verifies a changed store, and undoes the change. Returns undefined when the tables refuse it. */
async function afterwards(change: (db: Connection) => Promise<unknown>) {
  await sql`begin`.execute(writableDb(store));
  try {
    const isDone = await change(writableDb(store)).then(
      () => true,
      () => false,
    );
    return isDone ? await verify() : undefined;
  } finally {
    await sql`rollback`.execute(writableDb(store));
  }
}

const isFound = (seen: Awaited<ReturnType<typeof afterwards>>): boolean => {
  fc.pre(seen !== undefined);
  return seen?.result === 'TAMPERED' && seen.codes.length > 0;
};

const indexIn = (list: readonly unknown[]) => fc.nat({ max: list.length - 1 });
const at = <Item>(list: readonly Item[], index: number): Item => list[index] as Item;

describe('in a batch that is proven', () => {
  it('all data is unchanged', async () => {
    expect(await verify()).toEqual({ result: 'PROVEN', codes: [] });
    expect(new Set(rows.map(({ table }) => table)).size).toBe(13);
  });

  it('any flipped bit of any record, and of any entry, is found', async () => {
    const anyBit = fc.tuple(indexIn(cells), fc.nat({ max: 4_000 }));
    await fc.assert(
      fc.asyncProperty(anyBit, async ([index, bit]) =>
        isFound(await afterwards((db) => flipBit(db, at(cells, index), bit))),
      ),
      { numRuns: 100 },
    );
  });

  it('any column of any table is checked', async () => {
    const kinds = new Map(cells.map((cell) => [`${cell.table}.${cell.column}`, cell]));
    const unseen: string[] = [];
    for (const [name, cell] of kinds) {
      const seen = await afterwards((db) => flipBit(db, cell, 1));
      if (seen !== undefined && seen.result !== 'TAMPERED') unseen.push(name);
    }
    expect(unseen).toEqual([]);
  });

  it('any dropped record, and any dropped entry, is found', async () => {
    for (const row of rows) {
      const seen = await afterwards((db) => dropRow(db, row));
      expect([row, seen?.result]).toEqual([row, 'TAMPERED']);
    }
  });

  it('any repeated record, and any repeated entry, is found', async () => {
    for (const row of rows.filter(canBeCopied)) {
      const seen = await afterwards((db) => copyRow(db, row));
      expect([row, seen?.result]).toEqual([row, 'TAMPERED']);
    }
  });

  it('any two entries that changed places are found', async () => {
    const { seq } = await store.audit.head();
    const two = fc.tuple(fc.integer({ min: 1, max: seq }), fc.integer({ min: 1, max: seq }));
    await fc.assert(
      fc.asyncProperty(two, async ([one, other]) => {
        fc.pre(one !== other);
        return isFound(await afterwards((db) => swapEntries(db, one, other)));
      }),
      { numRuns: 30 },
    );
  });

  it('a log that was cut off anywhere is found', async () => {
    const { seq } = await store.audit.head();
    for (let entries = 0; entries < seq; entries += 1) {
      const seen = await afterwards((db) => cutLog(db, entries));
      expect([entries, seen?.result]).toEqual([entries, 'TAMPERED']);
    }
  });

  it('any flipped bit of a file of its reports, or of the copy of its file, is found', async () => {
    const folders = [
      place.reportDir,
      join(place.reportDir, 'versions', '1'),
      join(place.folder, 'blobs'),
    ];
    const files = folders.flatMap((folder) =>
      readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => join(folder, name)),
    );
    expect(files.length).toBeGreaterThan(12);
    for (const file of files) {
      const bytes = readFileSync(file);
      for (const bit of [0, 8 * (bytes.length - 1), 4 * bytes.length + 3]) {
        writeFileSync(file, flipped(bytes, bit));
        expect([file, (await verify()).result]).toEqual([file, 'TAMPERED']);
      }
      rmSync(file);
      expect([file, (await verify()).result]).toEqual([file, 'TAMPERED']);
      writeFileSync(file, bytes);
    }
    expect((await verify()).result).toBe('PROVEN');
  });
});
