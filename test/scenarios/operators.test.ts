import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { TestAddressCode } from '../../packages/sandbox/src/test-addresses.ts';
import { fatedRowMaker } from '../support/fated-rows.ts';
import { type Answer, type Operators, operatorsOf, totalOf } from '../support/operators.ts';
import { QUICK_FENCE } from '../support/quick-fence.ts';
import { sandboxControl } from '../support/sandbox-control.ts';
import { bobApproves, writeKeyFiles } from '../support/signing-people.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { startTestStack, type TestStack } from '../support/test-stack.ts';

jest.setTimeout(600_000);

const PAID: TestAddressCode[] = ['0000', '0000'];
/** The canary is not all paid, so that the batch is held while it pays. */
const HELD: TestAddressCode[] = ['0000', '0001', ...PAID, ...PAID];

let stack: TestStack;
let operators: Operators;
const newRows = fatedRowMaker('USDT_TRC20');
const approvedRows = fatedRowMaker('USDC_ERC20');

beforeAll(async () => {
  const env = { ...bobApproves('USDC_ERC20'), ...QUICK_FENCE, BURSAR_API_RESEND: 'operator' };
  stack = await startTestStack({
    folder: sharedFolder(),
    env: { ...env, BURSAR_BATCH_CHUNK_ROWS: '2' },
  });
  operators = await operatorsOf(stack);
  writeKeyFiles(stack.folder);
});
afterAll(async () => {
  await operators.close();
  await stack.stop();
});

const begin: Operators['begin'] = (...given) => operators.begin(...given);
const nextYear = (): string => new Date(Date.now() + 365 * 86_400_000).toISOString();
const because = ['--reason', 'I say so'];
const DONE: Answer = [0, undefined];

/** Whether an answer is one of the errors that the later of two people may get; each has the exit code 2. */
const isLate = ([code, error]: Answer, errors: readonly string[]): boolean =>
  code === 2 && errors.includes(String(error));

/** What was stopped for good, whether it has its report already or not. */
const STOPPED = ['BATCH_STOPPED', 'BATCH_ENDED'];

describe('two operators at the same moment', () => {
  it('resume and pause: it is paused in the end exactly when the pause was taken', async () => {
    const batch = await begin(newRows(PAID), { flags: ['--at', nextYear()] });
    await batch.isIn('SCHEDULED');
    await batch.tell('pause', 'the bank called');
    const [resume, pause] = await Promise.all([
      batch.askAs('ann', 'resume', ...because),
      batch.askAs('bob', 'pause', ...because),
    ]);
    expect(resume).toEqual(DONE);
    const { holds } = await batch.status();
    if (isLate(pause, ['ALREADY_PAUSED'])) expect(holds).toEqual([]);
    else {
      expect(pause).toEqual(DONE);
      expect(holds).toMatchObject([{ kind: 'PAUSE', by: 'bob' }]);
    }
    await batch.tell('cancel', 'the test is over');
    expect((await batch.watch()).code).toBe(12);
    expect(await batch.sent()).toEqual([]);
  });

  it('cancel and resume the hold of a rule: the batch ends, no row is paid twice, and the later command is refused', async () => {
    const batch = await begin(newRows(HELD), { flags: ['--canary', '2'] });
    await batch.isHeld('CANARY');
    const [cancel, resume] = await Promise.all([
      batch.askAs('ann', 'cancel', ...because),
      batch.askAs('bob', 'resume', ...because),
    ]);
    const { state } = await batch.watch();
    const outcomes = await batch.outcomes();
    expect(outcomes.slice(0, 2)).toEqual(['PAID', 'FAILED']);
    if (isLate(cancel, ['BATCH_ENDED'])) return expect([resume, state]).toEqual([DONE, 'PARTIAL']);
    expect([cancel, state]).toEqual([DONE, 'CANCELED']);
    if (!isLate(resume, STOPPED)) return expect(resume).toEqual(DONE);
    if (resume[1] === 'BATCH_STOPPED') {
      expect(await batch.acts()).toContain('bob (unsigned) resume-rejected');
    }
    expect(outcomes.slice(2)).toEqual(['NOT_SENT', 'NOT_SENT', 'NOT_SENT', 'NOT_SENT']);
  });

  it('approve and cancel: the first act counts, and the later one is refused', async () => {
    const rows = approvedRows(PAID);
    const batch = await begin(rows);
    await batch.isIn('AWAITING_APPROVAL');
    const [approve, cancel] = await Promise.all([
      batch.approve('bob', totalOf(rows)),
      batch.askAs('ann', 'cancel', ...because),
    ]);
    const { state } = await batch.watch();
    const outcomes = new Set(await batch.outcomes());
    if (isLate(cancel, ['BATCH_ENDED'])) {
      return expect([approve, state]).toEqual([DONE, 'COMPLETED']);
    }
    expect(cancel).toEqual(DONE);
    if (!isLate(approve, STOPPED)) return expect(approve).toEqual(DONE);
    expect([state, outcomes]).toEqual(['CANCELED', new Set(['NOT_SENT'])]);
  });

  it('opposite answers for a chunk: one is taken, and the audit log has the other', async () => {
    const batch = await inDoubt();
    const answers = ['not-created', 'abandon'] as const;
    const ends = await Promise.all(
      answers.map((answer) => batch.askAs(`says-${answer}`, 'resolve', '0', answer, ...because)),
    );
    const won = ends.findIndex(([code]) => code === 0);
    expect(ends).toContainEqual(DONE);
    expect(ends).toContainEqual([2, 'CHUNK_NOT_WAITING']);
    await batch.watch();
    const outcome = won === 0 ? 'PAID' : 'UNKNOWN';
    expect(await batch.outcomes()).toEqual([outcome, outcome]);
    expect(await batch.sent()).toHaveLength(won === 0 ? 2 : 0);
    expect(await batch.acts()).toEqual(
      expect.arrayContaining([
        `says-${answers[won]} (unsigned) resolve`,
        `says-${answers[1 - won]} (unsigned) resolve-rejected`,
      ]),
    );
  });
});

