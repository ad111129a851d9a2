import { comparedName, type IdentityKind } from '../../domain/payees/identity.ts';
import { payeeKeyOf, payeeNetworkOfRows } from '../../domain/payees/payee-address.ts';
import type { Payee } from '../../domain/payees/payee.ts';
import type { AddressChange, Finding } from '../../domain/plan/finding.ts';
import type { Row, RowNumber } from '../../domain/rows/row.ts';
import { moneyText } from '../../domain/text/money-text.ts';
import type { PastBatch } from '../../store/rows/fingerprints.ts';
import type { PayeeBook } from './payee-book.ts';
import type { ChangedPayee } from './payee-changes.ts';

/** The changes of the rows that a finding names, and the register of payees. */
export type PayeeFacts = Readonly<{
  changes: ReadonlyMap<RowNumber, ChangedPayee>;
  payees: PayeeBook;
}>;

/** The part of an example that shows the facts about its payee. */
export type PayeeDetail = Readonly<{ detail: string; change?: AddressChange }>;

/** The details of rows, by the code of their finding. */
export type PayeeDetails = Readonly<
  Partial<Record<Finding['code'], ReadonlyMap<RowNumber, PayeeDetail>>>
>;

type Rows = ReadonlyMap<RowNumber, Row>;

/**
 * Reads the facts about the rows that ADDRESS_CHANGED and NAME_DIFFERS name: the address that was paid last, and the
 * entries of the register, which is read once more.
 */
export async function payeeDetails(
  findings: readonly Finding[],
  rows: Rows,
  { changes, payees }: PayeeFacts,
): Promise<PayeeDetails> {
  const changed = rowsOf(findings, 'ADDRESS_CHANGED', rows);
  const renamed = rowsOf(findings, 'NAME_DIFFERS', rows);
  const paid = await paidBefore(changed, changes);
  const ofRegister = changed.filter(({ row }) => !paid.has(row));
  const listed = await listedBefore({ changed: ofRegister, renamed }, changes, payees);
  return {
    ADDRESS_CHANGED: new Map([...paid, ...listed.changed]),
    NAME_DIFFERS: listed.renamed,
  };
}

const rowsOf = (findings: readonly Finding[], code: Finding['code'], rows: Rows): Row[] =>
  findings
    .filter((finding) => finding.code === code)
    .flatMap(({ examples }) => examples.flatMap(({ row }) => rows.get(row) ?? []));

async function paidBefore(
  rows: readonly Row[],
  changes: PayeeFacts['changes'],
): Promise<Map<RowNumber, PayeeDetail>> {
  const details = new Map<RowNumber, PayeeDetail>();
  const batches = new Set(rows.flatMap(({ row }) => changes.get(row)?.paid?.batch ?? []));
  for (const batch of batches) {
    const ofBatch = rows.filter(({ row }) => changes.get(row)?.paid?.batch === batch);
    const numbers = ofBatch.map(({ row }) => changes.get(row)?.paid?.row ?? 0);
    const before = new Map((await batch.rowsAt(numbers)).map((row) => [row.row, row.address]));
    for (const row of ofBatch) {
      const change = changes.get(row.row);
      const address = before.get(change?.paid?.row ?? 0);
      if (change?.paid === undefined || address === undefined) continue;
      details.set(row.row, paidDetail(row, { kind: change.kind, address, batch }));
    }
  }
  return details;
}

function paidDetail(
  row: Row,
  { kind, address, batch }: Readonly<{ kind: IdentityKind; address: string; batch: PastBatch }>,
): PayeeDetail {
  const { batchId } = batch;
  const paidAt = new Date(batch.payAtMs).toISOString();
  return {
    detail: `${row[kind]} was paid last in batch ${batchId} of ${paidAt.slice(0, 10)}, at ${address}`,
    change: { ...changeOf(row), before: address, batchId, paidAt },
  };
}

const changeOf = (row: Row) => ({
  payee: [row.name, row.reference].filter((text) => text !== '').join(', '),
  payment: moneyText(row.amount, row.currency),
  address: row.address,
});

type Listed = Readonly<{ changed: readonly Row[]; renamed: readonly Row[] }>;

/** Finds the entries of the register: the first one of an identity, and the one of an address. */
async function listedBefore(
  { changed, renamed }: Listed,
  changes: PayeeFacts['changes'],
  payees: PayeeBook,
) {
  const found = {
    changed: new Map<RowNumber, PayeeDetail>(),
    renamed: new Map<RowNumber, PayeeDetail>(),
  };
  if (changed.length + renamed.length === 0) return found;
  for await (const payee of payees.each()) {
    for (const row of changed) {
      const kind = changes.get(row.row)?.kind;
      if (kind === undefined || found.changed.has(row.row) || !isListedAs(payee, row, kind)) {
        continue;
      }
      const detail = `the register of payees has ${row[kind]} at ${payee.written}`;
      const change = { ...changeOf(row), before: payee.written, batchId: null, paidAt: null };
      found.changed.set(row.row, { detail, change });
    }
    for (const row of renamed) {
      if (isAddressOf(payee, row)) {
        found.renamed.set(row.row, { detail: `the register of payees has "${payee.name}"` });
      }
    }
  }
  return found;
}

const isAddressOf = ({ network, address }: Payee, row: Row): boolean =>
  network === payeeNetworkOfRows(row.currency) &&
  payeeKeyOf(network, row.address)?.address === address;

const isListedAs = ({ network, name, labels, decision }: Payee, row: Row, kind: IdentityKind) =>
  decision?.kind !== 'DENIED' &&
  network === payeeNetworkOfRows(row.currency) &&
  (kind === 'name'
    ? comparedName(name) === comparedName(row.name)
    : labels.includes(row.reference));
