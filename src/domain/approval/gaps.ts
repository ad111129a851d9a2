import { countsFor, identityOf, isSubmitter } from './people.ts';
import type { Person } from './policy.ts';
import type { Question } from './question.ts';
import { type Requirement, requirementsOf } from './requirements.ts';

/** Approvals that a question lacks. `roles`: empty: of anyone. `candidates`: the names of those who may give them. */
export type ApprovalGap = Readonly<{
  count: number;
  roles: readonly string[];
  candidates: readonly string[];
}>;

/** The approvals that a question lacks, given those that count. Each gap stands once. */
export function approvalGaps(
  question: Question,
  approvals: readonly Readonly<{ person: string }>[],
): ApprovalGap[] {
  const { policy, totals } = question;
  const approvers = policy.people.filter(({ name }) =>
    approvals.some(({ person }) => person === name),
  );
  const gaps = requirementsOf(policy, totals).flatMap((requirement) =>
    gapsOf(requirement, question, approvers),
  );
  return [...new Map(gaps.map((gap) => [gapText(gap), gap])).values()];
}

function gapsOf(
  { tier }: Requirement,
  { policy, submittedBy }: Question,
  approvers: readonly Person[],
): ApprovalGap[] {
  const decided = new Set(approvers.map(identityOf));
  const free = policy.people.filter(
    (person) => !decided.has(identityOf(person)) && !isSubmitter(policy, person, submittedBy),
  );
  const counted = approvers.filter((person) => countsFor(tier, person)).length;
  const number = {
    count: tier.approvals - counted,
    roles: tier.roles,
    candidates: namesWho(free, (person) => countsFor(tier, person)),
  };
  const included = tier.mustInclude
    .filter((role) => !approvers.some(({ roles }) => roles.includes(role)))
    .map((role) => ({
      count: 1,
      roles: [role],
      candidates: namesWho(free, ({ roles }) => roles.includes(role)),
    }));
  return [...(number.count > 0 ? [number] : []), ...included];
}

const namesWho = (people: readonly Person[], isMeant: (person: Person) => boolean): string[] =>
  people.filter(isMeant).map(({ name }) => name);

/** A gap as a sentence such as "1 more from finance: bob, carol". */
export function gapText({ count, roles, candidates }: ApprovalGap): string {
  const from = roles.length === 0 ? '' : ` from ${roles.join(' or ')}`;
  const left = candidates.length < count ? 'too few people may approve' : '';
  const who = [...candidates, ...(left === '' ? [] : [left])].join(', ');
  return `${count} more${from}: ${who}`;
}
