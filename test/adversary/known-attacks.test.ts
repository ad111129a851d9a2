import { beforeAll, expect, it } from '@jest/globals';
import type { Approval, ApprovalDecision } from '../../src/domain/approval/statement.ts';
import { isoOf } from '../support/approvers.ts';
import { submissionSubject } from '../../src/domain/approval/submission.ts';
import { attack, type Call } from './support/attack.ts';
import { type ActivityName, DAY_LIMIT, GUARDED } from './support/attacked-world.ts';
import { demandedRun } from './support/make-victim.ts';
import { FORGED } from './support/signed-names.ts';
import { OPTIONS, statementBy } from './support/statements.ts';
import { sending as sendingOf, stepsAfterApproval, stepsToPay } from './support/steps.ts';
import { openCopy, type Scene, setTheScene, type Victim } from './support/victims.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await setTheScene();
});

const BOB = { by: 'bob', reason: 'approved' };

const call = (name: ActivityName, input: unknown): Call => ({ name, input });

const sending = (batchId: Victim, chunk = 0): Call => sendingOf(scene, batchId, chunk);

const putting = (batchId: Victim, kind: string, more = {}): Call =>
  call('putHold', { batchId, kind, ...BOB, facts: {}, ...more });

const inputOf = (batchId: Victim) => scene.inputs.find((input) => input.batchId === batchId);

const MALLORY = { by: 'mallory', reason: 'the CFO said so' };

const ofScene = (batchId: Victim, decision: ApprovalDecision): Approval[] =>
  scene.statements.filter((one) => one.batchId === batchId && one.decision === decision);

const signedDemand = () =>
  scene.statements.find(
    ({ batchId, reason }) => batchId === 'schedule/rent' && reason === 'rent is due',
  );

const ending = (batchId: Victim, code: string): Call => {
  const error = { code, what: 'x', why: 'y', fix: 'z' };
  return call('reportBatch', { batchId, unsentReason: 'x', canceled: false, error });
};

const paying = (batchId: Victim): Call[] => stepsAfterApproval(scene, batchId);
const planning = (batchId: Victim): Call[] => stepsToPay(scene, batchId);

const resuming = (batchId: Victim, n = 1): Call =>
  call('resumeBatch', { batchId, rulesToo: true, hold: { n }, ...BOB });

/** What a batch would be above the limit of today, as the rule says it. */
const excess = () => ({
  day: isoOf(Date.now()).slice(0, 10),
  currency: GUARDED,
  limit: DAY_LIMIT,
  granted: '0',
  total: '4000',
});

