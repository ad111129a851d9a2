import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Resolve } from '../../src/contract/messages.ts';
import { type ChunkAnswer, questionOfAnswer } from '../../src/domain/approval/answer.ts';
import type { AttackedWorld } from './support/attacked-world.ts';
import { statementBy } from './support/statements.ts';
import { openCopy, type Scene, setTheScene } from './support/victims.ts';

const BATCH_ID = 'doubtful';
const PAYOUT_ID = 'mp-lost';
const BY_BOB = { by: 'bob', reason: 'as agreed' };

let scene: Scene;
beforeAll(async () => {
  scene = await setTheScene();
});

const ANSWERS = {
  abandon: { chunk: 0, answer: 'abandon', ...BY_BOB },
  adopt: { chunk: 0, answer: 'adopt', massPayoutId: PAYOUT_ID, ...BY_BOB },
} satisfies Record<string, Resolve>;

type Kind = keyof typeof ANSWERS;

/** A copy of the scene, in which the service has a mass payout that can be adopted for the chunk in doubt. */
async function doubtfulWorld() {
  const world = await openCopy(scene);
  const { idempotencyKey } = await world.store.chunks.get(BATCH_ID, 0);
  const payout = {
    id: PAYOUT_ID,
    state: 'CONFIRMED',
    idempotencyKey,
    withdrawalErrors: [],
    unreadableParts: [],
  };
  world.attacked.state.payouts.push(payout);
  const ref = { batchId: BATCH_ID, chunk: 0, idempotencyKey };
  return { world, ref };
}

type About = Partial<Readonly<{ chunk: number; attempts: number; massPayoutId: string }>>;

/** What a person signs who gives an answer. */
async function subjectOf(world: AttackedWorld, kind: Kind, about: About = {}) {
  const { chunk = 0, attempts = 1, massPayoutId = PAYOUT_ID } = about;
  const batch = await world.store.batches.find(BATCH_ID);
  const { idempotencyKey } = await world.store.chunks.get(BATCH_ID, chunk);
  if (batch === undefined) throw new Error('no batch');
  const of = { chunk, idempotencyKey };
  const given: ChunkAnswer =
    kind === 'adopt'
      ? { ...of, answer: 'adopt', massPayoutId }
      : { ...of, answer: 'abandon', attempts };
  return { batchId: BATCH_ID, subject: questionOfAnswer(batch, given)?.subject ?? '' };
}

/** Whether an answer for the chunk is stored, and whether the log has one. */
async function stored(
  { store }: AttackedWorld,
  ref: Awaited<ReturnType<typeof doubtfulWorld>>['ref'],
) {
  const { answer } = await store.sends.record(ref);
  const entries = await store.audit.list({
    afterSeq: scene.entries,
    without: ['head'],
    limit: 1_000,
  });
  return { answer: answer?.kind, entries: entries.map(({ action }) => action) };
}

describe.each(Object.keys(ANSWERS) as Kind[])('an answer to %s', (kind) => {
  const decision = kind;

  it.each<[string, string, About, Parameters<typeof statementBy>[2], string]>([
    ['that eve signed as bob', 'bob', {}, { signer: 'eve' }, 'APPROVAL_FORGED'],
    ['that a stranger signed', 'eve', {}, {}, 'APPROVER_UNKNOWN'],
    ['that bob signed for another chunk', 'bob', { chunk: 1 }, {}, 'APPROVAL_FOR_ANOTHER'],
    [
      'that bob signed for other facts',
      'bob',
      { attempts: 2, massPayoutId: 'mp-1' },
      {},
      'APPROVAL_FOR_ANOTHER',
    ],
    [
      'that bob signed as another decision',
      'bob',
      {},
      { decision: 'not-created' },
      'APPROVAL_FOR_ANOTHER',
    ],
    ['that has lapsed', 'bob', {}, { lastsMs: 1_000 }, 'APPROVAL_EXPIRED'],
  ])('%s changes nothing', async (_what, person, about, how, code) => {
    const { world, ref } = await doubtfulWorld();
    const subject = await subjectOf(world, kind, about);
    const approval = statementBy(person, subject, { decision, ...how });
    const answer = { ...ANSWERS[kind], approval };
    expect(await world.call('answerChunk', { batchId: BATCH_ID, answer })).toMatchObject({
      result: { kind: 'refused', error: { code } },
    });
    expect(await stored(world, ref)).toEqual({ answer: undefined, entries: [] });
    await world.close();
  });

  it('without a statement changes nothing', async () => {
    const { world, ref } = await doubtfulWorld();
    const answer = ANSWERS[kind];
    expect(await world.call('answerChunk', { batchId: BATCH_ID, answer })).toMatchObject({
      result: { kind: 'refused', error: { code: 'ANSWER_UNSIGNED' } },
    });
    expect(await stored(world, ref)).toEqual({ answer: undefined, entries: [] });
    await world.close();
  });

  it('that bob signed counts', async () => {
    const { world, ref } = await doubtfulWorld();
    const approval = statementBy('bob', await subjectOf(world, kind), { decision });
    const answer = { ...ANSWERS[kind], approval };
    expect(await world.call('answerChunk', { batchId: BATCH_ID, answer })).toEqual({
      result: { missing: [] },
    });
    expect(await stored(world, ref)).toEqual({ answer: kind, entries: [kind, 'resolve'] });
    await world.close();
  });
});
