import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type CreateTerms, decideCreate } from '../../core/create.ts';
import { massPayoutEvent } from '../../core/events.ts';
import { decideFate, type FateRule } from '../../core/fate-rules.ts';
import type { KeyHistory } from '../../core/idempotency.ts';
import type { MassPayoutRequest } from '../../core/mass-payout.ts';
import type { Modes } from '../../core/modes.ts';
import { Refused } from '../../core/refusals.ts';
import { payloadDigest } from '../../payload-digest.ts';
import type { Digests } from '../../store/mass-payouts.ts';
import type { SandboxStore } from '../../store/store.ts';
import type { StepScheduler } from '../../step-scheduler.ts';
import type { Announcer } from '../../webhooks/announcer.ts';
import type { ExactJsonValue } from '../exact-json.ts';
import {
  AccountId,
  DateTime,
  PositiveAmount,
  RequiredText,
  Text,
  Timestamp,
  Uuid,
} from '../fields.ts';
import { type Call, serveOperation } from '../operation.ts';
import { massPayoutRecord, storedRecord } from '../records.ts';

const MassAddress = z.strictObject({
  depositAddress: RequiredText,
  amount: PositiveAmount,
  comment: Text.optional(),
});

const Payload = z.strictObject({
  currency: RequiredText,
  massAddresses: z.array(MassAddress).min(1),
  idempotencyKey: Uuid.optional(),
  name: Text.optional(),
  comment: Text.optional(),
  executionDate: DateTime.optional(),
  externalId: Text.optional(),
});

const Envelope = { timestamp: Timestamp, account: AccountId };

/**
 * ASSUMED: the spec does not show which fields are required. By default those are required without
 * which a payment is not safe.
 */
export const MASS_CREATE_BODIES: Readonly<Record<Modes['createRequires'], z.ZodType<Body>>> = {
  needed: z.strictObject({ ...Envelope, payload: Payload.required({ idempotencyKey: true }) }),
  all: z.strictObject({
    ...Envelope,
    payload: Payload.extend({ massAddresses: z.array(MassAddress.required()).min(1) }).required(),
  }),
  'key-not': z.strictObject({ ...Envelope, payload: Payload }),
};

type Body = Readonly<{ timestamp: number; account: string; payload: z.infer<typeof Payload> }>;

export type MassCreateDeps = Readonly<{
  store: SandboxStore;
  rules: CreateTerms;
  /** The rules that decide the results of withdrawals. */
  fates: () => readonly FateRule[];
  announcer: Announcer;
  scheduler: StepScheduler;
}>;

/** Spec: "Endpoints", POST /api/v1/payout/mass/create. Runs in a transaction. */
export const massCreateOperation = (deps: MassCreateDeps) =>
  serveOperation<Body>({
    body: ({ createRequires }) => MASS_CREATE_BODIES[createRequires],
    writes: true,
    answer: (call) => create(deps, call),
    onInternalError({ body: { account, payload }, modes }) {
      if (modes.idempotency !== 'poisoned-after-500') return;
      if (payload.idempotencyKey === undefined) return;
      deps.store.poisonedKeys.add(account, payload.idempotencyKey);
    },
  });

function create(
  { store, rules, announcer, scheduler, fates }: MassCreateDeps,
  { body: { account, payload }, nowMs, modes, bodySha256 }: Call<Body>,
): ExactJsonValue {
  const request = requestOf(payload, modes, fates());
  const digests = { payloadSha256: payloadDigest(request), bodySha256 };
  const decision = decideCreate(
    {
      account,
      request,
      nowMs,
      id: randomUUID(),
      key: historyOf(store, { account, idempotencyKey: request.idempotencyKey, digests }),
      balance: store.ledger.balanceOf(account, request.currency),
    },
    { ...rules, modes },
  );
  switch (decision.kind) {
    case 'refuse':
      throw new Refused(decision.code);
    case 'replay':
      return storedRecord(store.withdrawals, store.massPayouts.byId(decision.id));
    case 'accept':
      store.withdrawals.insert(
        store.massPayouts.insert(decision.massPayout, digests),
        request.withdrawals,
      );
      store.ledger.post(decision.entries);
      announcer.announce(massPayoutEvent(decision.massPayout));
      scheduler.expect(decision.massPayout.dueMs);
      return massPayoutRecord(decision.massPayout, []);
  }
}

function historyOf(
  { massPayouts, poisonedKeys }: SandboxStore,
  asked: Readonly<{ account: string; idempotencyKey: string; digests: Digests }>,
): KeyHistory {
  const { account, idempotencyKey, digests } = asked;
  const known = massPayouts.byKey(account, idempotencyKey);
  return {
    isPoisoned: poisonedKeys.has(account, idempotencyKey),
    earlier: known && {
      ...known,
      isPayloadEqual: known.payloadSha256 === digests.payloadSha256,
      isBodyEqual: known.bodySha256 === digests.bodySha256,
    },
  };
}

/** Without a key in the request the service makes one. */
const requestOf = (
  payload: Body['payload'],
  { testAddresses }: Modes,
  rules: readonly FateRule[],
): MassPayoutRequest => ({
  currency: payload.currency,
  idempotencyKey: payload.idempotencyKey ?? randomUUID(),
  name: payload.name ?? null,
  comment: payload.comment ?? null,
  externalId: payload.externalId ?? null,
  executionDate: payload.executionDate ?? null,
  withdrawals: payload.massAddresses.map(({ depositAddress, amount, comment = null }, at) => {
    const facts = { position: at + 1, depositAddress, comment };
    const fate = decideFate(rules, facts, testAddresses === 'obeyed');
    return { depositAddress, amount, comment, fate };
  }),
});