const ATTACKS: Readonly<Record<string, () => readonly Call[]>> = {
  'sends a plan that no person approved': () => [sending('unapproved'), sending('unapproved', 1)],
  'lifts the hold that its own send put on, in the name of bob': () => [
    sending('unapproved'),
    call('releaseHold', { batchId: 'unapproved', n: 1, ...BOB }),
    call('resumeBatch', { batchId: 'unapproved', rulesToo: true, ...BOB }),
    sending('unapproved'),
  ],
  'pays weeks before the time that people approved': () => paying('later'),
  'pays weeks before the time of a batch that needs no approval': () => paying('freeLater'),
  'releases weeks before the time by lifting the hold that its own send put on': () => [
    ...[sending('freeLater'), resuming('freeLater'), ...paying('freeLater')],
    ...[sending('later'), resuming('later'), ...paying('later')],
  ],
  'pays by approvals that have lapsed': () => paying('lapsed'),
  'releases a batch that half of the people approved': () => paying('half'),
  'releases a batch that no person approved': () => paying('unapproved'),
  'lifts a pause before the plan in the name of bob, and pays by the approvals of the plan': () => [
    ...[resuming('early'), ...planning('early')],
    ...[resuming('early'), ...paying('early')],
  ],
  'accepts the limit of a day before the plan in the name of bob': () => {
    const batchId = 'limited';
    const acceptedDay = [excess()];
    return [
      putting(batchId, 'DAY_LIMIT', { facts: { a: JSON.stringify(excess()) } }),
      resuming(batchId),
      call('checkFunds', { batchId, acceptedDay }),
      ...planning(batchId),
      ...[resuming(batchId), resuming(batchId, 2)],
      call('checkFunds', { batchId, acceptedDay }),
      ...paying(batchId),
    ];
  },
  'has its money granted before the plan, and so before the limit of a day is known': () => [
    call('checkFunds', { batchId: 'limited' }),
    ...planning('limited').filter(({ name }) => name !== 'checkFunds'),
  ],
  'accepts fees before the plan in the name of bob': () => [
    call('quoteFees', { batchId: 'early' }),
    putting('early', 'FEE_DRIFT', { facts: { fees: '2 USDT_TRC20' } }),
    ...[resuming('early'), resuming('early', 2), ...planning('early')],
    call('acceptFees', {
      batchId: 'early',
      quotes: [{ currency: GUARDED, fee: '2', estimated: false }],
    }),
  ],
  'ends a batch as refused by carol, who signed no refusal': () => [
    ...(['half', 'later', 'held', 'free'] as const).map((id) => ending(id, 'REFUSED_BY_APPROVER')),
  ],
  'gives Bursar words of its own': () => [
    putting('paying', 'DAY_LIMIT', { reason: FORGED }),
    putting('paying', 'FEE_CAP', { reason: FORGED }),
    putting('dear', 'FEE_CAP', { reason: FORGED, facts: { fees: FORGED } }),
    call('releaseHold', { batchId: 'dear', n: 1, by: 'bob', reason: FORGED }),
  ],
  'calls activities with what no workflow sends': () => [
    call('acceptFees', { batchId: 'dear' }),
    call('tell', { event: 'awaiting-approval', batchId: 'paying', key: 'k', data: {} }),
  ],
  'lifts a pause in the name of bob': () => [
    call('resumeBatch', { batchId: 'held', rulesToo: true, hold: { n: 1 }, ...BOB }),
    call('releaseApprovedHold', { batchId: 'held', n: 1 }),
    sending('held'),
  ],
  'lifts the hold of a batch that has no plan yet, in the name of bob': () => [
    putting('fresh', 'PAUSE'),
    call('resumeBatch', { batchId: 'fresh', rulesToo: true, ...BOB }),
  ],
  'replaces the hold of a fee rule by one of its own': () => [
    putting('dear', 'FEE_DRIFT', { reason: 'all is well' }),
    putting('dear', 'FEE_CAP', { reason: 'all is well' }),
    call('releaseHold', { batchId: 'dear', n: 1, ...BOB }),
    sending('dear'),
  ],
  'accepts the fees that hold a batch': () => [
    call('acceptFees', {
      batchId: 'dear',
      quotes: [{ currency: 'USDT_TRC20', fee: '2', estimated: false }],
    }),
    call('releaseHold', { batchId: 'dear', n: 1, ...BOB }),
    sending('dear'),
  ],
  'puts on a hold whose words a rule should choose': () => [
    putting('paying', 'STOP_LOSS'),
    putting('paying', 'CANARY'),
    putting('paying', 'APPROVAL'),
    putting('paying', 'DAY_LIMIT'),
  ],
  'sends a batch that was not released': () => [sending('free')],
  'answers for a chunk in the name of bob': () => [
    call('answerChunk', {
      batchId: 'doubtful',
      answer: { chunk: 0, answer: 'not-created', attempts: 1, ...BOB },
    }),
    call('answerChunk', { batchId: 'doubtful', answer: { chunk: 0, answer: 'abandon', ...BOB } }),
    sending('doubtful'),
  ],
  'hands in what bob alone signed, twice': () => {
    const own = scene.statements.filter(
      ({ person, batchId }) => person === 'bob' && batchId === 'doubtful',
    );
    const answer = { chunk: 0, answer: 'not-created', attempts: 1, ...BOB };
    const given = own.map((approval) =>
      call('answerChunk', { batchId: 'doubtful', answer: { ...answer, approval } }),
    );
    return [...given, ...given, sending('doubtful')];
  },
  'plans a batch with findings accepted in the name of alice': () => [
    call('planBatch', {
      ...inputOf('fresh'),
      options: { ...OPTIONS, accept: ['ADDRESS_TWICE', 'SAME_FILE_AGAIN'] },
    }),
  ],
  'starts a run of a schedule in the name of alice': () => [
    call('claimRuns', {
      scheduleId: 'rent',
      startAt: null,
      demand: { nominal: '2026-11-23T09:00', by: 'alice', reason: 'now' },
    }),
    call('claimRuns', {
      scheduleId: 'nothing',
      startAt: null,
      demand: { nominal: '2026-11-23T09:00', by: 'alice', reason: 'now' },
    }),
  ],
  'lifts a hold by what people signed, with words of its own': () =>
    ofScene('liftable', 'approve')
      .filter(({ reason }) => reason !== '')
      .map((approval) =>
        call('resumeBatch', {
          batchId: 'liftable',
          rulesToo: true,
          hold: { n: 1 },
          approval,
          ...MALLORY,
        }),
      ),
  'answers by what people signed, with words of its own': () =>
    ofScene('answered', 'not-created').map((approval) =>
      call('answerChunk', {
        batchId: 'answered',
        answer: { chunk: 0, answer: 'not-created', attempts: 1, approval, ...MALLORY },
      }),
    ),
  'abandons by what bob signed, with words of its own': () =>
    ofScene('answered', 'abandon').map((approval) =>
      call('answerChunk', {
        batchId: 'answered',
        answer: { chunk: 0, answer: 'abandon', approval, ...MALLORY },
      }),
    ),
  'starts a signed run with words of its own, and asks for it again': () =>
    ['one', 'two', 'three'].map((rogue) => ({
      ...call('claimRuns', {
        scheduleId: 'rent',
        startAt: null,
        demand: { nominal: demandedRun(), submission: signedDemand(), ...MALLORY, by: 'alice' },
      }),
      workflowId: rogue,
    })),
  'ends a batch as rejected after a create': () => [ending('paying', 'FINDINGS_BLOCK')],
  'ends a batch as refused after a create': () => [ending('paying', 'REFUSED_BY_APPROVER')],
  'ends a batch that ended, once more': () => [ending('ended', 'FINDINGS_BLOCK')],
  'cancels in the name of bob, and sends what was canceled': () => [
    call('noteCancel', { batchId: 'paying', ...BOB }),
    sending('canceled'),
  ],
};

