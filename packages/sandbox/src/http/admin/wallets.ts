import { z } from 'zod';
import type { AdminAnswer, AdminMovement, AdminWallet } from '../../admin/index.ts';
import { isToken } from '../../core/blockchains.ts';
import { formatDecimal } from '../../core/decimal.ts';
import type { SandboxStore } from '../../store/store.ts';
import type { StoredMovement } from '../../store/transactions.ts';
import { Text } from '../fields.ts';
import { balancesIn } from '../wallet-records.ts';
import { type AdminRoute, adminRoute, nextOf, OrderedPageQuery, PageQuery } from './route.ts';
import { isoTime } from './times.ts';

const Listing = z.strictObject({ account: Text.optional(), ...PageQuery });

/** GET /sandbox/wallets: a page of the settlement wallets with their balances, oldest first. */
export const walletsRoute = ({ wallets, ledger }: SandboxStore): AdminRoute =>
  adminRoute({
    endpoint: 'GET /wallets',
    input: Listing,
    answer: ({ account, after, limit }): AdminAnswer<'GET /wallets'> => {
      const found = wallets.list({ afterN: after, limit, account });
      return {
        wallets: found.map(
          (wallet): AdminWallet => ({
            n: wallet.n,
            account: wallet.account,
            name: wallet.name,
            address: wallet.address,
            blockchain: wallet.blockchain,
            balances: balancesIn(ledger, wallet).map(({ currency, amount }) => ({
              currency,
              amount: formatDecimal(amount),
              token: isToken(currency),
            })),
          }),
        ),
        next: nextOf(found, limit),
      };
    },
  });

/**
 * GET /sandbox/movements: a page of the movements. A movement is one top-up, or the withdrawals of
 * a mass payout that were paid at one moment.
 */
export const movementsRoute = ({ movements, massPayouts }: SandboxStore): AdminRoute =>
  adminRoute({
    endpoint: 'GET /movements',
    input: z.strictObject({ account: Text.optional(), ...OrderedPageQuery }),
    answer: ({ after = null, ...asked }): AdminAnswer<'GET /movements'> => {
      const found = movements.list({ ...asked, after });
      return {
        movements: found.map((movement) =>
          movementLine(
            movement,
            movement.massPayout === null ? null : massPayouts.byNumber(movement.massPayout).id,
          ),
        ),
        next: nextOf(found, asked.limit),
      };
    },
  });

const movementLine = (movement: StoredMovement, massPayoutId: string | null): AdminMovement => ({
  n: movement.n,
  time: isoTime(movement.atMs),
  account: movement.account,
  walletAddress: movement.walletAddress,
  currency: movement.currency,
  opCode: movement.opCode,
  isResend: movement.isResend,
  transactions: movement.transactions,
  amount: formatDecimal(movement.amount),
  fee: formatDecimal(movement.fee),
  massPayoutId,
});
