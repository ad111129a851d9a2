import { DEFAULT_SHAPES, type Shapes } from '@bursar/merchant-api/spec';
import type { ConformanceOptions, TestTarget } from './options.ts';
import {
  type OwnSandbox,
  SANDBOX_PAYMENT,
  SPEED,
  SPEED_FAST,
  startSandbox,
} from './own-sandbox.ts';
import { guard } from './guard.ts';
import { createInterfaceUser } from './interface-user.ts';
import { type Pace, startPace } from './pace.ts';
import type { MissingOperations } from './probes/paths.ts';
import { probe, type ProbeFindings } from './probes/probe.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { type CheckRun, createCheckRun, type TestPayment } from './run.ts';
import { createTestedService, type TestedService } from './service.ts';
import { operationsFor, runChecks, type TriedCheck } from './suite.ts';

/** A service under test, ready for checks. */
export type Trial = Readonly<{
  run: CheckRun;
  fast: CheckRun | null;
  findings: ProbeFindings;
  stop(): Promise<void>;
}>;

const TIMEOUT_MS = 30_000;

type TrialService = Readonly<{
  target: TestTarget;
  adminUrl: string | null;
  speed: number;
}>;
type TrialLimits = Readonly<{
  mayMake: boolean;
  payment: TestPayment | null;
  paymentsMax: number;
  patienceMs: number;
  only: readonly string[];
}>;

/** Prepares a running service. */
export async function openTrial(options: ConformanceOptions, target: TestTarget): Promise<Trial> {
  const { adminUrl, speed, webhook } = options;
  const receiver = webhook.publicUrl === null ? null : await startReceiver(webhook);
  const pace = startPace();
  const stop = async (): Promise<void> => {
    pace.stop();
    receiver?.close();
  };
  try {
    const prepared = prepare({ target, adminUrl, speed }, options, { receiver, pace });
    const findings = await prepared.probe();
    return { run: prepared.run(findings), fast: null, findings, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

type OwnTrialLimits = Readonly<{
  patienceMs: number;
  paymentsMax: number;
  only: readonly string[];
}>;

/** Starts two sandboxes: one at a speed at which checks can read each state, and a faster one. */
export async function openOwnTrial(
  limits: OwnTrialLimits,
  program: Readonly<{ program: string; env: NodeJS.ProcessEnv }>,
): Promise<Trial> {
  const receiver = await startReceiver({ port: 0, publicUrl: null });
  const pace = startPace();
  const sandboxes: OwnSandbox[] = [];
  const stop = async (): Promise<void> => {
    pace.stop();
    receiver.close();
    await Promise.all(sandboxes.map((sandbox) => sandbox.stop()));
  };
  const allowed = { ...limits, mayMake: true, payment: SANDBOX_PAYMENT };
  const start = async (speed: number): Promise<PreparedService> => {
    const sandbox = await startSandbox({ ...program, speed });
    sandboxes.push(sandbox);
    return prepare({ ...sandbox, adminUrl: sandbox.target.baseUrl }, allowed, { receiver, pace });
  };
  try {
    const [usual, fast] = [await start(SPEED), await start(SPEED_FAST)];
    const findings = await usual.probe();
    return { run: usual.run(findings), fast: fast.run(findings), findings, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

type PreparedService = Readonly<{
  probe(): Promise<ProbeFindings>;
  run(findings: CalledAs): CheckRun;
}>;

/** How a service is called, and the operations that it lacks. */
type CalledAs = Readonly<{ shapes: Shapes; missing?: MissingOperations }>;

function prepare(
  { target, adminUrl, speed }: TrialService,
  { mayMake, payment, paymentsMax, patienceMs, only }: TrialLimits,
  means: Readonly<{ receiver: Receiver | null; pace: Pace }>,
): PreparedService {
  const { account, endpoints, shapes: stated } = target;
  const permissions = { mayMake, paymentsMax: payment === null ? 0 : paymentsMax };
  const paid = { payments: 0 };
  const service = (shapes: Shapes): TestedService =>
    guard(createTestedService({ ...target, shapes, timeoutMs: TIMEOUT_MS }), permissions, paid);
  const person = adminUrl === null ? null : createInterfaceUser({ adminUrl, account });
  const parts = { ...means, account, payment, mayMake, person, patienceMs, speed };
  const run = ({ shapes, missing = new Map() }: CalledAs): CheckRun =>
    createCheckRun({ ...parts, service: service(shapes), shapes, missing });
  return {
    run,
    probe: () =>
      probe({
        service,
        account,
        endpoints,
        permissions,
        stated,
        defaults: DEFAULT_SHAPES,
        wanted: operationsFor(only),
        paying: payment === null ? null : (shapes) => run({ shapes }),
      }),
  };
}

export type CheckSelection = Readonly<{ isSlow: boolean; only: readonly string[] }>;

/** Runs the checks, and then stops everything that was started for them. */
export async function runTrial(
  { run, fast, stop }: Trial,
  { isSlow, only }: CheckSelection,
  onTried: (tried: TriedCheck) => void = () => {},
): Promise<readonly TriedCheck[]> {
  try {
    return await runChecks({ run, fast, isSlow, only, onTried });
  } finally {
    await stop();
  }
}
