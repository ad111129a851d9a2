import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { createIngestActivities } from '../../../src/activities/ingest/ingest.ts';
import type { Planned, Refused } from '../../../src/contract/activities.ts';
import type { BatchInput, BatchOptions } from '../../../src/contract/batch.ts';
import type { HouseRules } from '../../../src/domain/plan/rules.ts';
import { createFiles } from '../../../src/files/index.ts';
import type { Answer, MassPayout, Reference } from '@bursar/merchant-api';
import type { Store } from '../../../src/store/index.ts';
import { fakeService, refused, walletsAt } from '../../support/fake-service.ts';
import { keepCopy } from '../../support/kept-copy.ts';
import { ACCOUNT } from '../../support/store-fixtures.ts';
import { asActivity } from './as-activity.ts';

export const RULES: HouseRules = {
  approval: null,
  findings: { confirm: [], block: [] },
  historyDays: 25,
  limits: { row: [], batch: [], day: [], payee: [] },
  fees: { driftMaxPercent: null, shareMaxPercent: null, totalMax: [] },
};

const OPTIONS: BatchOptions = {
  chunkRows: 10,
  chunksInFlight: 1,
  rowTag: 'off',
  currency: 'TRX',
  skipInvalid: false,
  expectCount: null,
  expectTotals: [],
  accept: [],
  expectedDigest: null,
  canaryRows: 0,
  stopLoss: [],
  at: null,
  executionDate: null,
  fundsWaitMs: null,
  beforeScheduled: false,
  pollMinMs: 1,
  pollMaxMs: 1,
};

export type Job = Readonly<{
  options?: Partial<BatchOptions>;
  rules?: Partial<HouseRules>;
  /** Rules of the worker that reads, if they are others than of the one that plans. */
  rulesOfReader?: Partial<HouseRules>;
  submittedAt?: string;
  /** The addresses of the account's own wallets at the service; `lost`: then the connection breaks. */
  wallets?: readonly string[];
  /** Whether the service lists wallets. */
  listsWallets?: boolean;
  /** What the service says when it is asked for a chunk. */
  found?: (asked: Reference) => Promise<Answer<MassPayout>>;
  nowMs?: number;
  /** What happens after the file was read, and before its plan is made. */
  meanwhile?: () => Promise<unknown>;
}>;

/** A store, and a folder for files. */
export type Place = Readonly<{ store: Store; folder: string }>;

/** Reads and plans a file with these rows, as `ADDRESS,AMOUNT`. */
export async function planFile(
  { store, folder }: Place,
  { batchId, rows }: Readonly<{ batchId: string; rows: readonly string[] }>,
  {
    options = {},
    rules = {},
    rulesOfReader = rules,
    submittedAt = '2026-11-21T12:00:00Z',
    wallets = [],
    listsWallets = true,
    found = () => Promise.reject(refused(404)),
    nowMs = 0,
    meanwhile,
  }: Job = {},
): Promise<Planned | Refused> {
  const path = join(folder, `${batchId}.csv`);
  const content = ['address,amount', ...rows, ''].join('\n');
  writeFileSync(path, content);
  const blobs = createFiles(`file:${join(folder, 'blobs')}`);
  const sha256 = await keepCopy(blobs, path);
  const service = fakeService(
    { readMassPayout: found, ...(listsWallets ? { eachWallet: walletsAt(...wallets) } : {}) },
    ['LOOKUP', ...(listsWallets ? [] : (['WALLET_LIST'] as const))],
  );
  const deps = {
    store,
    service,
    nowMs: () => nowMs,
    reportDir: folder,
    blobs,
    accountOf: () => ACCOUNT,
    notify: () => Promise.reject(new Error('nothing ends here')),
  };
  const activitiesBy = (more: Partial<HouseRules>) =>
    createIngestActivities({ ...deps, rules: { ...RULES, ...more } });
  const input: BatchInput = {
    batchId,
    accountRef: 'main',
    file: { name: `${batchId}.csv`, sha256 },
    options: { ...OPTIONS, ...options },
    submittedBy: 'tester',
    submittedAt,
    generation: 0,
    parentBatchId: null,
  };
  const read = activitiesBy(rulesOfReader).ingestFile;
  expect(await asActivity().run(read, input)).toMatchObject({ kind: 'ingested' });
  await meanwhile?.();
  return asActivity().run(activitiesBy(rules).planBatch, input) as Promise<Planned | Refused>;
}

/** `planned`, or the code and codes of a refusal. */
export const endOf = (outcome: Planned | Refused): string =>
  outcome.kind === 'planned' ? 'planned' : `${outcome.error.code}: ${outcome.error.what}`;
