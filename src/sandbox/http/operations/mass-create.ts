import { createHash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type CreateRules, decideCreate } from '../../core/create.ts';
import { formatDecimal } from '../../core/decimal.ts';
import { massPayoutEvent } from '../../core/events.ts';
import { fateOf } from '../../core/fates.ts';
import type { MassPayoutRequest } from '../../core/mass-payout.ts';
import { Refused } from '../../core/refusals.ts';
import type { Store } from '../../store/store.ts';
import type { Walker } from '../../walker.ts';
import type { Announcer } from '../../webhooks/announcer.ts';
import type { JsonValue } from '../exact-json.ts';
import {
  AccountId,
  DateTime,
  PositiveAmount,
  RequiredText,
  Text,
  Timestamp,
  Uuid,
} from '../fields.ts';
import { serveOperation } from '../operation.ts';
import { massPayoutRecord, storedRecord } from '../records.ts';

const MassAddress = z.strictObject({
  depositAddress: RequiredText,
  amount: PositiveAmount,
  comment: Text.optional(),
});

/**
 * ASSUMED: the spec does not show which fields are required; these are the ones without which
 * nothing can be paid.
 */
const Payload = z.strictObject({
  currency: RequiredText,
  massAddresses: z.array(MassAddress).min(1),
  idempotencyKey: Uuid,
  name: Text.optional(),
  comment: Text.optional(),
  executionDate: DateTime.optional(),
  externalId: Text.optional(),
});

export type MassCreateDeps = Readonly<{
  store: Pick<Store, 'massPayouts' | 'withdrawals' | 'ledger'>;
  rules: CreateRules;
  announcer: Announcer;
  walker: Pick<Walker, 'expect'>;
}>;

/** Spec: "Endpoints", POST /api/v1/payout/mass/create. Runs in a transaction. */
export const massCreateOperation = (deps: MassCreateDeps) =>
  serveOperation({
    body: z.strictObject({ timestamp: Timestamp, account: AccountId, payload: Payload }),
    writes: true,
    answer: ({ body: { account, payload }, nowMs }) =>
      create(deps, { account, request: requestOf(payload), nowMs }),
  });

function create(
  { store, rules, announcer, walker }: MassCreateDeps,
  asked: Readonly<{ account: string; request: MassPayoutRequest; nowMs: number }>,
): JsonValue {
  const { account, request } = asked;
  const payloadSha256 = digestOf(request);
  const known = store.massPayouts.byKey(account, request.idempotencyKey);
  const decision = decideCreate(
    {
      ...asked,
      id: randomUUID(),
      earlier: known && { id: known.id, isPayloadEqual: known.payloadSha256 === payloadSha256 },
      balance: store.ledger.balanceOf(account, request.currency),
    },
    rules,
  );
  switch (decision.kind) {
    case 'refuse':
      throw new Refused(decision.code);
    case 'replay':
      return storedRecord(store.withdrawals, store.massPayouts.byId(decision.id));
    case 'accept':
      store.withdrawals.insert(
        store.massPayouts.insert(decision.massPayout, payloadSha256),
        request.withdrawals,
      );
      store.ledger.post(decision.entries);
      announcer.announce(massPayoutEvent(decision.massPayout));
      walker.expect(decision.massPayout.dueMs);
      return massPayoutRecord(decision.massPayout, []);
  }
}

const requestOf = (payload: z.infer<typeof Payload>): MassPayoutRequest => ({
  currency: payload.currency,
  idempotencyKey: payload.idempotencyKey,
  name: payload.name ?? null,
  comment: payload.comment ?? null,
  externalId: payload.externalId ?? null,
  executionDate: payload.executionDate ?? null,
  withdrawals: payload.massAddresses.map(({ depositAddress, amount, comment }) => ({
    depositAddress,
    amount,
    comment: comment ?? null,
    fate: fateOf(depositAddress),
  })),
});

/**
 * Equal for payloads that mean the same: neither the order of fields nor the way a number is
 * written counts.
 */
function digestOf({ withdrawals, ...rest }: MassPayoutRequest): string {
  const rows = withdrawals.map(({ depositAddress, amount, comment }) => [
    depositAddress,
    formatDecimal(amount),
    comment,
  ]);
  return createHash('sha256')
    .update(JSON.stringify([rest, rows]))
    .digest('hex');
}
