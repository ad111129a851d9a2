import fc, { type Arbitrary } from 'fast-check';
import type { Resolve } from '../../../src/contract/messages.ts';
import type { Approval } from '../../../src/domain/approval/statement.ts';
import { DECISIONS } from '../../../src/domain/approval/statement.ts';
import type { ErrorNote } from '../../../src/domain/errors/bursar-error.ts';
import { HOLD_KINDS } from '../../../src/domain/holds/hold.ts';
import { NOTIFY_EVENTS, type NotifyEvent } from '../../../src/domain/notify/events.ts';
import { isoOf } from '../../support/approvers.ts';
import type { WorkerActivities } from '../../../src/activities/index.ts';
import type { ActivityName } from './attacked-world.ts';
import { ROLES } from './attacked-world.ts';
import { FORGED } from './signed-names.ts';
import { statementBy } from './statements.ts';
import { type Scene, type Victim, VICTIMS } from './victims.ts';

const DAY_MS = 86_400_000;

/** What one activity can be called with. */
type InputOf<Name extends ActivityName> = Parameters<WorkerActivities[Name]>[0];

/** An arbitrary input for every activity. An activity that is missing here does not compile. */
export type Inputs = Readonly<{ [Name in ActivityName]: Arbitrary<InputOf<Name>> }>;

const garbage = fc.oneof(
  fc.constantFrom('', ' ', '../x', 'null', "'", 'x'.repeat(70)),
  fc.string(),
);

/** Mostly what exists, sometimes anything. */
const mostly = <Value>(known: readonly Value[], other: Arbitrary<Value>): Arbitrary<Value> =>
  known.length === 0
    ? other
    : fc.oneof(
        { weight: 9, arbitrary: fc.constantFrom(...known) },
        { weight: 1, arbitrary: other },
      );

const name = mostly([...Object.keys(ROLES), 'Bursar', 'Temporal', 'bob (unsigned)'], garbage);
const chunk = mostly([0, 0, 1, 1], fc.constantFrom(-1, 2, 0.5, 1e9));
const reason = mostly(['as agreed', 'approved', FORGED, ''], garbage);
const optional = <Value>(value: Arbitrary<Value>) => fc.option(value, { nil: null });

