import type { Operation } from '@bursar/merchant-api/spec';
import type { Check, Means, Openness, Verdict } from './check.ts';
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
import { Unmet } from './expect.ts';
import { realMs, type Run } from './run.ts';

/** Every sentence that can be tried, in the order of the specification. */
export const CHECKS: readonly Check[] = [
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

export type Tried = Readonly<{
  check: Pick<Check, 'id' | 'section' | 'sentence'>;
  verdict: Verdict;
}>;

export type SuiteOptions = Readonly<{
  run: Run;
  /** The same service in a greater hurry, for what takes days by the specification. */
  hurried: Run | null;
  /** Whether to try what takes longer than patience, too. */
  isSlow: boolean;
  /** Checks whose id is, or begins with, one of these; empty: all. */
  only: readonly string[];
  onTried?(tried: Tried): void;
}>;

/**
 * Tries one sentence after another, and at the same time those on a service in a hurry. A check that
 * fails unexpectedly counts as broken.
 */
export async function runChecks(options: SuiteOptions): Promise<Tried[]> {
  const { hurried, only, onTried } = options;
  const chosen = choose(only);
  const plans = chosen.map((check) => ({
    check,
    place: placeOf(check, options),
  }));
  const early = new Map(
    plans.flatMap(({ check, place }) =>
      hurried !== null && place === hurried ? [[check.id, tryCheck(check, hurried)]] : [],
    ),
  );
  const tried: Tried[] = [];
  for (const { check, place } of plans) {
    const verdict = await (early.get(check.id) ?? tryCheck(check, place));
    const { id, section, sentence } = check;
    const one = { check: { id, section, sentence }, verdict };
    tried.push(one);
    onTried?.(one);
  }
  return tried;
}

/** `webhooks.retries` chooses all whose ids begin with it and a dot. What is made is deleted at the end. */
function choose(only: readonly string[]): readonly Check[] {
  if (only.length === 0) return CHECKS;
  const isNamed = ({ id }: Check): boolean =>
    only.some((name) => id === name || id.startsWith(`${name}.`));
  const named = CHECKS.filter(isNamed);
  const makes = named.some(({ needs }) => needs.includes('objects'));
  return makes ? CHECKS.filter((check) => isNamed(check) || check === noneLeftCheck) : named;
}

/** Where a check is tried; null where it would take too long. */
function placeOf({ takesS = 0 }: Check, { run, hurried, isSlow }: SuiteOptions): Run | null {
  const isQuick = (each: Run): boolean => realMs(each, takesS) <= each.patienceMs;
  if (isQuick(run)) return run;
  if (hurried !== null && isQuick(hurried)) return hurried;
  return isSlow ? run : null;
}

async function tryCheck(check: Check, run: Run | null): Promise<Verdict> {
  if (run === null) {
    return open('time', `it takes ${check.takesS} s by the specification (see --slow)`);
  }
  for (const need of check.needs) {
    const reason = lackOf(need, run);
    if (reason !== null) return reason;
  }
  try {
    return await check.try(run);
  } catch (error) {
    if (error instanceof Unmet) {
      return { kind: 'broken', expected: error.expected, came: error.came };
    }
    const came = error instanceof Error ? error.message : String(error);
    return { kind: 'broken', expected: 'an answer', came };
  }
}

const open = (needs: Openness, reason: string): Verdict => ({
  kind: 'open',
  needs,
  reason,
});

type Lack = Readonly<{ has(run: Run): boolean; reason: string }>;

const LACKS: Readonly<Record<Means, Lack>> = {
  objects: {
    has: ({ mayMake }) => mayMake,
    reason: 'nothing may be made (see --make)',
  },
  payments: {
    has: ({ payment }) => payment !== null,
    reason: 'nothing may be paid (see --pay)',
  },
  'failing-address': {
    has: ({ payment }) => payment?.failingAddress !== null,
    reason: 'no address is known to which a withdrawal fails (see --failing-address)',
  },
  'invalid-address': {
    has: ({ payment }) => payment?.invalidAddress !== null,
    reason: 'no address is known that fails the validation (see --invalid-address)',
  },
  receiver: {
    has: ({ receiver }) => receiver !== null,
    reason: 'the service cannot reach this computer (see --webhook-url)',
  },
  events: {
    has: ({ person, payment }) => person !== null || payment !== null,
    reason: 'nothing may happen (see --pay, --admin-url)',
  },
  person: {
    has: ({ person }) => person !== null,
    reason: "a person must act in the service's interface (see --admin-url)",
  },
};

function lackOf(need: Operation | Means, run: Run): Verdict | null {
  if (!isMeans(need)) {
    return run.service.has(need) ? null : open('operation', `the service has no ${need}`);
  }
  const { has, reason } = LACKS[need];
  return has(run) ? null : open(need, reason);
}

const isMeans = (need: Operation | Means): need is Means => Object.hasOwn(LACKS, need);
