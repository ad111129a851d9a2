import { setTimeout as pause } from 'node:timers/promises';
import type { Endpoints } from '@bursar/merchant-api/spec';
import { AdminCase, type AdminCaseStep } from '../admin/index.ts';
import { AdminRefused } from '../call-admin.ts';
import { isRepeated } from '../cases.ts';
import { FateRulesInput } from '../fates.ts';
import { FaultRuleInput } from '../fault-rules.ts';
import { ModesInput } from '../modes.ts';
import { type RunningSandbox, startSandbox, type StartSandboxOptions } from '../start-sandbox.ts';
import { createReplayNames, type ReplayNames } from './names.ts';
import { sendReplay } from './send.ts';

type RequestStep = Extract<AdminCaseStep, { kind: 'request' }>;

/** The first answer of a replay that differs. `number` counts the requests of the case from 1. */
export type ReplayDifference = Readonly<{
  number: number;
  time: string;
  operation: string;
  /** The status and the body of the decision, in the case and in the replay. */
  expected: string;
  actual: string;
}>;

export type ReplayResult = Readonly<{
  requests: number;
  /** Null: every answer is the same, apart from ids that a sandbox makes at random. */
  difference: ReplayDifference | null;
}>;

/** The longest delay of a fault. Later nothing of the case is under way. */
const LAST_WAIT_MS = 600_000;

/**
 * Repeats a case (GET /sandbox/case) in a fresh sandbox on a virtual clock, which sends no webhooks,
 * and compares the decisions. Throws a ZodError when the value is no case, and the error of a change
 * that the sandbox refuses.
 */
export async function replayCase(value: unknown): Promise<ReplayResult> {
  const played = AdminCase.parse(value);
  const sandbox = await startSandbox(optionsOf(played));
  try {
    const names = createReplayNames();
    const failure = await repeatAll({ sandbox, played, names });
    await sandbox.clock.advance(LAST_WAIT_MS);
    const replayed = await sandbox.admin('GET /case');
    const result = compare(played.steps.filter(isRequest), replayed.steps.filter(isRequest));
    const isExplained = result.difference !== null && result.difference.actual !== NO_REQUEST;
    if (failure !== null && !isExplained) throw failure;
    return result;
  } finally {
    await sandbox.stop();
  }
}

type Replay = Readonly<{ sandbox: RunningSandbox; played: AdminCase; names: ReplayNames }>;

const isRequest = (step: AdminCaseStep): step is RequestStep => step.kind === 'request';

const keyName = (at: number): string => `replay-${at}`;

const SECRET = 'replay';

function optionsOf({ steps, keys, ...played }: AdminCase): StartSandboxOptions {
  return {
    clock: 'virtual',
    startTime: new Date(steps[0]?.time ?? 0),
    sendsWebhooks: false,
    modes: { ...ModesInput.parse(played.modes), bodies: 'kept' },
    faults: FaultRuleInput.array().parse(played.faults),
    fates: FateRulesInput.parse(played.fates),
    keys: keys.map((accounts, at) => ({ key: keyName(at), secret: SECRET, accounts })),
    settings: played.settings,
  };
}

/** Returns the error of a change that the sandbox refused, perhaps because an earlier answer differs. */
async function repeatAll(replay: Replay): Promise<Error | null> {
  try {
    for (const step of replay.played.steps) await repeat(replay, step);
    return null;
  } catch (error) {
    if (error instanceof AdminRefused) return error;
    throw error;
  }
}

async function repeat(replay: Replay, step: AdminCaseStep): Promise<void> {
  const { sandbox, names } = replay;
  const waitMs = Date.parse(step.time) - sandbox.clock.nowMs();
  if (waitMs > 0) await sandbox.clock.advance(waitMs);
  if (step.kind === 'request') return repeatRequest(replay, step);
  if (!isRepeated(step.endpoint)) throw new TypeError(`A case has no change ${step.endpoint}.`);
  const input = JSON.parse(names.translate(JSON.stringify(step.input))) as object;
  await sandbox.admin(step.endpoint, step.endpoint === 'PUT /modes' ? keeping(input) : input);
}

/** The replay keeps bodies whatever the case chose. */
const keeping = (modes: object): object => ({ ...modes, bodies: 'kept' });

/**
 * Sends a request and waits for its answer, or until the sandbox has decided or lost it. A fault may
 * answer late or never.
 */
async function repeatRequest(replay: Replay, step: RequestStep): Promise<void> {
  const { sandbox, played, names } = replay;
  const before = await progressOf(sandbox);
  const answered = sendReplay({
    url: sandbox.url + pathOf(played, step),
    key: step.key === null ? 'unknown' : keyName(step.key),
    secret: step.errorCode === 'SIGNATURE_INVALID' ? null : SECRET,
    contentType: step.contentType,
    modes: step.modes,
    body: bodyOf(step, names),
  }).then((answer) => {
    if (answer !== null && step.answer !== null) names.learn(step.answer, answer);
  });
  const waiting = new AbortController();
  await Promise.race([answered, moved(sandbox, { before, signal: waiting.signal })]);
  waiting.abort();
}

const bodyOf = ({ body, encoding }: RequestStep, names: ReplayNames): Buffer =>
  encoding === 'utf8' ? Buffer.from(names.translate(body)) : Buffer.from(body, encoding);

const pathOf = ({ settings }: AdminCase, { operation }: RequestStep): string =>
  settings[`ENDPOINT_${operation satisfies keyof Endpoints}`] ?? '';

const POLL_MS = 20;
const POLLS_MAX = 500;

/** Resolves when a request was logged or a fault fired. */
async function moved(
  sandbox: RunningSandbox,
  { before, signal }: Readonly<{ before: number; signal: AbortSignal }>,
): Promise<void> {
  for (let polls = 0; polls < POLLS_MAX && !signal.aborted; polls += 1) {
    await pause(POLL_MS);
    if (signal.aborted || (await progressOf(sandbox)) !== before) return;
  }
}

async function progressOf({ admin }: RunningSandbox): Promise<number> {
  const { requests } = await admin('GET /requests', { order: 'newest', limit: 1 });
  const { faults } = await admin('GET /faults');
  return faults.reduce((sum, { fired }) => sum + fired, requests[0]?.n ?? 0);
}

const NO_REQUEST = 'no request';

function compare(expected: readonly RequestStep[], actual: readonly RequestStep[]): ReplayResult {
  const names = createReplayNames();
  const at = expected.findIndex((step, index) => !isSame(step, actual[index], names));
  const [step, other] = [expected[at], actual[at]];
  if (step === undefined) return { requests: expected.length, difference: null };
  const { time, operation } = step;
  const difference = { number: at + 1, time, operation, expected: shown(step) };
  return { requests: expected.length, difference: { ...difference, actual: shown(other) } };
}

const isSame = (step: RequestStep, other: RequestStep | undefined, names: ReplayNames): boolean =>
  step.operation === other?.operation && names.match(shown(step), shown(other));

const shown = (step: RequestStep | undefined): string =>
  step === undefined ? NO_REQUEST : `${step.status ?? 'no decision'} ${step.answer ?? ''}`;
