import type { NoticeFacts } from '../../domain/notices/notice-template.ts';
import { payeeKeyOf, payeeNetworkOfRows } from '../../domain/payees/payee-address.ts';
import type { ChunkRow, RowNumber } from '../../domain/rows/row.ts';
import type { Store } from '../../store/index.ts';

/** A paid row whose payee has an e-mail address. */
export type PaidPayee = Readonly<{ email: string; factsOn(date: string): NoticeFacts }>;

/** The paid rows of a chunk whose payees have an e-mail address in the register, by row number. */
export async function paidPayees(
  store: Store,
  { batchId, chunk }: Readonly<{ batchId: string; chunk: number }>,
): Promise<ReadonlyMap<RowNumber, PaidPayee>> {
  const batch = await store.batches.find(batchId);
  const [at] = await store.chunks.getMany(batchId, [chunk]);
  if (batch === undefined || batch.prunedAtMs !== null || at === undefined) return new Map();
  const network = payeeNetworkOfRows(at.currency);
  const own = await store.settlements.ofChunk(batchId, chunk);
  const range = { from: at.firstRow, to: at.lastRow };
  const transactions = await store.transactions.ofRows(batchId, range);
  const rows = await store.staging.rows(batch.ingestId ?? '', chunk);
  const keyed = rows.flatMap((row) => {
    const outcome = own.get(row.row)?.outcome ?? at.defaultOutcome;
    const key = outcome === 'PAID' ? payeeKeyOf(network, row.address) : undefined;
    return key === undefined ? [] : [{ row, key }];
  });
  const known = await store.payees.find(
    batch.account,
    keyed.map(({ key }) => key),
  );
  const payeeOf = new Map(known.map((payee) => [nameOf(payee), payee]));
  return new Map(
    keyed.flatMap(({ row, key }) => {
      const payee = payeeOf.get(nameOf(key));
      if (payee === undefined || payee.email === '') return [];
      const seen = transactions.get(row.row)?.hash ?? '';
      const hash = own.get(row.row)?.transactionHash ?? seen;
      const facts = { name: payee.name, currency: at.currency, hash };
      return [
        [
          row.row,
          { email: payee.email, factsOn: (date: string) => ({ ...factsOf(row), ...facts, date }) },
        ],
      ];
    }),
  );
}

const nameOf = ({ network, address }: Readonly<{ network: string; address: string }>): string =>
  `${network} ${address}`;

const factsOf = ({ amount, reference, comment }: ChunkRow) => ({ amount, reference, comment });