/** Inputs that mix what the attacker finds in Temporal with garbage; most are about one victim. */
export function inputsOf(scene: Scene, focus: Victim): Inputs {
  const others = mostly([...VICTIMS, 'rogue-1', 'rent-r1'], garbage);
  const batchId = fc.oneof({ weight: 3, arbitrary: fc.constant<string>(focus) }, others);
  const of = <Fields extends object>(fields: { [Key in keyof Fields]: Arbitrary<Fields[Key]> }) =>
    fc.record<Fields & { batchId: string }>({ batchId, ...fields } as never);
  const onBatch = fc.record({ batchId });
  const approval = approvalOf(scene, batchId);
  const batch = batchInputOf(scene, { batchId, approval });
  const excess = fc.record({
    day: fc.constantFrom(isoOf(Date.now()).slice(0, 10), '2020-01-01', '2999-01-01'),
    currency: fc.constant('USDT_TRC20'),
    limit: fc.constantFrom('1', '1000000'),
    granted: fc.constantFrom('0', '1'),
    total: fc.constantFrom('1', '1000000'),
  });
  const quote = fc.record({
    currency: mostly(['USDT_TRC20'], garbage),
    fee: fc.constantFrom('0.04', '2', '1000000', '-1', 'x'),
    estimated: fc.boolean(),
  });
  const quotes = optional(fc.array(quote, { maxLength: 2 }));
  const facts = fc.oneof(
    fc.constantFrom(...scene.holds.map((hold) => hold.facts)),
    fc.dictionary(garbage, garbage, { maxKeys: 2 }),
    fc
      .array(excess, { maxLength: 2 })
      .map((all) => Object.fromEntries(all.map((one, i) => [String(i), JSON.stringify(one)]))),
    fc.constantFrom({ fees: '2 USDT_TRC20' }, { currency: 'USDT_TRC20' }),
  );
  const n = fc.constantFrom(1, 1, 2, 3, 0, -1);
  const stopped = optional(reason);
  const chunks = fc.array(chunk, { maxLength: 3 });
  const demand = optional(demandOf(approval));
  const error = optional(noteArbitrary);
  const runRef = { scheduleId: mostly(['rent'], garbage), nominal };
  const answer = answerOf(scene, approval);
  const hold = optional(fc.constantFrom(...scene.holds));
  const rarely = <Value>(usual: Value, other: Arbitrary<Value>) => mostly([usual], other);
  const digestFor = (id: string): string => scene.digests.get(id) ?? `sha256:${'0'.repeat(64)}`;
  const send = fc
    .record({
      batchId,
      chunk,
      digest: optional(fc.constantFrom(...scene.digests.values())),
      proveLookup: fc.boolean(),
      stopped: rarely<string | null>(null, stopped),
      wasCreated: rarely(false, fc.boolean()),
    })
    .map(({ digest, ...rest }) => ({ ...rest, digest: digest ?? digestFor(rest.batchId) }));
  const group = send.chain(({ batchId: target, digest, stopped: why }) =>
    fc
      .record({
        chunks,
        lanes: fc.constantFrom(16, 1, 0, -1),
        forMs: fc.constantFrom(20_000, 0, -1),
        created: chunks,
      })
      .map((rest) => ({ batchId: target, digest, stopped: why, ...rest })),
  );
  return {
    ingestFile: batch,
    planBatch: batch.chain((input) => fc.boolean().map((hasAsked) => ({ ...input, hasAsked }))),
    confirmUnpaid: fc.record({ batchId, chunks }, { requiredKeys: ['batchId'] }),
    followEnds: of({ chunks: optional(chunks), after: optional(chunk) }),
    endsToFollow: onBatch,
    quoteFees: onBatch,
    checkFees: onBatch,
    acceptFees: of({ quotes }),
    claimFunds: onBatch,
    checkBalance: of({ isPatient: fc.boolean() }),
    checkFunds: fc.record(
      { batchId, acceptedDay: fc.array(excess, { maxLength: 2 }) },
      { requiredKeys: ['batchId'] },
    ),
    readControls: onBatch,
    putHold: of({ kind: fc.constantFrom(...HOLD_KINDS), reason, by: name, facts }),
    resumeBatch: resumeOf(scene, { batchId, approval, n }),
    releaseHold: of({ n, by: name, reason }),
    releaseApprovedHold: of({ n }),
    noteCancel: of({ by: name, reason }),
    releaseBatch: onBatch,
    recordApproval: fc.record(
      { batchId, approval, hold, by: optional(name) },
      { requiredKeys: ['batchId', 'approval', 'hold'] },
    ),
    noteRefusedApproval: of({
      by: optional(name),
      person: optional(name),
      decision: fc.constantFrom(...DECISIONS),
      code: garbage,
    }),
    sendChunk: send,
    sendChunks: group,
    answerChunk: of({ answer }),
    sweepChunks: of({ chunks }),
    reportBatch: of({ unsentReason: stopped, canceled: fc.boolean(), error }),
    claimRuns: fc.record({
      scheduleId: runRef.scheduleId,
      startAt: optional(mostly([isoOf(Date.now()), '2026-11-24T09:00:00Z'], garbage)),
      demand,
    }),
    takeFile: fc.record({ ...runRef, demand }),
    findBatch: fc.record(runRef),
    endRun: endRunOf(runRef, batchId),
    listRuns: fc.record({ scheduleId: runRef.scheduleId }),
    watchRound: fc.constant(undefined),
    tell: fc.record({
      event: fc.constantFrom(...(Object.keys(NOTIFY_EVENTS) as NotifyEvent[])),
      batchId: optional(batchId),
      key: garbage,
      data: fc.constant({}),
    }),
  };
}

const today = isoOf(Date.now()).slice(0, 10);
const yesterday = isoOf(Date.now() - DAY_MS).slice(0, 10);
const nominal = mostly([`${yesterday}T09:00`, `${today}T09:00`, `${today}T10:00`], garbage);

/** What people signed, for what they signed or for something else, whole or changed; and what others signed in their names. */
function approvalOf(scene: Scene, batchId: Arbitrary<string>): Arbitrary<Approval> {
  const genuine = fc.constantFrom(...scene.statements);
  const subject = mostly(
    [...scene.digests.values(), ...scene.statements.map((one) => one.subject)],
    garbage,
  );
  const changed = fc
    .record({ one: genuine, batchId, subject, person: name, how: fc.nat(4) })
    .map(({ one, how, ...other }): Approval => {
      if (how === 0) return { ...one, batchId: other.batchId };
      if (how === 1) return { ...one, subject: other.subject };
      if (how === 2) return { ...one, person: other.person };
      if (how === 3) return { ...one, expiresAt: isoOf(Date.now() + 10 * DAY_MS) };
      return { ...one, signature: null };
    });
  const forged = fc
    .record({ batchId, subject, person: name, decision: fc.constantFrom(...DECISIONS) })
    .map(({ person, decision, ...about }) =>
      statementBy(person, about, { decision, signer: 'eve' }),
    );
  return fc.oneof({ weight: 3, arbitrary: genuine }, changed, forged);
}

