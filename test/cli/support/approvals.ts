import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { BatchStatus } from '../../../src/contract/status.ts';
import type { ApprovalPolicy } from '../../../src/domain/approval/policy.ts';
import { subjectOf } from '../../../src/domain/approval/question.ts';
import { ruleHoldOf } from '../../../src/domain/holds/hold.ts';
import { keyOf, policyOf, setPolicy } from '../../support/approvers.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { liveStatus } from './fake-engine.ts';
import { type FakeWorld, fakeWorld, type WorldOptions } from './fake-world.ts';
import { GOOD, withFiles } from './files.ts';
import { playPlan } from './play.ts';
import { inStore } from './in-store.ts';

/** The digest that a played plan has. */
export const DIGEST = 'sha256:worker';
export const TOTALS = '60.5:USDT_TRC20';

export type Waiting = Readonly<{
  policy?: ApprovalPolicy | null;
  status?: Partial<BatchStatus>;
  world?: Partial<WorldOptions>;
  /** More flags of the submission. */
  flags?: readonly string[];
}>;

/** A world in which alice submitted `payroll`, and its plan waits for two of finance. */
export async function worldThatWaits({
  policy = policyOf(),
  status,
  world,
  flags = [],
}: Waiting = {}) {
  const made = fakeWorld({ cwd: withFiles(temporaryFolder(), { 'good.csv': GOOD }), ...world });
  await made.run('submit', 'good.csv', '--id', 'payroll', '--yes', '--detach', ...flags);
  const [input] = made.engine.started;
  if (input === undefined) throw new Error('nothing was started');
  await inStore(made, async (store) => {
    await playPlan(store, input, join(made.world.cwd, 'good.csv'));
    await setPolicy(store, 'payroll', policy);
  });
  const hold = ruleHoldOf(status?.holds ?? []);
  const live = liveStatus({
    state: 'AWAITING_APPROVAL',
    note: 'waits for 2 more from finance',
    approval: {
      subject: subjectOf(DIGEST, hold),
      missing: ['1 more from finance: carol'],
      given: [],
    },
    ...status,
  });
  made.engine.statuses.set('payroll', live);
  return made;
}

/** Writes the key of a person where only its owner can read it; answers with its name. */
export function keyFile({ world }: FakeWorld, name: string, mode = 0o600): string {
  const file = `keys/${name}.key`;
  const path = join(world.cwd, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, keyOf(name).export({ type: 'pkcs8', format: 'pem' }), { mode });
  return file;
}
