import type { Options, Target } from './options.ts';
import {
  type OwnSandbox,
  SANDBOX_PAYMENT,
  SPEED,
  SPEED_HURRIED,
  startSandbox,
} from './own-sandbox.ts';
import { guard } from './guard.ts';
import { createPerson } from './person.ts';
import { startReceiver } from './receiver.ts';
import { createRun, type Run } from './run.ts';
import { createService } from './service.ts';
import { runChecks, type Tried } from './suite.ts';

/** What the options say of the service and of what may be done to it. */
export type Trial = Readonly<{
  run: Run;
  hurried: Run | null;
  stop(): Promise<void>;
}>;

const TIMEOUT_MS = 30_000;

type Place = Readonly<{
  target: Target;
  adminUrl: string | null;
  speed: number;
}>;
type Allowed = Pick<Options, 'mayMake' | 'payment' | 'paymentsMax' | 'patienceMs'>;

/** A service that is there already. */
export async function openTrial(options: Options, target: Target): Promise<Trial> {
  const { adminUrl, speed, webhook } = options;
  const receiver = webhook.publicUrl === null ? null : await startReceiver(webhook);
  const run = runOf({ target, adminUrl, speed }, options, receiver);
  return { run, hurried: null, stop: async () => receiver?.close() };
}

/** Two sandboxes that are started for it: one to look at, and one in a hurry. */
export async function openOwnTrial(
  { patienceMs, paymentsMax }: Pick<Options, 'patienceMs' | 'paymentsMax'>,
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
  const start = async (speed: number): Promise<Run> => {
    const sandbox = await startSandbox({ ...program, speed });
    sandboxes.push(sandbox);
    return runOf({ ...sandbox, adminUrl: sandbox.target.baseUrl }, allowed, receiver);
  };
  try {
    return {
      run: await start(SPEED),
      hurried: await start(SPEED_HURRIED),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function runOf(
  { target, adminUrl, speed }: Place,
  { mayMake, payment, paymentsMax, patienceMs }: Allowed,
  receiver: Run['receiver'],
): Run {
  const { account } = target;
  const permissions = {
    mayMake,
    paymentsMax: payment === null ? 0 : paymentsMax,
  };
  return createRun({
    service: guard(createService({ ...target, timeoutMs: TIMEOUT_MS }), permissions),
    account,
    payment,
    mayMake,
    receiver,
    person: adminUrl === null ? null : createPerson({ adminUrl, account }),
    patienceMs,
    speed,
  });
}

/** Runs the checks, and ends what was started for them. */
export async function tryOut(
  { run, hurried, stop }: Trial,
  { isSlow, only }: Pick<Options, 'isSlow' | 'only'>,
  onTried: (tried: Tried) => void = () => {},
): Promise<readonly Tried[]> {
  try {
    return await runChecks({ run, hurried, isSlow, only, onTried });
  } finally {
    await stop();
  }
}
