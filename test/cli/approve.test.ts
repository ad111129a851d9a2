import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { decisionsIn } from '../support/decisions.ts';
import type { ApproveInput } from '../../src/contract/messages.ts';
import { holdSubject } from '../../src/domain/approval/question.ts';
import type { Approval } from '../../src/domain/approval/statement.ts';
import { isSignedBy } from '../../src/domain/approval/signature.ts';
import { statementText } from '../../src/domain/approval/statement.ts';
import { noteOf } from '../../src/domain/errors/bursar-error.ts';
import type { Hold } from '../../src/domain/holds/hold.ts';
import {
  approvalBy,
  isoOf,
  NOW_MS,
  person,
  policyOf,
  publicKeyOf,
  tier,
} from '../support/approvers.ts';
import { writeKeyFile } from '../support/signing-people.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { DIGEST, keyFile, TOTALS, worldThatWaits } from './support/approvals.ts';
import { GOOD, withFiles } from './support/files.ts';
import { inStore } from './support/in-store.ts';
import { fakeWorld, type FakeWorld } from './support/fake-world.ts';
import { playEnd } from './support/play.ts';
import { writableDb } from '../../src/store/database/writable.ts';

const HOLD: Hold = {
  n: 2,
  kind: 'STOP_LOSS',
  reason: '6 % of the rows \u001B[31mfailed',
  by: 'the rules of the plan',
  since: '2026-11-21T08:59:00.000Z',
  facts: { settledRows: '60', 'lost:USDT_TRC20': '10' },
};

const FINDINGS = [
  {
    code: 'DUPLICATE_ROW',
    count: 3,
    examples: [{ row: 3, detail: '10 USDT_TRC20 to T1; same as row 2' }],
  },
  { code: 'FIRST_TIME_PAYEE', count: 1, examples: [{ row: 4, detail: '30\u001B' }] },
];

const confirmed = ['--confirm', TOTALS] as const;

/** The approval that reached the batch. */
function sent({ engine }: FakeWorld): Approval {
  const [input, ...more] = engine.updates;
  expect(more).toEqual([]);
  return (input as ApproveInput).approval;
}

const log = (world: FakeWorld) => inStore(world, (store) => decisionsIn(store));

/** The code of the error that a command ended with; what is refused moves nothing, and stands in the audit log. */
async function refusal(world: FakeWorld, ...args: string[]) {
  const { code, value } = await world.json(...args);
  expect(world.engine.updates).toEqual([]);
  const entries = (await log(world)).map(({ actor, action, detail }) => [actor, action, detail]);
  return { code, name: value['code'], entries };
}

