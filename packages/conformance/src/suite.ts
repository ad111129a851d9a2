import { OPERATIONS, type Operation } from '@bursar/merchant-api/spec';
import type {
  CheckSentence,
  ConformanceCheck,
  RunMeans,
  OpenReason,
  CheckVerdict,
} from './check.ts';
import { accountAndUserChecks } from './checks/account.ts';
import { authenticationChecks } from './checks/authentication.ts';
import { blockingChecks } from './checks/blocking.ts';
import { deliveryChecks } from './checks/deliveries.ts';
import { envelopeChecks } from './checks/envelope.ts';
import { errorChecks } from './checks/errors.ts';
import { feeChecks } from './checks/fees.ts';
import { listingChecks } from './checks/listings.ts';
import { lookupChecks } from './checks/lookup.ts';
import { massPayoutChecks } from './checks/mass-payout.ts';
import { moveChecks } from './checks/moves.ts';
import { reportChecks } from './checks/report.ts';
import { noneLeftCheck, subscriptionChecks } from './checks/subscriptions.ts';
import { walletChecks } from './checks/wallets.ts';
import { TooSlow, Unmet, Unprepared } from './expect.ts';
import { NoMorePayments } from './guard.ts';
import type { MissingOperation } from './probes/paths.ts';
import { realMs, type CheckRun } from './run.ts';

/** Every check, in the order of the specification. */
export const CHECKS: readonly ConformanceCheck[] = [
  ...envelopeChecks,
  ...authenticationChecks,
  ...errorChecks,
  ...accountAndUserChecks,
  ...feeChecks,
  ...walletChecks,
  ...listingChecks,
  ...reportChecks,
  ...massPayoutChecks,
  ...moveChecks,
  ...lookupChecks,
  ...subscriptionChecks,
  ...deliveryChecks,
  ...blockingChecks,
  noneLeftCheck,
];

export type TriedCheck = Readonly<{
  check: CheckSentence;
  verdict: CheckVerdict;
}>;

export type SuiteOptions = Readonly<{
  run: CheckRun;
  /** A faster copy of the service, for checks that take days by the specification. */
  fast: CheckRun | null;
  /** Whether to run checks that take longer than patience, too. */
  isSlow: boolean;
  /** Ids of checks, or beginnings of ids. Empty: all checks. */
  only: readonly string[];
  onTried?(tried: TriedCheck): void;
}>;

/**
 * Runs one check after another. Those on the faster copy run at the same time. A check that throws
 * unexpectedly counts as broken.
 */
export async function runChecks(options: SuiteOptions): Promise<TriedCheck[]> {
  const { fast, only, onTried } = options;
  const chosen = choose(only);
  const plans = chosen.map((check) => ({
    check,
    chosenRun: runFor(check, options),
  }));
  const early = new Map(
    plans.flatMap(({ check, chosenRun }) =>
      fast !== null && chosenRun === fast ? [[check.id, tryCheck(check, fast)]] : [],
    ),
  );
  const tried: TriedCheck[] = [];
  for (const { check, chosenRun } of plans) {
    const verdict = await (early.get(check.id) ?? tryCheck(check, chosenRun));
    const { id, section, sentence } = check;
    const one = { check: { id, section, sentence }, verdict };
    tried.push(one);
    onTried?.(one);
  }
  return tried;
}

const isIn = ({ id }: ConformanceCheck, name: string): boolean =>
  id === name || id.startsWith(`${name}.`);

/** Returns the first of these names that chooses no check. */
export const unknownOf = (only: readonly string[]): string | undefined =>
  only.find((name) => !CHECKS.some((check) => isIn(check, name)));

/**
 * `webhooks.retries` chooses all checks whose ids begin with it and a dot. When they make objects,
 * the check that deletes them is added.
 */
function choose(only: readonly string[]): readonly ConformanceCheck[] {
  if (only.length === 0) return CHECKS;
  const isNamed = (check: ConformanceCheck): boolean => only.some((name) => isIn(check, name));
  const named = CHECKS.filter(isNamed);
  const makes = named.some(({ needs }) => needs.includes('objects'));
  return makes ? CHECKS.filter((check) => isNamed(check) || check === noneLeftCheck) : named;
}

