import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { IDENTITY_WORDS, identitiesOf } from '../../../src/domain/payees/identity.ts';
import { printSpaceOf } from '../../../src/domain/plan/row-print.ts';
import type { Store } from '../../../src/store/index.ts';
import { wordsOf as blobWords } from '../../../src/store/rows/words-of.ts';
import { writableDb } from '../../../src/store/database/writable.ts';
import { payEarlier, PEOPLE, plannedBatch } from '../../support/history-fixtures.ts';
import { ACCOUNT } from '../../support/store-fixtures.ts';
import { openTestStore } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let store: Store;
beforeEach(async () => {
  store = await openTestStore(temporaryFolder());
});
afterEach(() => store.close());

const [ANN, BOB, EVE] = PEOPLE;
const PAYMENTS = [
  { address: ANN, currency: 'TRX', reference: 'EMP-1', name: 'Ann' },
  { address: BOB, currency: 'TRX' },
  { address: EVE, currency: 'TRX', name: 'Eve' },
] as const;

type Payment = Readonly<{ address: string; reference?: string; name?: string }>;

const wordsOf = (...payments: readonly Payment[]): number[] => [
  ...identitiesOf(
    printSpaceOf('TRX'),
    payments.map(({ reference = '', name = '' }) => ({
      ...{ row: 0, address: '', amount: '', comment: '', reference, name },
    })),
  ),
];

/** The identities of the batch that a new one sees. */
async function seen(wanted = { identities: true }): Promise<(readonly number[])[]> {
  const found: (readonly number[])[] = [];
  const start = { batchId: 'new', account: ACCOUNT, parentBatchId: null };
  for (const other of await store.history.others(start)) {
    for await (const { identities } of other.segments(wanted)) found.push([...(identities ?? [])]);
  }
  return found;
}

const identities = () =>
  writableDb(store).selectFrom('row_fingerprint').select('identities').execute();

describe('the identities of rows', () => {
  it('are kept with their fingerprints, and read where they are wanted', async () => {
    await payEarlier(store, 'old', PAYMENTS);
    expect(await seen()).toEqual([wordsOf(...PAYMENTS)]);
    expect(await seen({ identities: false })).toEqual([[]]);
    const { ingestId } = (await store.batches.find('old')) ?? {};
    const own: number[] = [];
    for await (const segment of store.history.own(ingestId ?? '')) {
      own.push(...(segment.identities ?? []));
    }
    expect(own).toEqual(wordsOf(...PAYMENTS));
  });

  it('leave out those of a row that was not paid', async () => {
    const [first, ...others] = PAYMENTS;
    await payEarlier(store, 'old', [{ ...first, isFailed: true }, ...others]);
    expect(await seen()).toEqual([wordsOf(...PAYMENTS).slice(IDENTITY_WORDS)]);
  });

  it('come from the rows where an older version has written them', async () => {
    await payEarlier(store, 'old', PAYMENTS);
    await writableDb(store).updateTable('row_fingerprint').set({ identities: null }).execute();
    expect(await seen()).toEqual([wordsOf(...PAYMENTS)]);
  });

  it('are empty where no row has any', async () => {
    await plannedBatch(store, 'old', [[0, 1]]);
    const [stored] = await identities();
    expect(stored?.identities && blobWords(stored.identities)).toHaveLength(0);
    expect(await seen()).toEqual([[]]);
  });
});
