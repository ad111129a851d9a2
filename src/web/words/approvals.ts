import type { ApprovalGap } from '../../domain/approval/gaps.ts';
import { countsFor, isSubmitter } from '../../domain/approval/people.ts';
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

/** Whom an approval is told to, and who submits: the submitter does not count. */
type NeedsReader = Readonly<{ texts: Texts; place: ReaderPlace; submittedBy: string }>;

/** The approvals that these totals need, a line each; none: no approval is needed. */
export const approvalNeeds = (
  policy: ApprovalPolicy,
  totals: readonly CurrencyTotal[],
  reader: NeedsReader,
): readonly string[] => [
  ...new Set(requirementsOf(policy, totals).map(({ tier }) => needWords(policy, tier, reader))),
];

function needWords(
  policy: ApprovalPolicy,
  tier: Tier,
  { texts: t, place, submittedBy }: NeedsReader,
): string {
  const { approvals, roles, mustInclude } = tier;
  const names = policy.people
    .filter((person) => countsFor(tier, person) && !isSubmitter(policy, person, submittedBy))
    .map(({ name }) => name);
  const tooFew = names.length < approvals ? [t.approve.tooFew] : [];
  const parts = [
    `${peopleWords(approvals, roles, t)} (${[...names, ...tooFew].join(', ')})`,
    ...mustInclude.map(t.approve.including),
    t.approve.validFor(durationWords(policy.expiresAfterMs, place)),
  ];
  return parts.join(', ');
}
