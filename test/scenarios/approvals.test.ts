import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import type { Approval } from '../../src/domain/approval/statement.ts';
import { batchWorkflowId, UPDATE_APPROVE } from '../../src/contract/names.ts';
import { isoOf, keyOf, publicKeyOf, signed } from '../support/approvers.ts';
import { eventually } from '../support/eventually.ts';
import { expectExactlyOnce } from '../support/exactly-once.ts';
import { readReport, requestCount } from '../support/oracle.ts';
import { sampleRows, writeSample } from '../support/sample-file.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { sharedTemporal } from '../support/temporal/shared-temporal.ts';
import { newBatchId, startTestStack, type TestStack } from '../support/test-stack.ts';

jest.setTimeout(600_000);

const HOUR_MS = 3_600_000;
const NAMES = ['alice', 'bob', 'carol', 'dave'];
/** Two of finance, one of them the cfo, for anything above 1. Alice submits. */
const POLICY = {
  BURSAR_OPERATOR_NAME: 'alice',
  BURSAR_OPERATOR_KEY_FILE: 'alice.key',
  BURSAR_APPROVAL_EXPIRES_AFTER_MS: String(HOUR_MS),
  BURSAR_APPROVAL_TIERS: JSON.stringify([
    { above: '1', approvals: 2, roles: ['finance'], must_include: ['cfo'] },
  ]),
  BURSAR_APPROVAL_PEOPLE: JSON.stringify(
    NAMES.map((name) => ({
      name,
      public_key: publicKeyOf(name),
      roles: name === 'dave' ? ['it'] : name === 'carol' ? ['finance', 'cfo'] : ['finance'],
    })),
  ),
};

let stack: TestStack;

/** Starts a stack in which alice submits, and everybody has a key. */
async function start(more: Readonly<Record<string, string>> = {}): Promise<void> {
  stack = await startTestStack({ folder: sharedFolder(), env: { ...POLICY, ...more } });
  for (const name of [...NAMES, 'eve']) {
    const pem = keyOf(name).export({ type: 'pkcs8', format: 'pem' });
    writeFileSync(join(stack.folder, `${name}.key`), pem, { mode: 0o600 });
  }
}

const rows = sampleRows({ rows: 6, currencies: ['USDT_TRC20'] });

/** Submits the file; it then waits for its approvers. */
async function submitted(...flags: string[]) {
  const batchId = newBatchId();
  const file = join(stack.folder, `${batchId}.csv`);
  writeSample(file, rows);
  const before = await requestCount(stack.sandboxUrl, 'MASS_CREATE');
  const accept = ['--accept', 'SAME_FILE_AGAIN', ...flags];
  const { code } = await stack.bursar(
    'submit',
    file,
    '--id',
    batchId,
    '--yes',
    '--detach',
    ...accept,
  );
  expect(code).toBe(8);
  await waits(batchId);
  const { value } = await stack.json('plan', file, '--id', batchId);
  const totals = value['currencies'] as { currency: string; total: string }[];
  const total = totals.map((line) => `${line.total}:${line.currency}`).join(',');
  return {
    batchId,
    dir: join(stack.folder, 'runs', batchId),
    approve: (name: string, ...more: string[]) =>
      stack.json('approve', batchId, '--key', `${name}.key`, '--confirm', total, ...more),
    creates: async () => (await requestCount(stack.sandboxUrl, 'MASS_CREATE')) - before,
    end: () => stack.json('watch', batchId),
  };
}

const waits = (batchId: string) =>
  eventually(`${batchId} waits for approvers`, async () => {
    const { value } = await stack.json('status', batchId);
    return value['state'] === 'AWAITING_APPROVAL' ? value : undefined;
  });

const actions = async (batchId: string): Promise<unknown[]> => {
  const { code, value } = await stack.json('audit', batchId);
  expect([code, value['whole']]).toEqual([0, true]);
  return (value['entries'] as { action: string }[]).map(({ action }) => action);
};

/** Goes to the batch by another door than the command line. */
async function throughTemporal(batchId: string, approval: Approval): Promise<string> {
  const { address, namespace } = sharedTemporal();
  const connection = await Connection.connect({ address });
  const client = new Client({ connection, namespace });
  try {
    const handle = client.workflow.getHandle(batchWorkflowId(batchId));
    await handle.executeUpdate(UPDATE_APPROVE, { args: [{ approval }] });
    return 'taken';
  } catch (error) {
    const { cause } = error as { cause?: { type?: string } };
    return cause?.type ?? String(error);
  } finally {
    await connection.close();
  }
}

