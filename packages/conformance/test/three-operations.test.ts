import { SHAPES } from '@bursar/merchant-api/spec';
import { afterEach, describe, expect, it } from '@jest/globals';
import { readOptions, type TestTarget } from '../src/options.ts';
import { reportOf } from '../src/report.ts';
import { lineOf } from '../src/table.ts';
import type { TriedCheck } from '../src/suite.ts';
import { openTrial, runTrial } from '../src/trial.ts';
import {
  accessTo,
  type SpecServer,
  type SpecServerShapes,
  startSpecServer,
} from './support/spec-server.ts';

let server: SpecServer | undefined;
afterEach(() => server?.stop());

const PAY = ['--pay', 'USDT_TRC20:1.5:some-address', '--speed', '2'];

/** Runs all checks against a service that has only the three operations with a known path. */
async function trialOf(shapes: Partial<SpecServerShapes>, ...args: string[]) {
  server = await startSpecServer(shapes);
  const how = ['--make', '--patience', '20'];
  const options = readOptions([...accessTo(server.baseUrl), ...how, ...args]);
  const trial = await openTrial(options, options.target as TestTarget);
  const tried = await runTrial(trial, options);
  const broken = tried.filter(({ verdict }) => verdict.kind === 'broken').map(lineOf);
  return { broken, tried, findings: trial.findings };
}

const openFor = (needs: string, tried: readonly TriedCheck[]): string[] =>
  tried.flatMap(({ check: { id }, verdict }) =>
    verdict.kind === 'open' && verdict.needs === needs ? [id] : [],
  );

describe('a service with only the three known operations', () => {
  it.each(SHAPES.massGetAccepts)(
    'breaks nothing when it reads a mass payout by %s, and the run finds that out',
    async (massGetAccepts) => {
      const { broken, findings, tried } = await trialOf({ massGetAccepts }, ...PAY);
      expect(broken).toEqual([]);
      expect(findings.found).toMatchObject({ massGetAccepts, timestampUnit: 'ms' });
      expect(openFor('object', tried)).toEqual([]);
    },
    60_000,
  );

  it('breaks nothing when its mass payouts have no account and its account ids are exact', async () => {
    const shapes = { massHasAccount: false, accountCase: 'exact' } as const;
    const { broken, findings } = await trialOf(shapes, ...PAY);
    expect(broken).toEqual([]);
    expect(findings.found).toMatchObject({ accountIn: 'shown', accountCase: 'exact' });
  }, 60_000);

  it('breaks one sentence when its timestamps are in seconds, because the rest is sent so', async () => {
    const { broken, findings } = await trialOf({ timestampUnit: 's' });
    expect(broken).toEqual([expect.stringContaining('envelope.timestamp.milliseconds')]);
    expect(findings.found).toMatchObject({ timestampUnit: 's' });
  });

  it('breaks the check of a create alone when it refuses every create, and the others wait for it', async () => {
    const { broken, tried } = await trialOf({ refusesCreates: true }, ...PAY);
    expect(broken).toEqual([expect.stringContaining('mass-create.state')]);
    expect(openFor('object', tried)).toContain('moves.completed.state');
  }, 60_000);

  it('is called in lower case when it takes only that', async () => {
    const { broken, findings } = await trialOf({ accountCase: 'lower' });
    expect(broken).toEqual([]);
    expect(findings.found).toMatchObject({ accountCase: 'lower' });
  });

  it('has one line for each operation that is not there, with the sentences it leaves open', async () => {
    const { tried, findings } = await trialOf({});
    const report = reportOf(tried, findings);
    const lines = report.split('\n').filter((line) => line.includes('REPORT is not at'));
    expect(lines).toEqual([
      '  open  REPORT is not at POST /api/v1/report: 404 NO_PATH (see --endpoint): 36',
    ]);
    expect(findings.missing.get('REPORT')).toEqual({
      at: 'POST /api/v1/report',
      came: '404 NO_PATH',
      isDocumented: false,
    });
    expect(report).not.toContain('BROKEN:');
  });
});
