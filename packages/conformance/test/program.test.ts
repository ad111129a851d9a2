import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  accessTo,
  type SpecServer,
  type SpecServerShapes,
  startSpecServer,
} from './support/spec-server.ts';

const MAIN = fileURLToPath(new URL('../build/main.js', import.meta.url));

let server: SpecServer | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

type Ended = Readonly<{ code: unknown; out: string; err: string }>;

/** Runs the compiled program, as people start it. */
const run = (...args: string[]): Promise<Ended> =>
  new Promise((resolve) => {
    execFile(process.execPath, [MAIN, ...args], { env: {} }, (error, out, err) =>
      resolve({ code: error?.code ?? 0, out, err }),
    );
  });

/** The program against a service with only the three operations whose paths the specification shows. */
async function runAgainst(shapes: Partial<SpecServerShapes>, ...args: string[]): Promise<Ended> {
  server = await startSpecServer(shapes);
  return run(...accessTo(server.baseUrl), '--patience', '20', ...args);
}

const PAY = ['--make', '--pay', 'USDT_TRC20:1.5:some-address', '--speed', '2'];

describe('the program against a service with only three operations', () => {
  it.each([
    ['reads', []],
    ['makes and pays', PAY],
  ])(
    'ends with 0 and prints no breach, when it %s',
    async (_does, args) => {
      const { code, out, err } = await runAgainst({}, ...args);
      expect([code, err]).toEqual([0, '']);
      expect(out).not.toContain('BROKEN:');
      expect(out).toContain('REPORT is not at POST /api/v1/report: 404 NO_PATH (see --endpoint)');
      expect(out).toMatch(/\d+ met, 0 BROKEN, \d+ open\n$/);
    },
    60_000,
  );

  it('prints one JSON document alone with --format json', async () => {
    const { code, out, err } = await runAgainst({}, '--format', 'json');
    const { counts, missing } = JSON.parse(out) as {
      counts: { broken: number };
      missing: { operation: string }[];
    };
    expect([code, err, counts.broken]).toEqual([0, '', 0]);
    const names = missing.map(({ operation }) => operation);
    expect(names).toEqual(expect.arrayContaining(['LOOKUP', 'REPORT']));
    expect(names).not.toContain('MASS_GET');
  }, 60_000);

  it('ends with 1 and names the breach, when every create is refused', async () => {
    const { code, out } = await runAgainst({ refusesCreates: true }, ...PAY);
    expect(code).toBe(1);
    expect(out).toContain('BROKEN:');
    expect(out).toContain('mass-create.state');
    expect(out).toMatch(/\d+ met, 1 BROKEN, \d+ open\n$/);
  }, 60_000);
});

it('the program refuses the name of a check that is none', async () => {
  const { code, out, err } = await run('--only', 'auth', '--only', 'nonsense');
  expect([code, out]).toEqual([2, '']);
  expect(err).toMatch(/^--only nonsense: no check has this id\n\nUsage: bursar-conformance /);
});

it('the program refuses an address that is none as wrong usage', async () => {
  const { code, err } = await run(...accessTo('api.example'));
  expect([code, err]).toEqual([
    2,
    expect.stringMatching(/^--base-url api\.example is not .*\n\nUsage: /),
  ]);
});

it('the program ends with 2 and names the address, when nothing listens', async () => {
  const { baseUrl, stop } = await startSpecServer();
  await stop();
  expect(await run(...accessTo(baseUrl))).toEqual({
    code: 2,
    out: '',
    err: `no answer from ${baseUrl} (ECONNREFUSED)\n`,
  });
});
