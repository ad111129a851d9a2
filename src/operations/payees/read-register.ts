import { type Payee, type PayeeKey, payeeMatches } from '../../domain/payees/payee.ts';
import { payeeKeyOf, payeeNetworkOf } from '../../domain/payees/payee-address.ts';
import type { Sources } from '../batch/types.ts';
import { flagInvalid } from '../input/flag-error.ts';
import { payeeAccount } from './account.ts';
import { findPayee, type NamedPayee } from './find-payee.ts';
import { type PayeeView, payeeView, unlistedView } from './payee-view.ts';
import { type PayeePayments, paymentsTo } from './payments-to.ts';

/** A payee, with its payments. */
export type PayeeHistory = PayeeView & PayeePayments;

/** A payee of a list. Its payments are there where the list was asked for them. */
export type ListedPayee = PayeeView & Partial<PayeePayments>;

/**
 * `search`: only payees with that text. `after`: only those behind this one, as `tron:TQn9…`. `limit`: the most payees;
 * without it all. `withPayments`: with the payments to each, for which the fingerprints of all batches are read once.
 */
export type PayeeSearch = Readonly<{
  search?: string;
  after?: string;
  limit?: number;
  withPayments?: boolean;
}>;

/** The payees of the register by network and address. @throws FLAG_INVALID where `after` names no payee */
export function listPayees(
  sources: Sources,
  { withPayments = false, after, ...search }: PayeeSearch,
): AsyncGenerator<ListedPayee> {
  const account = payeeAccount(sources);
  const behind = after === undefined ? undefined : keyOf(after);
  const payees = matching(sources.store.payees.list(account, behind), search);
  return withPayments ? viewsWithPayments(sources, account, payees) : views(account, payees);
}

async function* matching(
  payees: AsyncIterable<Payee>,
  { search = '', limit = Number.POSITIVE_INFINITY }: PayeeSearch,
): AsyncGenerator<Payee> {
  let listed = 0;
  for await (const payee of payees) {
    if (!payeeMatches(payee, search)) continue;
    yield payee;
    listed += 1;
    if (listed >= limit) return;
  }
}

async function* views(account: string, payees: AsyncIterable<Payee>): AsyncGenerator<ListedPayee> {
  for await (const payee of payees) yield payeeView(account, payee);
}

async function* viewsWithPayments(
  { store }: Sources,
  account: string,
  found: AsyncIterable<Payee>,
): AsyncGenerator<ListedPayee> {
  const payees: Payee[] = [];
  for await (const payee of found) payees.push(payee);
  const paid = await paymentsTo(store, { account, payees });
  for (const [at, payee] of payees.entries()) yield { ...payeeView(account, payee), ...paid[at] };
}

/** The payee that `NETWORK:ADDRESS` names. */
function keyOf(after: string): PayeeKey {
  const [given = '', ...rest] = after.split(':');
  const network = payeeNetworkOf(given);
  const key = network === undefined ? undefined : payeeKeyOf(network, rest.join(':'));
  if (key === undefined) throw flagInvalid('after', 'is no network and address, as in tron:TQn9…');
  return key;
}

/**
 * A payee and its payments. An address that is not in the register is shown as well. @throws FLAG_INVALID
 */
export async function showPayee(sources: Sources, named: NamedPayee): Promise<PayeeHistory> {
  const account = payeeAccount(sources);
  const payee = await findPayee(sources.store, account, named);
  const { known } = payee;
  const view = known === undefined ? unlistedView(account, payee) : payeeView(account, known);
  const [payments] = await paymentsTo(sources.store, { account, payees: [payee] });
  if (payments === undefined) throw new Error('A payee has no payments, not even none.');
  return { ...view, ...payments };
}