/** A batch of one chunk whose create was lost on its way, and that asks an operator. */
async function inDoubt() {
  const { fault } = sandboxControl(stack.sandboxUrl);
  await fault({ target: 'MASS_CREATE', kind: 'drop-before', next: 1 });
  const batch = await begin(newRows(PAID));
  expect((await batch.watch()).code).toBe(14);
  return batch;
}

const resolve = (chunk: string) => ['resolve', chunk, 'abandon', ...because];
const [pause, resume] = ['pause', 'resume'].map((word) => [word, ...because]);
const approve = ['approve', '--key', 'bob.key', '--confirm', '1:BTC'];
const resend = ['resend', '--confirm-not-paid-elsewhere', '--yes'];
/** What `cancel` is told, and `resume` where it is not, is what `pause` is told: one function asks for all three. */
const SOME = [resolve('0'), pause, approve];

describe('a command that the state of its batch does not allow changes nothing, and names the next step, when the batch', () => {
  it.each<
    [string, () => Promise<string>, readonly (readonly [string[] | undefined, number, string])[]]
  >([
    [
      'is not known',
      async () => 'nobody',
      [...SOME, resend].map((words) => [words, 5, 'BATCH_NOT_FOUND']),
    ],
    ['was canceled', canceled, SOME.map((words) => [words, 2, 'BATCH_ENDED'])],
    [
      'waits for an operator',
      async () => (await inDoubt()).batchId,
      [
        [resolve('1'), 2, 'CHUNK_NOT_WAITING'],
        [resolve('1000'), 2, 'CHUNK_NOT_WAITING'],
        [resume, 2, 'NOT_HELD'],
        [approve, 2, 'APPROVAL_NOT_NEEDED'],
        [resend, 2, 'BATCH_OPEN'],
      ],
    ],
    [
      'waits for its time',
      scheduled,
      [
        [resolve('0'), 2, 'CHUNK_NOT_WAITING'],
        [resume, 2, 'NOT_HELD'],
        [approve, 2, 'APPROVAL_NOT_NEEDED'],
        [resend, 2, 'BATCH_OPEN'],
      ],
    ],
    [
      'waits for approval',
      awaitingApproval,
      [
        [resolve('0'), 2, 'CHUNK_NOT_WAITING'],
        [resume, 2, 'NOT_HELD'],
        [approve, 3, 'CONFIRMATION_WRONG'],
        [resend, 2, 'BATCH_OPEN'],
      ],
    ],
    [
      'is paused while it pays',
      pausedWhilePaying,
      [
        [resolve('0'), 2, 'CHUNK_NOT_WAITING'],
        [pause, 2, 'ALREADY_PAUSED'],
        [resume, 2, 'HOLD_UNCLEAR'],
        [approve, 2, 'APPROVAL_NOT_NEEDED'],
        [resend, 2, 'BATCH_OPEN'],
      ],
    ],
  ])('%s', async (_state, make, table) => {
    const batchId = await make();
    const before = await stack.json('status', batchId);
    const found = await Promise.all(
      table.map(async ([words = []]) => {
        const [command = '', ...more] = words;
        const { code, value } = await stack.json(command, batchId, ...more);
        return [words, code, value['code'], value['fix']];
      }),
    );
    expect(found).toEqual(table.map((line) => [...line, expect.stringMatching(/\S{3}/)]));
    expect(await stack.json('status', batchId)).toEqual(before);
  });
});

async function scheduled(): Promise<string> {
  const batch = await begin(newRows(PAID), { flags: ['--at', nextYear()] });
  await batch.isIn('SCHEDULED');
  return batch.batchId;
}

async function canceled(): Promise<string> {
  const batchId = await scheduled();
  const batch = operators.hand(batchId, []);
  await batch.tell('cancel', 'not this year');
  expect((await batch.watch()).code).toBe(12);
  return batchId;
}

async function awaitingApproval(): Promise<string> {
  const batch = await begin(approvedRows(PAID));
  await batch.isIn('AWAITING_APPROVAL');
  return batch.batchId;
}

async function pausedWhilePaying(): Promise<string> {
  const batch = await begin(newRows(HELD), { flags: ['--canary', '2'] });
  await batch.isHeld('CANARY');
  expect(await batch.tell('pause', 'the bank called')).toEqual(DONE);
  await batch.isIn('PAYING');
  return batch.batchId;
}