describe('bursar approve', () => {
  it('signs the plan on this machine, for as long as the policy allows', async () => {
    const world = await worldThatWaits();
    const key = keyFile(world, 'bob');
    const args = ['--key', key, '--reason', 'as agreed', ...confirmed];
    const { code, value } = await world.json('approve', 'payroll', ...args);
    const approval = sent(world);
    expect(approval).toMatchObject({
      batchId: 'payroll',
      subject: DIGEST,
      decision: 'approve',
      person: 'bob',
      reason: 'as agreed',
      issuedAt: isoOf(NOW_MS),
      expiresAt: isoOf(NOW_MS + 3 * 86_400_000),
    });
    const { signature, ...statement } = approval;
    expect(isSignedBy(publicKeyOf('bob'), statementText(approval), signature ?? '')).toBe(true);
    expect([code, value]).toEqual([
      0,
      {
        schema: 'bursar.approval/v1',
        ...statement,
        signed: true,
        missing: ['1 more from finance: carol'],
      },
    ]);
  });

  it('shows the approved plan, and has a person type the totals', async () => {
    const world = await worldThatWaits({ world: { isTty: true, input: `${TOTALS}\n` } });
    const { code, out, err } = await world.run(
      'approve',
      'payroll',
      '--key',
      keyFile(world, 'bob'),
    );
    expect(code).toBe(0);
    for (const text of [
      'Approve batch payroll?',
      'good.csv, sha256 ',
      'by alice, ',
      '60.50 USDT (TRC20) in 3 rows',
      'at once',
      'your approval  is valid for 3 days\n',
      '2 more from finance: bob, carol',
      DIGEST,
      'Type the amount (60.5) to approve this as bob, or press Enter to stop: ',
    ]) {
      expect(err).toContain(text);
    }
    expect(out).toContain('bob approved batch payroll.\nStill needed: 1 more from finance: carol.');
  });

  it('shows the findings as the plan does, with those that were accepted', async () => {
    const world = await worldThatWaits({ flags: ['--accept', 'DUPLICATE_ROW'] });
    await inStore(world, (store) =>
      writableDb(store)
        .updateTable('batch')
        .set({ findings_json: JSON.stringify(FINDINGS) })
        .execute(),
    );
    const args = ['--key', keyFile(world, 'bob'), ...confirmed];
    const { err } = await world.run('approve', 'payroll', ...args);
    expect(err).toContain(
      [
        'DUPLICATE_ROW (accepted), 3 rows',
        '  Rows pay the same amount in the same currency to the same address as an earlier row. The file',
      ].join('\n'),
    );
    expect(err).toContain(
      '\n  Remove the rows that are not intended. This is accepted already.\n    row 3  10 USDT_TRC20 to T1; same as row 2\n    and 2 more\n',
    );
    expect(err).toContain('FIRST_TIME_PAYEE (for your information), 1 row\n');
    expect(err).toContain('\n    row 4  30\\u{1b}\n');
    expect(err).not.toContain('\u001B');
  });

  it('sends the approval again while a worker is there: Temporal can wait for one that has just died', async () => {
    const world = await worldThatWaits();
    const answer = world.engine.status.bind(world.engine);
    let silences = 0;
    Object.assign(world.engine, {
      status: async (batchId: string) => {
        silences += 1;
        return silences <= 3 ? undefined : answer(batchId);
      },
    });
    const { code } = await world.run(
      'approve',
      'payroll',
      '--key',
      keyFile(world, 'bob'),
      ...confirmed,
    );
    expect([code, sent(world).person]).toEqual([0, 'bob']);
  });

  it('shows whether the account will hold enough', async () => {
    const outlook = 'At 2026-11-21T09:00:00.000Z the account will be 5 USDT_TRC20 short';
    const world = await worldThatWaits({ status: { outlook } });
    const { err } = await world.run('approve', 'payroll', '--key', keyFile(world, 'bob'));
    expect(err).toMatch(
      /funds +At 2026-11-21T09:00:00\.000Z the account will be 5 USDT_TRC20 short/,
    );
  });

  it('warns that the approval lapses before the batch is due', async () => {
    const at = '2026-11-25T09:00:00Z';
    const world = await worldThatWaits({ flags: ['--at', at] });
    const key = keyFile(world, 'bob');
    const { err } = await world.run('approve', 'payroll', '--key', key, ...confirmed);
    expect(err).toContain('2026-11-25 09:00:00 UTC');
    expect(err).toContain('EXPIRES BEFORE the batch is due');
  });

  it.each(['', '60.4:USDT_TRC20', '60.4', '60.5:USDT_ERC20'])(
    'sends nothing when the person types "%s" instead',
    async (typed) => {
      const world = await worldThatWaits({ world: { isTty: true, input: `${typed}\n` } });
      const { code } = await world.run('approve', 'payroll', '--key', keyFile(world, 'bob'));
      expect([code, world.engine.updates]).toEqual([3, []]);
    },
  );

  it('sends nothing without a terminal to confirm at', async () => {
    const world = await worldThatWaits();
    const { code, name, entries } = await refusal(
      world,
      ...['approve', 'payroll', '--key', keyFile(world, 'bob')],
    );
    expect([code, name, entries]).toEqual([2, 'APPROVAL_UNCONFIRMED', []]);
  });

  it('shows how the submitter had the file read', async () => {
    const flags = ['--currency', 'USDT_TRC20', '--decimal-comma', '--ignore-column', 'Salary'];
    const lines = GOOD.trim().split('\n');
    const file = lines.map((line, at) => `${line.replace('10.5', '"10,5"')},${at || 'Salary'}\n`);
    const cwd = withFiles(temporaryFolder(), { 'good.csv': file.join('') });
    const world = await worldThatWaits({ flags, world: { cwd } });
    const key = keyFile(world, 'bob');
    const { err } = await world.run('approve', 'payroll', '--key', key, ...confirmed);
    expect(err).toMatch(/column +Salary is not read\n/);
    expect(err).toMatch(/amounts +a comma divides decimals\n/);
    expect(err).toMatch(/currency +USDT_TRC20 where a row names none\n/);
  });

  it('reports that no approval is missing any more', async () => {
    const world = await worldThatWaits({
      status: { approval: { subject: DIGEST, missing: [], given: [] } },
    });
    const key = keyFile(world, 'bob');
    const { out } = await world.run('approve', 'payroll', '--key', key, ...confirmed);
    expect(out).not.toContain('missing');
  });

  it.each<{ what: string; args: string[]; key?: string; code: number; name: string; who: string }>`
    what                              | args                  | key        | code | name                       | who
    ${'of somebody who is not known'} | ${[]}                 | ${'eve'}   | ${4} | ${'APPROVER_UNKNOWN'}      | ${publicKeyOf('eve')}
    ${'in the name of somebody else'} | ${['--as', 'carol']}  | ${'bob'}   | ${4} | ${'APPROVAL_FORGED'}       | ${'carol'}
    ${'of the submitter'}             | ${[]}                 | ${'alice'} | ${4} | ${'APPROVAL_BY_SUBMITTER'} | ${'alice'}
    ${'of somebody without the role'} | ${[]}                 | ${'dave'}  | ${4} | ${'APPROVER_NOT_ENTITLED'} | ${'dave'}
    ${'without a key'}                | ${['--as', 'bob']}    | ${''}      | ${2} | ${'APPROVAL_UNSIGNED'}     | ${'bob'}
    ${'under a name that is none'}    | ${['--as', 'nobody']} | ${''}      | ${4} | ${'APPROVER_UNKNOWN'}      | ${'nobody'}
  `('refuses an approval $what: $name', async ({ args, key, code, name, who }) => {
    const world = await worldThatWaits();
    const keyArgs = key ? ['--key', keyFile(world, key)] : [];
    expect(await refusal(world, 'approve', 'payroll', ...keyArgs, ...args, ...confirmed)).toEqual({
      code,
      name,
      entries: [['alice (unsigned)', 'approve-rejected', { code: name, person: who }]],
    });
  });

  it('refuses a second approval of the same person', async () => {
    const world = await worldThatWaits();
    await inStore(world, (store) =>
      store.approvals.add(approvalBy('bob', { subject: DIGEST }), NOW_MS),
    );
    const key = keyFile(world, 'bob');
    const { code, name } = await refusal(world, 'approve', 'payroll', '--key', key, ...confirmed);
    expect([code, name]).toEqual([2, 'APPROVAL_REPEATED']);
  });

  it('prints the refusal that the batch records, with the person who sent the approval', async () => {
    const world = await worldThatWaits();
    world.engine.refusal = noteOf('APPROVAL_EXPIRED', { expiresAt: 'then', now: 'now' });
    const key = keyFile(world, 'bob');
    const { code, value } = await world.json('approve', 'payroll', '--key', key, ...confirmed);
    expect([code, value['code']]).toEqual([2, 'APPROVAL_EXPIRED']);
    expect(world.engine.updates).toMatchObject([{ by: 'alice', approval: { person: 'bob' } }]);
    expect(await log(world)).toEqual([]);
  });

  it('stores itself that the batch has ended meanwhile', async () => {
    const world = await worldThatWaits();
    world.engine.refusal = noteOf('BATCH_ENDED', { batchId: 'payroll', state: 'CANCELED' });
    const key = keyFile(world, 'bob');
    await world.run('approve', 'payroll', '--key', key, ...confirmed);
    expect(await log(world)).toMatchObject([
      {
        actor: 'alice (unsigned)',
        action: 'approve-rejected',
        detail: { code: 'BATCH_ENDED', person: 'bob' },
      },
    ]);
  });

  it.each<{ what: string; more: Parameters<typeof worldThatWaits>[0] }>`
    what                                            | more
    ${'the plan needs no approval'}                 | ${{ policy: null, status: { approval: null } }}
    ${'the totals lie below every tier'}            | ${{ policy: policyOf({ tiers: [tier(1, { above: '60.5' })] }) }}
    ${'it is approved already'}                     | ${{ status: { state: 'PAYING', approval: null } }}
    ${'an older worker tells nothing of approvals'} | ${{ status: { approval: undefined } as object }}
  `('says so when $what', async ({ more }) => {
    const world = await worldThatWaits(more);
    const key = keyFile(world, 'bob');
    const { code, name, entries } = await refusal(
      world,
      'approve',
      'payroll',
      '--key',
      key,
      ...confirmed,
    );
    expect([code, name]).toEqual([2, 'APPROVAL_NOT_NEEDED']);
    expect(entries).toHaveLength(1);
  });

  it('signs nothing when the batch calls another plan by its name than the store does', async () => {
    const world = await worldThatWaits({
      status: { approval: { subject: 'sha256:swapped', missing: [], given: [] } },
    });
    const words = ['approve', 'payroll', '--key', keyFile(world, 'bob'), ...confirmed];
    expect(await refusal(world, ...words)).toEqual({
      code: 2,
      name: 'APPROVAL_FOR_ANOTHER',
      entries: [
        ['alice (unsigned)', 'approve-rejected', { code: 'APPROVAL_FOR_ANOTHER', person: null }],
      ],
    });
  });

  it('approves that a batch goes on after a hold, and shows the reason of the hold', async () => {
    const world = await worldThatWaits({ status: { state: 'PAYING', holds: [HOLD] } });
    const key = keyFile(world, 'bob');
    const { code, err } = await world.run('approve', 'payroll', '--key', key, ...confirmed);
    expect(code).toBe(0);
    expect(sent(world).subject).toBe(holdSubject(DIGEST, HOLD));
    expect(err).toContain('Let batch payroll continue?');
    expect(err).toContain('stop loss since 2026-11-21 08:59:00 UTC, by the rules of the plan');
    expect(err).toContain('6 % of the rows \\u{1b}[31mfailed');
    expect(err).toMatch(/settled rows +60\n +lost +10\.00 USDT \(TRC20\)/);
  });

  it.each<{ mode: number; name: string }>`
    mode     | name
    ${0o644} | ${'KEY_FILE_OPEN'}
    ${0o600} | ${'KEY_FILE_UNREADABLE'}
  `('sends nothing with a key file that is $name', async ({ mode, name }) => {
    const world = await worldThatWaits();
    const file = mode === 0o600 ? 'keys/none.key' : keyFile(world, 'bob', mode);
    const { code, name: found } = await refusal(
      world,
      'approve',
      'payroll',
      '--key',
      file,
      ...confirmed,
    );
    expect([code, found]).toEqual([2, name]);
  });

  it('needs a batch, a worker and Temporal', async () => {
    const world = await worldThatWaits();
    const run = async () => {
      const key = keyFile(world, 'bob');
      const { code, value } = await world.json('approve', 'payroll', '--key', key, ...confirmed);
      return [code, value['code']];
    };
    world.engine.workers = false;
    expect(await run()).toEqual([6, 'WORKER_SILENT']);
    world.engine.isDown = true;
    expect(await run()).toEqual([6, 'TEMPORAL_UNREACHABLE']);
    await inStore(world, (store) => playEnd(store, 'payroll', { state: 'REFUSED' }));
    expect(await run()).toEqual([2, 'BATCH_ENDED']);
    const empty = fakeWorld({ cwd: temporaryFolder() });
    expect((await empty.json('approve', 'nosuch')).value['code']).toBe('BATCH_NOT_FOUND');
    expect((await empty.json('approve', '../x')).value['code']).toBe('BATCH_ID_INVALID');
  });
});

