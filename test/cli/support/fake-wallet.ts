import type { ServiceAccess } from '../../../src/operations/context.ts';
import {
  type LookupRecord,
  type MassPayout,
  MerchantApiError,
  type Page,
  type Reference,
  type Transaction,
} from '@bursar/merchant-api';
import type { Operation } from '@bursar/merchant-api/spec';
import { WALLET } from './fake-api.ts';
import { fakeService } from './fake-service.ts';

export type Asked = { pageNumber: number; pageSize: number };

/** What the service tells; a test changes it as it likes, also while it is being read. */
export type FakeWallet = {
  transactions: Transaction[];
  /** By id. */
  massPayouts: Map<string, MassPayout>;
  withdrawals: Map<string, LookupRecord>;
  /** Operations that the service does not have. */
  without: Operation[];
  /** Makes the failure that the list of wallets meets. */
  noWallets: (() => Error) | undefined;
  /** Called before a page is made; may throw. */
  onPage: (asked: Asked, count: number) => void;
  /** Makes another page of the one that an honest service gives. */
  dress: (page: Page<Transaction>, asked: Asked) => Page<Transaction>;
  readonly asked: Asked[];
  /** Options that every call was made with. */
  readonly accounts: unknown[];
};

export const newWallet = (of: Partial<FakeWallet> = {}): FakeWallet => ({
  transactions: [],
  massPayouts: new Map(),
  withdrawals: new Map(),
  without: [],
  noWallets: undefined,
  onPage: () => undefined,
  dress: (page) => page,
  asked: [],
  accounts: [],
  ...of,
});

export const refusal = (
  operation: Operation,
  httpStatus: number,
  { documented = true, retryAfterMs }: { documented?: boolean; retryAfterMs?: number } = {},
): MerchantApiError =>
  new MerchantApiError('refused', { operation, httpStatus, documented, retryAfterMs });

const answer = <Value>(value: Value) => ({
  value,
  httpStatus: 200,
  timestampMs: 1,
  bodySha256: 'b',
});

const idOf = (reference: Reference): string => ('id' in reference ? reference.id : '');

function pageOf(all: readonly Transaction[], { pageNumber, pageSize }: Asked) {
  const result = all.slice((pageNumber - 1) * pageSize, pageNumber * pageSize);
  const total = Math.ceil(all.length / pageSize);
  return { result, page: pageNumber, size: pageSize, total, totalElements: all.length };
}

/** A service that serves a wallet, page by page in the order in which it has its transactions. */
export function walletService(wallet: FakeWallet): ServiceAccess {
  const find = <Found>(found: Found | undefined, operation: Operation): Found => {
    if (found === undefined) throw refusal(operation, 404);
    return found;
  };
  return fakeService({
    hasOperation: (operation) => !wallet.without.includes(operation),
    async listTransactions(filter = {}, options) {
      const { pageNumber = 1, pageSize = 10 } = filter;
      const asked = { pageNumber, pageSize };
      wallet.asked.push(asked);
      wallet.accounts.push(options?.account);
      wallet.onPage(asked, wallet.asked.length);
      return answer(wallet.dress(pageOf(wallet.transactions, asked), asked));
    },
    readMassPayout: async (reference) =>
      answer(find(wallet.massPayouts.get(idOf(reference)), 'MASS_GET')),
    lookup: async (reference) => answer(find(wallet.withdrawals.get(idOf(reference)), 'LOOKUP')),
    async listWallets() {
      if (wallet.noWallets !== undefined) throw wallet.noWallets();
      const { page, size, total } = { page: 1, size: 100, total: 1 };
      return answer({ result: [WALLET], page, size, total, totalElements: 1 });
    },
  });
}
