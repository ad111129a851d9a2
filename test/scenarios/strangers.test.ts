import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, jest } from '@jest/globals';
import { probeAndWrite } from '../support/probed.ts';
import { readReport } from '../support/oracle.ts';
import { type ReportLine, reportLines } from '../support/row-outcomes.ts';
import { type SampleRow, sampleRows, writeSample } from '../support/sample-file.ts';
import { type StrangerPaths, type StrangerWithdrawal, startStranger } from '../support/stranger.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startTestStack } from '../support/test-stack.ts';

jest.setTimeout(900_000);

/** `BURSAR_STRANGER_ROWS=20000` pays a larger file. */
const ROWS = Number(process.env['BURSAR_STRANGER_ROWS'] ?? '2000');
const CHUNK_ROWS = 100;
const ACCOUNT = '0x5a4db0c500000000000000000000000000000001';
/** One chunk in five has failing rows, one in twenty of its rows: one row in a hundred. */
const CHUNKS_PER_FAILING_CHUNK = 5;
const ROWS_PER_FAILURE = 20;

const chunkOf = (at: number): number => Math.floor(at / CHUNK_ROWS);
const isFailingChunk = (chunk: number): boolean => chunk % CHUNKS_PER_FAILING_CHUNK === 0;
const failsAt = (at: number): boolean =>
  isFailingChunk(chunkOf(at)) && at % ROWS_PER_FAILURE === ROWS_PER_FAILURE - 1;

/** The settings that a probe wrote, and the end of the batch: the lines of its report, beside the books of the service. */
type Paid = Readonly<{
  /** The lines of settings that the probe wrote, apart from defaults. */
  found: readonly string[];
  code: number;
  rows: readonly SampleRow[];
  lines: readonly ReportLine[];
  resend: readonly string[];
  books: ReadonlyMap<string, readonly StrangerWithdrawal[]>;
  creates: number;
  counts: ReturnType<typeof readReport>['rows'];
}>;

type Stranger = Readonly<{
  paths: StrangerPaths;
  isFlat: boolean;
  /** Flags of the probe that a person takes from the documents of the stranger. */
  flags?: readonly string[];
}>;

/** Pays the file over the stranger, with the settings that a probe of it writes. The answer to its second create is lost. */
async function pay({ paths, isFlat, flags = [] }: Stranger): Promise<Paid> {
  const rows = sampleRows({ rows: ROWS, currencies: ['USDT_TRC20'] });
  const failing = new Set(rows.filter((_, at) => failsAt(at)).map(({ address }) => address));
  const stranger = await startStranger({
    key: 'test-key',
    secret: 'test-secret',
    account: ACCOUNT,
    paths,
    isFlat,
    fails: (address) => failing.has(address),
    cutsAnswer: (create) => create === 2,
  });
  const folder = temporaryFolder();
  const stack = await startTestStack({
    folder,
    without: ['sandbox', 'bridge', 'worker'],
    env: {
      BURSAR_API_BASE_URL: stranger.url,
      BURSAR_BATCH_CHUNK_ROWS: String(CHUNK_ROWS),
    },
  });
  try {
    const found = await probeAndWrite(stack, ...flags);
    await stack.start('worker');
    const file = join(folder, 'payroll.csv');
    writeSample(file, rows);
    const { code } = await stack.bursar('submit', file, '--id', stack.batchId, '--yes');
    const dir = join(folder, 'runs', stack.batchId);
    const offered = existsSync(join(dir, 'resend.csv')) ? reportLines(dir, 'resend.csv') : [];
    return {
      found,
      code,
      rows,
      lines: reportLines(dir),
      resend: offered.map(({ address }) => address),
      books: byAddress(stranger.withdrawals()),
      creates: stranger.creates(),
      counts: readReport(dir).rows,
    };
  } finally {
    await stack.stop();
    await stranger.stop();
  }
}

function byAddress(made: readonly StrangerWithdrawal[]): Paid['books'] {
  const books = new Map<string, StrangerWithdrawal[]>();
  for (const one of made) books.set(one.address, [...(books.get(one.address) ?? []), one]);
  return books;
}

/** Each row is there once, the service has paid none twice, and no outcome contradicts its books. */
function expectToldTruly({ rows, lines, books, resend, creates }: Paid): void {
  expect(lines.map(({ address, amount }) => [address, amount])).toEqual(
    rows.map(({ address, amount }) => [address, amount]),
  );
  expect(creates).toBe(ROWS / CHUNK_ROWS);
  const misfits = lines.filter(({ address, amount, outcome }) => {
    const [first, ...more] = books.get(address) ?? [];
    if (first === undefined || more.length > 0 || first.amount !== amount) return true;
    if (outcome === 'UNKNOWN') return false;
    return outcome !== (first.hasFailed ? 'FAILED' : 'PAID');
  });
  expect(misfits).toEqual([]);
  const offeredThoughPaid = resend.filter((address) => books.get(address)?.[0]?.hasFailed !== true);
  expect(offeredThoughPaid).toEqual([]);
}

it('a stranger with the three known paths alone, whose MASS_GET is flat, pays the batch; a chunk whose failing rows nobody can name is UNKNOWN', async () => {
  const paid = await pay({
    paths: {
      account: '/api/v1/account',
      create: '/api/v1/payout/mass/create',
      read: '/api/v1/payout/mass',
    },
    isFlat: true,
  });
  expect(paid.found).toContain('api.shapes.mass_get_accepts = "flat"');
  expect(paid.found).toContain('api.endpoints.lookup = ""');
  expect(paid.code).toBe(10);
  expectToldTruly(paid);
  // An entry of `withdrawalErrors` has an id alone, and nothing leads from the id to a row.
  const outcomes = paid.rows.map((_, at) => (isFailingChunk(chunkOf(at)) ? 'UNKNOWN' : 'PAID'));
  expect(paid.lines.map(({ outcome }) => outcome)).toEqual(outcomes);
  expect(paid.resend).toEqual([]);
});

it('a stranger with every operation elsewhere pays the batch, and each failing row is named', async () => {
  const paid = await pay({
    paths: {
      account: '/merchant/balance',
      create: '/merchant/payouts/new',
      read: '/merchant/payouts/state',
      find: '/merchant/object',
    },
    isFlat: false,
    flags: [
      'ACCOUNT=/merchant/balance',
      'MASS_CREATE=/merchant/payouts/new',
      'MASS_GET=/merchant/payouts/state',
      'LOOKUP=/merchant/object',
    ].flatMap((place) => ['--endpoint', place]),
  });
  expect(paid.code).toBe(10);
  expectToldTruly(paid);
  const outcomes = paid.rows.map((_, at) => (failsAt(at) ? 'FAILED' : 'PAID'));
  expect(paid.lines.map(({ outcome }) => outcome)).toEqual(outcomes);
  expect(paid.resend).toHaveLength(paid.counts.failed);
});
