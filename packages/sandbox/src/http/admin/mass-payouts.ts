import { z } from 'zod';
import { PAYOUT_STATES } from '@bursar/merchant-api/spec';
import type { AdminAnswer, AdminMassPayout, AdminWithdrawal } from '../../admin/index.ts';
import type { PersonActions } from '../../person-actions.ts';
import { formatDecimal } from '../../core/decimal.ts';
import {
  transactionHash,
  type Withdrawal,
  type WithdrawalFailure,
  withdrawalId,
} from '../../core/mass-payout.ts';
import { Refused } from '../../core/refusals.ts';
import type { StoredMassPayout } from '../../store/mass-payouts.ts';
import type { SandboxStore } from '../../store/store.ts';
import { RequiredText, Text } from '../fields.ts';
import { withdrawalLine } from './payouts.ts';
import { type AdminRoute, adminRoute, nextOf, OrderedPageQuery, PageQuery } from './route.ts';
import { isoTime, isoTimeOrNull } from './times.ts';

const SEARCH_LENGTH_MAX = 200;

/** GET /sandbox/mass-payouts: a page of the mass payouts. */
export const massPayoutListRoute = ({ massPayouts }: SandboxStore): AdminRoute =>
  adminRoute({
    endpoint: 'GET /mass-payouts',
    input: z.strictObject({
      account: Text.optional(),
      state: z.enum(PAYOUT_STATES).optional(),
      search: Text.max(SEARCH_LENGTH_MAX).optional(),
      ...OrderedPageQuery,
    }),
    answer: ({ after = null, ...asked }): AdminAnswer<'GET /mass-payouts'> => {
      const found = massPayouts.list({ ...asked, after });
      return {
        massPayouts: found.map(massPayoutLine),
        next: nextOf(found, asked.limit),
      };
    },
  });

/**
 * GET /sandbox/mass-payouts/withdrawals: one mass payout and a page of its withdrawals. With
 * `failed=true`, only those that a person can resend.
 */
export const massPayoutWithdrawalsRoute = ({
  massPayouts,
  withdrawals,
}: SandboxStore): AdminRoute =>
  adminRoute({
    endpoint: 'GET /mass-payouts/withdrawals',
    input: z.strictObject({
      id: RequiredText,
      failed: z.enum(['true', 'false']).default('false'),
      ...PageQuery,
    }),
    answer: ({ id, failed, after, limit }): AdminAnswer<'GET /mass-payouts/withdrawals'> => {
      const massPayout = massPayouts.byId(id);
      if (massPayout === null) throw new Refused('NOT_FOUND');
      const { n } = massPayout;
      const read = failed === 'true' ? withdrawals.failedPage : withdrawals.page;
      const page = read(n, after, limit);
      return {
        massPayout: massPayoutLine(massPayout),
        failed: withdrawals.failedCount(n),
        withdrawals: page.map((each) =>
          numberedLine(massPayout, each, withdrawals.failure(n, each.position)),
        ),
        next: page.length === limit ? (page.at(-1)?.position ?? null) : null,
      };
    },
  });

function numberedLine(
  massPayout: StoredMassPayout,
  withdrawal: Withdrawal,
  failure: WithdrawalFailure | null,
): AdminWithdrawal {
  const line = withdrawalLine(massPayout, withdrawal, failure);
  const isPaid = line.state === 'COMPLETED';
  const hash = transactionHash(withdrawalId(massPayout.id, withdrawal.position));
  return { position: withdrawal.position, ...line, transactionHash: isPaid ? hash : null };
}

const Named = { id: RequiredText };

/** The most withdrawals that one resend can choose. A resend of all has no limit. */
const POSITIONS_MAX = 10_000;

/** POST /sandbox/mass-payouts/…: the actions of a person in the service's own interface. */
export const massPayoutActionRoutes = ({ perform }: PersonActions): AdminRoute[] => [
  ...(['confirm', 'decline', 'end-waiting'] as const).map((kind) =>
    adminRoute({
      endpoint: `POST /mass-payouts/${kind}`,
      input: z.strictObject(Named),
      answer: ({ id }) => massPayoutLine(perform(id, { kind })),
    }),
  ),
  adminRoute({
    endpoint: 'POST /mass-payouts/resend',
    input: z.strictObject({
      ...Named,
      positions: z.array(z.int().min(1)).min(1).max(POSITIONS_MAX).optional(),
    }),
    answer: ({ id, positions = null }) =>
      massPayoutLine(perform(id, { kind: 'resend', positions })),
  }),
];

export const massPayoutLine = (massPayout: StoredMassPayout): AdminMassPayout => ({
  n: massPayout.n,
  id: massPayout.id,
  account: massPayout.account,
  state: massPayout.state,
  idempotencyKey: massPayout.idempotencyKey,
  externalId: massPayout.externalId,
  name: massPayout.name,
  comment: massPayout.comment,
  currency: massPayout.currency,
  withdrawals: massPayout.withdrawalsCount,
  totalAmount: formatDecimal(massPayout.totalAmount),
  totalFee: formatDecimal(massPayout.totalFee),
  confirmations: massPayout.confirmations,
  executionDate: massPayout.executionDate,
  createdDate: isoTime(massPayout.createdMs),
  endedDate: isoTimeOrNull(massPayout.endedMs),
  nextStepDate: isoTimeOrNull(massPayout.dueMs),
});