describe('bursar approve where approvals are unsigned', () => {
  const policy = policyOf({
    mode: 'unsigned',
    people: ['alice', 'bob', 'carol'].map((name) => person(name, ['finance'], { publicKey: null })),
  });

  it('takes a name, and warns that it proves nothing', async () => {
    const world = await worldThatWaits({ policy });
    const { code, err } = await world.run('approve', 'payroll', '--as', 'bob', ...confirmed);
    expect(code).toBe(0);
    expect(sent(world)).toMatchObject({ person: 'bob', signature: null });
    expect(err).toContain('Approvals are UNSIGNED');
  });

  it('takes the name of this machine when none is given, and its setting before that of the user', async () => {
    const world = await worldThatWaits({
      policy,
      world: { env: { BURSAR_OPERATOR_NAME: 'carol' } },
    });
    expect(world.engine.started[0]?.submittedBy).toBe('carol');
    expect((await world.json('approve', 'payroll', ...confirmed)).value['code']).toBe(
      'APPROVAL_BY_SUBMITTER',
    );
    expect((await world.run('approve', 'payroll', '--as', 'alice', ...confirmed)).code).toBe(0);
    expect((await log(world)).map(({ actor }) => actor)).toEqual(['carol (unsigned)']);
  });
});

describe('bursar refuse', () => {
  it('signs a refusal with its reason, without a question', async () => {
    const world = await worldThatWaits();
    const args = ['--key', keyFile(world, 'bob'), '--reason', 'not our suppliers'];
    const { code, value } = await world.json('refuse', 'payroll', ...args);
    const approval = sent(world);
    expect(approval).toMatchObject({
      decision: 'refuse',
      person: 'bob',
      reason: 'not our suppliers',
    });
    expect(isSignedBy(publicKeyOf('bob'), statementText(approval), approval.signature ?? '')).toBe(
      true,
    );
    expect([code, value['decision'], value['missing']]).toEqual([0, 'refuse', []]);
  });

  it('needs a reason', async () => {
    const world = await worldThatWaits();
    const { code } = await world.run('refuse', 'payroll', '--key', keyFile(world, 'bob'));
    expect([code, world.engine.updates]).toEqual([2, []]);
  });

  it('is for others than the submitter, who can cancel', async () => {
    const world = await worldThatWaits();
    const args = ['--key', keyFile(world, 'alice'), '--reason', 'x'];
    expect(await refusal(world, 'refuse', 'payroll', ...args)).toEqual({
      code: 4,
      name: 'APPROVAL_BY_SUBMITTER',
      entries: [
        ['alice (unsigned)', 'refuse-rejected', { code: 'APPROVAL_BY_SUBMITTER', person: 'alice' }],
      ],
    });
  });
});

describe('bursar submit', () => {
  const toml = (people: readonly string[]) => ({
    BURSAR_APPROVAL_TIERS: '[{"approvals":1}]',
    BURSAR_APPROVAL_PEOPLE: JSON.stringify(
      people.map((name) => ({ name, public_key: publicKeyOf(name) })),
    ),
  });

  it('refuses a batch that no person could approve, and takes one that another person can', async () => {
    await expect(worldThatWaits({ world: { env: toml(['alice']) } })).rejects.toThrow(
      'nothing was started',
    );
    const both = toml(['alice', 'bob']);
    await expect(worldThatWaits({ world: { env: both } })).rejects.toThrow('nothing was started');
    const folder = temporaryFolder();
    writeKeyFile(folder, 'alice');
    const env = { ...both, BURSAR_OPERATOR_KEY_FILE: join(folder, 'alice.key') };
    const { engine } = await worldThatWaits({ world: { env } });
    expect(engine.started).toMatchObject([
      { submittedBy: 'alice', submission: { person: 'alice', decision: 'submit' } },
    ]);
  });
});
