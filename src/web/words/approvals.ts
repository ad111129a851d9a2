import type { ApprovalGap } from '../../domain/approval/gaps.ts';
import { countsFor } from '../../domain/approval/people.ts';
import type { ApprovalPolicy, Tier } from '../../domain/approval/policy.ts';
import { requirementsOf } from '../../domain/approval/requirements.ts';
import type { CurrencyTotal } from '../../domain/money/currency-total.ts';
import type { Texts } from '../texts/en.ts';
import { durationWords, type ReaderPlace } from './times.ts';

/** Missing approvals: `1 person from finance: bob, carol`. */
export function gapWords({ count, roles, candidates }: ApprovalGap, t: Texts): string {
  const tooFew = candidates.length < count ? [t.approve.tooFew] : [];
  const names = [...candidates, ...tooFew].join(', ');
  return `${peopleWords(count, roles, t)}: ${names}`;
}

function peopleWords(count: number, roles: readonly string[], t: Texts): string {
  const people = t.approve.people(String(count));
  return roles.length === 0 ? people : t.approve.from(people, roles.join(t.approve.or));
}

/** The approvals that these totals need, a line each; none: no approval is needed. */
export const approvalNeeds = (
  policy: ApprovalPolicy,
  totals: readonly CurrencyTotal[],
  reader: Readonly<{ texts: Texts; place: ReaderPlace }>,
): readonly string[] => [
  ...new Set(requirementsOf(policy, totals).map(({ tier }) => needWords(policy, tier, reader))),
];

function needWords(
  { people, expiresAfterMs }: ApprovalPolicy,
  tier: Tier,
  { texts: t, place }: Readonly<{ texts: Texts; place: ReaderPlace }>,
): string {
  const { approvals, roles, mustInclude } = tier;
  const names = people.filter((person) => countsFor(tier, person)).map(({ name }) => name);
  const parts = [
    `${peopleWords(approvals, roles, t)} (${names.join(', ')})`,
    ...mustInclude.map(t.approve.including),
    t.approve.validFor(durationWords(expiresAfterMs, place)),
  ];
  return parts.join(', ');
}