type Parts = Readonly<{ batchId: Arbitrary<string>; approval: Arbitrary<Approval> }>;

/** Inputs of batches that exist, changed or not. */
const batchInputOf = (scene: Scene, { batchId, approval }: Parts) =>
  fc
    .record({
      input: fc.constantFrom(...scene.inputs),
      batchId,
      approval,
      name,
      accept: fc.array(garbage, { maxLength: 2 }),
      file: fc.constantFrom(...scene.inputs.map(({ file }) => file)),
      parent: optional(batchId),
      generation: fc.nat(2),
      statement: reason,
      how: fc.nat(7),
    })
    .map(({ input, how, ...other }): Scene['inputs'][number] => {
      if (how === 0) return { ...input, batchId: other.batchId };
      if (how === 1) return { ...input, submittedBy: other.name };
      if (how === 2) return { ...input, options: { ...input.options, accept: other.accept } };
      if (how === 3) return { ...input, submission: other.approval };
      if (how === 4) return { ...input, file: other.file, batchId: other.batchId };
      if (how > 5) return input;
      const { parent: parentBatchId, generation, statement } = other;
      return { ...input, batchId: other.batchId, parentBatchId, generation, statement };
    });

function resumeOf(
  scene: Scene,
  { batchId, approval, n }: Parts & { n: Arbitrary<number> },
): Inputs['resumeBatch'] {
  const named = scene.holds.map(({ n: number, since }) => ({ n: number, since }));
  const hold = fc.oneof(fc.constantFrom(...named), fc.record({ n }));
  return fc.record(
    {
      batchId,
      by: name,
      reason,
      hold,
      approval,
      rulesToo: fc.boolean(),
      stopped: optional(reason),
      forgotten: fc.boolean(),
    },
    { requiredKeys: ['batchId', 'by', 'reason', 'rulesToo'] },
  );
}

function answerOf(scene: Scene, approval: Arbitrary<Approval>): Arbitrary<Resolve> {
  const act = { chunk, by: name, reason, approval };
  const massPayoutId = mostly(scene.payoutIds, garbage);
  const needed = ['chunk', 'by', 'reason', 'answer'] as const;
  return fc.oneof(
    fc.record(
      { ...act, answer: fc.constant('adopt' as const), massPayoutId },
      { requiredKeys: [...needed, 'massPayoutId'] },
    ),
    fc.record(
      { ...act, answer: fc.constant('not-created' as const), attempts: fc.nat(2) },
      { requiredKeys: [...needed] },
    ),
    fc.record({ ...act, answer: fc.constant('abandon' as const) }, { requiredKeys: [...needed] }),
  );
}

const demandOf = (approval: Arbitrary<Approval>) =>
  fc.record(
    { nominal, by: name, reason, submission: approval },
    { requiredKeys: ['nominal', 'by', 'reason'] },
  );

const noteArbitrary: Arbitrary<ErrorNote> = fc.record({
  code: fc.constantFrom(
    ...(['FINDINGS_BLOCK', 'REFUSED_BY_APPROVER', 'BATCH_ENDED', 'BATCH_ID_TAKEN'] as const),
    ...(['SAME_FILE_AGAIN', 'INTERNAL', 'APPROVAL_IMPOSSIBLE', 'FUNDS_TOO_LOW'] as const),
  ),
  what: garbage,
  why: garbage,
  fix: garbage,
});

const endRunOf = (
  run: Readonly<Record<'scheduleId' | 'nominal', Arbitrary<string>>>,
  batchId: Arbitrary<string>,
): Inputs['endRun'] =>
  fc.oneof(
    fc.record({
      ...run,
      batchId,
      kind: fc.constant('ended' as const),
      state: fc.constantFrom('COMPLETED' as const, 'REJECTED' as const, 'CANCELED' as const),
    }),
    fc.record({ ...run, batchId, kind: fc.constant('rejected' as const), problem: garbage }),
    fc.record({ ...run, kind: fc.constant('failed' as const), error: noteArbitrary }),
    fc.record({ ...run, batchId, kind: fc.constant('lost' as const), error: noteArbitrary }),
  );