describe('a batch above an approval tier', () => {
  beforeAll(() => start());
  afterAll(() => stack.stop());

  it('creates nothing before enough people approved it, after any other tries, and is paid once then', async () => {
    const batch = await submitted();
    const codes = async (name: string, ...more: string[]) => {
      const { code, value } = await batch.approve(name, ...more);
      return [code, value['code']];
    };
    expect(await codes('alice')).toEqual([4, 'APPROVAL_BY_SUBMITTER']);
    expect(await codes('dave')).toEqual([4, 'APPROVER_NOT_ENTITLED']);
    expect(await codes('eve')).toEqual([4, 'APPROVER_UNKNOWN']);
    expect(await codes('eve', '--as', 'bob')).toEqual([4, 'APPROVAL_FORGED']);
    expect((await batch.approve('bob')).code).toBe(0);
    expect(await codes('bob')).toEqual([2, 'APPROVAL_REPEATED']);
    expect(await batch.creates()).toBe(0);

    const { value: inbox } = await stack.json('inbox', '--for', 'carol');
    expect(inbox['items']).toContainEqual(
      expect.objectContaining({ batchId: batch.batchId, waitsFor: ['carol'] }),
    );
    await stack.kill('worker');
    await stack.start('worker');
    expect((await batch.approve('carol', '--reason', 'as agreed')).value).toMatchObject({
      missing: [],
    });
    expect((await batch.end()).code).toBe(0);
    await expectExactlyOnce(stack.sandboxUrl, batch.dir, rows);
    const { approvals } = readReport(batch.dir);
    expect(approvals.mode).toBe('signed');
    expect(approvals.given.map(({ person, proof, reason }) => [person, proof, reason])).toEqual([
      ['bob', 'signed', ''],
      ['carol', 'signed', 'as agreed'],
    ]);
    const done = await actions(batch.batchId);
    expect(done.filter((action) => action === 'approve')).toHaveLength(2);
    expect(done.filter((action) => action === 'approve-rejected')).toHaveLength(5);
    expect((await batch.approve('bob')).value['code']).toBe('BATCH_ENDED');
  });

  it('refuses an approval by any other way, and stores the try', async () => {
    const batch = await submitted();
    const { value } = await stack.json('status', batch.batchId);
    const now = Date.now();
    const statement = {
      batchId: batch.batchId,
      subject: String(value['digest']),
      decision: 'approve' as const,
      person: 'bob',
      reason: '',
      issuedAt: isoOf(now),
      expiresAt: isoOf(now + HOUR_MS),
    };
    const through = (approval: Approval) => throughTemporal(batch.batchId, approval);
    expect(await through(signed(statement, 'eve'))).toBe('APPROVAL_FORGED');
    expect(await through({ ...statement, signature: null })).toBe('APPROVAL_UNSIGNED');
    expect(await through(signed({ ...statement, person: 'alice' }))).toBe('APPROVAL_BY_SUBMITTER');
    expect(await through(signed({ ...statement, expiresAt: isoOf(now - 1) }))).toBe(
      'APPROVAL_EXPIRED',
    );
    expect(await through(signed({ ...statement, expiresAt: isoOf(now + 9 * HOUR_MS) }))).toBe(
      'APPROVAL_TOO_LONG',
    );
    expect(
      await through(
        signed({
          ...statement,
          issuedAt: isoOf(now + HOUR_MS),
          expiresAt: isoOf(now + 2 * HOUR_MS),
        }),
      ),
    ).toBe('APPROVAL_FROM_FUTURE');
    expect(await through(signed({ ...statement, subject: `sha256:${'0'.repeat(64)}` }))).toBe(
      'APPROVAL_FOR_ANOTHER',
    );
    expect(await through({} as Approval)).toBe('APPROVAL_UNREADABLE');
    expect(await batch.creates()).toBe(0);
    const { value: log } = await stack.json('audit', batch.batchId);
    const entries = log['entries'] as { actor: string; action: string; detail: object }[];
    const refused = entries.filter(({ action }) => action === 'approve-rejected');
    expect(refused.map(({ detail }) => (detail as { code?: unknown }).code)).toEqual([
      ...['APPROVAL_FORGED', 'APPROVAL_UNSIGNED', 'APPROVAL_BY_SUBMITTER', 'APPROVAL_EXPIRED'],
      ...['APPROVAL_TOO_LONG', 'APPROVAL_FROM_FUTURE', 'APPROVAL_FOR_ANOTHER'],
    ]);
    expect(new Set(refused.map(({ actor }) => actor))).toEqual(new Set(['Temporal']));
    expect(await through(signed(statement))).toBe('taken');
    expect(await waits(batch.batchId)).toMatchObject({ state: 'AWAITING_APPROVAL' });
    const reason = ['--reason', 'the test is over'];
    expect((await stack.bursar('cancel', batch.batchId, ...reason)).code).toBe(0);
    expect((await batch.end()).code).toBe(12);
  });

  it('ends REFUSED with nothing sent when one approver refuses it, however many approved', async () => {
    const batch = await submitted();
    expect((await batch.approve('bob')).code).toBe(0);
    const refusal = ['--key', 'carol.key', '--reason', 'not our suppliers'];
    expect((await stack.bursar('refuse', batch.batchId, ...refusal)).code).toBe(0);
    const { code, value } = await batch.end();
    expect([code, value['state']]).toEqual([3, 'REFUSED']);
    expect(await batch.creates()).toBe(0);
    expect(readReport(batch.dir).approvals.given.map(({ decision }) => decision)).toEqual([
      'approve',
      'refuse',
    ]);
  });
});

describe('a batch whose approvals hold for a few seconds', () => {
  beforeAll(() => start({ BURSAR_APPROVAL_EXPIRES_AFTER_MS: '15000' }));
  afterAll(() => stack.stop());

  it('waits for the first approver again when theirs lapsed before the last one came', async () => {
    const batch = await submitted();
    const mayApprove = async () => {
      const { value } = await stack.json('inbox');
      const items = value['items'] as { batchId: string; waitsFor: string[] }[];
      return items.find(({ batchId }) => batchId === batch.batchId)?.waitsFor;
    };
    expect((await batch.approve('bob')).code).toBe(0);
    expect(await mayApprove()).toEqual(['carol']);
    await eventually('the approval lapsed', async () =>
      (await mayApprove())?.includes('bob') ? true : undefined,
    );
    const { value } = await batch.approve('carol');
    expect(value['missing']).toEqual(['1 more from finance: bob']);
    expect(await batch.creates()).toBe(0);
    // On a slow machine one may lapse again before the other is there.
    await eventually('it has what it needs', async () => {
      const names = await mayApprove();
      for (const name of names ?? []) await batch.approve(name);
      return names === undefined ? true : undefined;
    });
    expect((await batch.end()).code).toBe(0);
    await expectExactlyOnce(stack.sandboxUrl, batch.dir, rows);
  });
});