/** Returns the operations that the chosen checks need. */
export const operationsFor = (only: readonly string[]): readonly Operation[] =>
  OPERATIONS.filter((operation) => choose(only).some(({ needs }) => needs.includes(operation)));

/** Returns the run for a check, or null when it would take too long. */
function runFor(
  { takesS = 0 }: ConformanceCheck,
  { run, fast, isSlow }: SuiteOptions,
): CheckRun | null {
  const isQuick = (each: CheckRun): boolean => realMs(each, takesS) <= each.patienceMs;
  if (isQuick(run)) return run;
  if (fast !== null && isQuick(fast)) return fast;
  return isSlow ? run : null;
}

async function tryCheck(check: ConformanceCheck, run: CheckRun | null): Promise<CheckVerdict> {
  if (run === null) {
    return open('time', `it takes ${check.takesS} s by the specification (see --slow)`);
  }
  for (const need of check.needs) {
    const reason = lackOf(need, check, run);
    if (reason !== null) return reason;
  }
  try {
    return await check.try(run);
  } catch (error) {
    if (error instanceof Unmet) return broken(error);
    if (error instanceof Unprepared) {
      const isOwn = error.needed.checkedBy === check.id;
      return isOwn ? broken(error.unmet) : open('object', error.message);
    }
    if (error instanceof NoMorePayments) return open('payments', error.message);
    if (error instanceof TooSlow) return open('time', error.message);
    const came = error instanceof Error ? error.message : String(error);
    return { kind: 'broken', expected: 'an answer', came };
  }
}

const broken = ({ expected, came }: Unmet): CheckVerdict => ({ kind: 'broken', expected, came });

const open = (needs: OpenReason, reason: string): CheckVerdict => ({
  kind: 'open',
  needs,
  reason,
});

type MissingMeans = Readonly<{ has(run: CheckRun): boolean; reason: string }>;

const MISSING_MEANS: Readonly<Record<RunMeans, MissingMeans>> = {
  objects: {
    has: ({ mayMake }) => mayMake,
    reason: 'the options do not allow objects to be made (see --make)',
  },
  payments: {
    has: ({ payment }) => payment !== null,
    reason: 'the options do not allow payments (see --pay)',
  },
  'failing-address': {
    has: ({ payment }) => payment?.failingAddress !== null,
    reason: 'the options name no address to which a withdrawal fails (see --failing-address)',
  },
  'invalid-address': {
    has: ({ payment }) => payment?.invalidAddress !== null,
    reason: 'the options name no address that fails the validation (see --invalid-address)',
  },
  receiver: {
    has: ({ receiver }) => receiver !== null,
    reason: 'the service cannot reach this computer (see --webhook-url)',
  },
  events: {
    has: ({ person, payment }) => person !== null || payment !== null,
    reason: 'no event can be triggered (see --pay, --admin-url)',
  },
  person: {
    has: ({ person }) => person !== null,
    reason: "a person must act in the service's interface (see --admin-url)",
  },
};

function lackOf(
  need: Operation | RunMeans,
  check: ConformanceCheck,
  run: CheckRun,
): CheckVerdict | null {
  if (!isMeans(need)) {
    const missing = run.missing.get(need);
    if (missing !== undefined) return verdictWithout(need, missing, check);
    return run.service.has(need) ? null : open('operation', `the service has no ${need}`);
  }
  const { has, reason } = MISSING_MEANS[need];
  return has(run) ? null : open(need, reason);
}

/** The check of each operation whose path the specification shows. It breaks without it. */
const CHECK_OF_OPERATION: Readonly<Partial<Record<Operation, string>>> = {
  ACCOUNT: 'account.status',
  MASS_CREATE: 'mass-create.state',
  MASS_GET: 'mass-get.request',
};

function verdictWithout(
  operation: Operation,
  { at, came, isDocumented }: MissingOperation,
  { id }: ConformanceCheck,
): CheckVerdict {
  const isBreach = isDocumented && CHECK_OF_OPERATION[operation] === id;
  return isBreach
    ? { kind: 'broken', expected: at, came: `${came}, as at a path that is not served` }
    : open('operation', `${operation} is not at ${at}: ${came} (see --endpoint)`);
}

const isMeans = (need: Operation | RunMeans): need is RunMeans =>
  Object.hasOwn(MISSING_MEANS, need);