it.each(Object.keys(ATTACKS))('breaks no law: who reaches Temporal %s', async (name) => {
  expect(await attack(scene, ATTACKS[name]?.() ?? [])).toEqual([]);
});

it('a pause keeps back a create that waits for its turn', async () => {
  const hold = { kind: 'PAUSE', reason: 'wait', by: 'alice', facts: {} } as const;
  const world = await openCopy(scene);
  world.attacked.how.onPace = () => world.store.holds.put('paying', hold, Date.now());
  const { name, input } = sending('paying', 1);
  expect(await world.call(name, input)).toMatchObject({ result: { kind: 'held' } });
  expect(world.attacked.state.creates).toEqual(scene.service.creates);
  await world.close();
});

it('no batch ends before its balance was compared, though its workflow is left out', async () => {
  const world = await openCopy(scene);
  const { name, input } = sending('paying', 1);
  await world.call(name, input);
  for (const key of world.attacked.state.creates) world.attacked.settle(key, 'COMPLETED');
  world.attacked.how.balance = '1';
  await world.call('sweepChunks', { batchId: 'paying', chunks: [0, 1] });
  const end = { batchId: 'paying', unsentReason: null, canceled: false, error: null };
  expect(await world.call('reportBatch', end)).toMatchObject({
    error: { type: 'BALANCE_DIFFERS', nonRetryable: false },
  });
  // A top-up of what is missing does not undo what was seen.
  world.attacked.how.balance = '1000000';
  expect(await world.call('reportBatch', end)).toMatchObject({
    error: { type: 'BALANCE_DIFFERS' },
  });
  const [hold] = await world.store.holds.open('paying');
  expect([(await world.store.batches.find('paying'))?.endState, hold?.kind]).toEqual([
    ...[null, 'BALANCE'],
  ]);
  await world.close();
});

it('no plan is made, and nothing is paid, of a batch that its submitter did not sign', async () => {
  const world = await openCopy(scene);
  const batchId = 'unsigned';
  const submission = statementBy('bob', submissionOfUnsigned(), { decision: 'submit' });
  await world.call('ingestFile', { ...inputOf(batchId), submittedBy: 'mallory', submission });
  const input = { ...inputOf(batchId), submittedBy: 'mallory' };
  expect(await world.call('planBatch', input)).toMatchObject({
    result: { kind: 'refused', error: { code: 'SUBMIT_UNSIGNED' } },
  });
  expect(await world.store.batches.find(batchId)).toMatchObject({ digest: null });
  const subject = 'sha256:none';
  for (const person of ['bob', 'carol']) {
    const approval = statementBy(person, { batchId, subject }, { issuedMs: Date.now() });
    await world.call('recordApproval', { batchId, approval, hold: null });
  }
  for (const step of ['quoteFees', 'checkFunds', 'releaseBatch'] as const) {
    await world.call(step, { batchId });
  }
  await world.call('sendChunk', { ...(sending(batchId).input as object), digest: subject });
  expect(world.attacked.state.creates).toEqual(scene.service.creates);
  await world.close();
});

/** Bob signs a submit that names alice: he is not who submitted the batch. */
function submissionOfUnsigned() {
  const { file, options, ...input } = inputOf('unsigned') ?? { file: { sha256: '' }, options: {} };
  const about = { accountRef: 'main', generation: 0, parentBatchId: null, ...input };
  return submissionSubject({
    ...about,
    batchId: 'unsigned',
    fileSha256: file.sha256,
    optionsJson: JSON.stringify(options),
  });
}
