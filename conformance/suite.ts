import type { Check, Verdict } from './check.ts';
import { accountChecks } from './checks/account.ts';
import { authenticationChecks } from './checks/authentication.ts';
import { feeChecks } from './checks/fees.ts';
import { lookupChecks, massPayoutChecks } from './checks/mass-payout.ts';
import { reportChecks } from './checks/report.ts';
import { walletChecks } from './checks/wallets.ts';
import { webhookChecks } from './checks/webhooks.ts';
import type { Given } from './given.ts';
import type { Service } from './service.ts';

/** Every sentence that can be tried, in the order of the specification. */
export const CHECKS: readonly Check[] = [
  ...authenticationChecks,
  ...accountChecks,
  ...feeChecks,
  ...webhookChecks,
  ...walletChecks,
  ...reportChecks,
  ...massPayoutChecks,
  ...lookupChecks,
];

export type Tried = Readonly<{
  check: Pick<Check, 'id' | 'section' | 'sentence'>;
  verdict: Verdict | Readonly<{ kind: 'left-out'; found: string }>;
}>;

export type RunOptions = Readonly<{
  service: Service;
  given: Given;
  /** Whether wallets and subscriptions may be made. */
  mayLeaveObjects: boolean;
  /** Only these checks; empty: all. */
  only: readonly string[];
  onTried?(tried: Tried): void;
}>;

/** Tries one sentence after another. A check that fails unexpectedly counts as broken. */
export async function runChecks(options: RunOptions): Promise<Tried[]> {
  const { only, onTried } = options;
  const tried: Tried[] = [];
  for (const check of CHECKS) {
    if (only.length > 0 && !only.includes(check.id)) continue;
    const reason = reasonToLeaveOut(check, options);
    const verdict = reason === null ? await tryCheck(check, options) : leftOut(reason);
    const { id, section, sentence } = check;
    const one = { check: { id, section, sentence }, verdict };
    tried.push(one);
    onTried?.(one);
  }
  return tried;
}

const leftOut = (found: string) => ({ kind: 'left-out', found }) as const;

function reasonToLeaveOut(
  { needs, leaves }: Check,
  { service, given, mayLeaveObjects }: RunOptions,
): string | null {
  const missing = needs.filter((operation) => !service.has(operation));
  if (missing.length > 0) return `the service has no ${missing.join(', ')}`;
  if (leaves === 'payments' && given.payment === null) return 'nothing may be paid (see --pay)';
  if (leaves === 'objects' && !mayLeaveObjects) return 'nothing may be made (see --make)';
  return null;
}

async function tryCheck(check: Check, { service, given }: RunOptions): Promise<Verdict> {
  try {
    return await check.try(service, given);
  } catch (error) {
    return { kind: 'broken', found: error instanceof Error ? error.message : String(error) };
  }
}
