import { fileURLToPath } from 'node:url';
import { DEFAULT_SHAPES, type Endpoints, type Shapes } from '@bursar/merchant-api/spec';
import { startSandbox, SANDBOX_PAYMENT, SPEED } from '../../src/own-sandbox.ts';
import { createInterfaceUser } from '../../src/interface-user.ts';
import { startReceiver } from '../../src/receiver.ts';
import { type CheckRun, createCheckRun, type RunParts } from '../../src/run.ts';
import { createTestedService, type TestedService } from '../../src/service.ts';
import { runChecks } from '../../src/suite.ts';

export const SANDBOX = fileURLToPath(new URL('../../../sandbox/build/main.js', import.meta.url));

export type OwnRuns = Readonly<{
  /** A run of its own, with these parts in place of the right ones. */
  run(parts?: Partial<CheckRun>): CheckRun;
  service: TestedService;
  /** The service in other shapes, at other paths. */
  called(parts: Readonly<{ shapes: Shapes; endpoints?: Endpoints }>): TestedService;
  account: string;
  /** Calls the sandbox's admin API. */
  admin(method: string, path: string, input?: object): Promise<void>;
  stop(): Promise<void>;
}>;

/** A sandbox, and runs against it. */
export async function startOwnRuns(patienceMs: number, speed = SPEED): Promise<OwnRuns> {
  const sandbox = await startSandbox({ program: SANDBOX, env: process.env, speed });
  const receiver = await startReceiver({ port: 0, publicUrl: null });
  const { target } = sandbox;
  const { account, baseUrl } = target;
  const service = createTestedService({ ...target, shapes: DEFAULT_SHAPES, timeoutMs: 10_000 });
  const right: RunParts = {
    service,
    account,
    payment: SANDBOX_PAYMENT,
    mayMake: true,
    receiver,
    person: createInterfaceUser({ adminUrl: baseUrl, account }),
    patienceMs,
    speed,
  };
  return {
    service,
    account,
    called: (parts) => createTestedService({ ...target, ...parts, timeoutMs: 10_000 }),
    run: (parts = {}) => createCheckRun({ ...right, ...parts }),
    async admin(method, path, input) {
      const headers = { 'Content-Type': 'application/json' };
      const body = input === undefined ? {} : { headers, body: JSON.stringify(input) };
      const response = await fetch(`${baseUrl}/sandbox/${path}`, { method, ...body });
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    },
    async stop() {
      receiver.close();
      await sandbox.stop();
    },
  };
}

export type Outcome = Readonly<{
  broken: readonly string[];
  open: Readonly<Record<string, string>>;
}>;

/** Returns the broken checks, and the reasons of the open ones. */
export async function outcomeOf(run: CheckRun, only: readonly string[]): Promise<Outcome> {
  const tried = await runChecks({ run, fast: null, isSlow: false, only });
  const broken = tried.filter(({ verdict }) => verdict.kind === 'broken');
  const open = tried.flatMap(({ check, verdict }) =>
    verdict.kind === 'open' ? [[check.id, verdict.reason] as const] : [],
  );
  return { broken: broken.map(({ check }) => check.id).toSorted(), open: Object.fromEntries(open) };
}
