import { randomUUID } from 'node:crypto';
import { PAYOUT_STATES } from '@bursar/merchant-api/spec';
import { z } from 'zod';
import { codeOfFate, FATE_NAMES, type FateName } from '../../core/fates.ts';
import type { MassPayoutSeeds } from '../../mass-payout-seeds.ts';
import { DateTime, PositiveDecimalText, RequiredText, Text, Uuid } from '../fields.ts';
import { chooseAccount } from './choose-account.ts';
import { massPayoutLine } from './mass-payouts.ts';
import { type AdminRoute, adminRoute } from './route.ts';

const Withdrawal = z.strictObject({
  depositAddress: RequiredText,
  amount: PositiveDecimalText,
  comment: Text.optional(),
  /** Its result when the mass payout goes on. Without one it is paid. */
  fate: z.enum(FATE_NAMES as [FateName, ...FateName[]]).default('paid'),
  error: RequiredText.optional(),
  errorResolved: z.boolean().default(false),
});

const Seed = z.strictObject({
  account: z.string().optional(),
  currency: RequiredText,
  state: z.enum(PAYOUT_STATES),
  idempotencyKey: Uuid.optional(),
  name: Text.optional(),
  comment: Text.optional(),
  externalId: Text.optional(),
  executionDate: DateTime.optional(),
  withdrawals: z.array(Withdrawal).min(1),
  moves: z.boolean().default(false),
  webhooks: z.boolean().default(false),
});

/** A mass payout in the form of the admin API. Amounts are decimal text. */
export type SandboxSeed = z.input<typeof Seed>;

export type SeedRouteDeps = Readonly<{ seeds: MassPayoutSeeds; accounts: readonly string[] }>;

/**
 * POST /sandbox/mass-payouts: a mass payout in any state, with its withdrawals, errors and ledger
 * entries. It goes on only with `moves`, and is announced only with `webhooks`.
 */
export const seedRoute = ({ seeds, accounts }: SeedRouteDeps): AdminRoute =>
  adminRoute({
    endpoint: 'POST /mass-payouts',
    input: Seed,
    answer: ({ account, state, moves, webhooks, withdrawals, ...asked }) =>
      massPayoutLine(
        seeds.add({
          account: chooseAccount(account, accounts),
          state,
          moves,
          webhooks,
          request: {
            currency: asked.currency,
            idempotencyKey: asked.idempotencyKey ?? randomUUID(),
            name: asked.name ?? null,
            comment: asked.comment ?? null,
            externalId: asked.externalId ?? null,
            executionDate: asked.executionDate ?? null,
            withdrawals: withdrawals.map(({ depositAddress, amount, comment = null, fate }) => ({
              depositAddress,
              amount,
              comment,
              fate: codeOfFate(fate),
            })),
          },
          errors: withdrawals.map(({ error = null, errorResolved }) => ({
            error,
            isErrorResolved: errorResolved,
          })),
        }),
      ),
  });
