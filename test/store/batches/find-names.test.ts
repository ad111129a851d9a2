import { expect, it } from '@jest/globals';
import { packRows, unpackRows } from '../../../src/domain/rows/row.ts';
import type { Store } from '../../../src/store/index.ts';
import { newBatch, stagedChunk, summaryOf } from '../../support/store-fixtures.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { openTestStore } from '../../support/test-database.ts';

/** A batch of two chunks, whose rows have these names in turn. */
async function batchWith(names: readonly string[]): Promise<Store> {
  const store = await openTestStore(temporaryFolder());
  await store.batches.register(newBatch('payroll'));
  const { ingestId, sink, flush } = store.staging.begin('payroll');
  const chunks = [0, 1].map((number) => {
    const chunk = stagedChunk(number, names.length);
    const rows = unpackRows(chunk.rows).map((row, at) => ({ ...row, name: names[at] ?? '' }));
    return { ...chunk, rows: packRows(rows) };
  });
  for (const chunk of chunks) await sink.putChunk(chunk);
  await flush();
  await store.staging.publish('payroll', ingestId, summaryOf(chunks));
  return store;
}

const NAMES = ['Ann Lee', 'ÅSA "Z" Öberg', '陳大文', '100% O\\Neil_x', '', 'address-2'];

it.each([
  ['ann', [2, 8]],
  ['åsa "z" ö', [3, 9]],
  ['陳', [4, 10]],
  ['100% o\\neil_', [5, 11]],
  // The address of another row has it, too.
  ['address-', [7, 13]],
  ['a_n', []],
  ['%', [5, 11]],
  ['asa', []],
  ['","', []],
])('rows are found by %s, a part of a name, in either case', async (text, rows) => {
  const store = await batchWith(NAMES);
  const [batch] = await store.search.batches(null);
  expect(await store.search.byName(batch!, text, 10)).toEqual(rows);
  expect(await store.search.byName(batch!, text, 1)).toEqual(rows.slice(0, 1));
  await store.close();
});
