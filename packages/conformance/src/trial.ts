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
import { startReceiver } from './receiver.ts';
import { type CheckRun, createCheckRun, type TestPayment } from './run.ts';
import { createTestedService } from './service.ts';
import { runChecks, type TriedCheck } from './suite.ts';

/** A service under test, ready for checks. */
export type Trial = Readonly<{
  run: CheckRun;
  fast: CheckRun | null;
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
}>;

/** Prepares a running service. */
export async function openTrial(options: ConformanceOptions, target: TestTarget): Promise<Trial> {
  const { adminUrl, speed, webhook } = options;
  const receiver = webhook.publicUrl === null ? null : await startReceiver(webhook);
  const run = runOf({ target, adminUrl, speed }, options, receiver);
  return { run, fast: null, stop: async () => receiver?.close() };
}

type OwnTrialLimits = Readonly<{ patienceMs: number; paymentsMax: number }>;

/** Starts two sandboxes: one at a speed at which checks can read each state, and a faster one. */
export async function openOwnTrial(
  { patienceMs, paymentsMax }: OwnTrialLimits,
  program: Readonly<{ program: string; env: NodeJS.ProcessEnv }>,
): Promise<Trial> {
  const receiver = await startReceiver({ port: 0, publicUrl: null });
  const sandboxes: OwnSandbox[] = [];
  const stop = async (): Promise<void> => {
    receiver.close();
    await Promise.all(sandboxes.map((sandbox) => sandbox.stop()));
  };
  const allowed = {
    mayMake: true,
    payment: SANDBOX_PAYMENT,
    patienceMs,
    paymentsMax,
  };
  const start = async (speed: number): Promise<CheckRun> => {
    const sandbox = await startSandbox({ ...program, speed });
    sandboxes.push(sandbox);
    return runOf({ ...sandbox, adminUrl: sandbox.target.baseUrl }, allowed, receiver);
  };
  try {
    return {
      run: await start(SPEED),
      fast: await start(SPEED_FAST),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function runOf(
  { target, adminUrl, speed }: TrialService,
  { mayMake, payment, paymentsMax, patienceMs }: TrialLimits,
  receiver: CheckRun['receiver'],
): CheckRun {
  const { account } = target;
  const permissions = {
    mayMake,
    paymentsMax: payment === null ? 0 : paymentsMax,
  };
  return createCheckRun({
    service: guard(createTestedService({ ...target, timeoutMs: TIMEOUT_MS }), permissions),
    account,
    payment,
    mayMake,
    receiver,
    person: adminUrl === null ? null : createInterfaceUser({ adminUrl, account }),
    patienceMs,
    speed,
  });
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
