import type { CurrencyTotal } from '../money/currency-total.ts';
import { amountText, groupedAmount, moneyText } from '../text/money-text.ts';
import { counted } from '../text/counted.ts';
import { durationText } from '../text/duration.ts';
import { isPasskeyText } from './passkey.ts';
import { countsFor } from './people.ts';
import type { ApprovalPolicy, Tier } from './policy.ts';
import { type Requirement, requirementsOf } from './requirements.ts';

/** The sentence about unsigned approvals, in the warnings of settings, the plan and the report. */
export const UNSIGNED_TEXT =
  'Approvals are UNSIGNED: any program that reaches Temporal can approve in any name. For development only.';

const NO_POLICY_TEXT = 'No approval is needed: the settings name no approval tiers.';

/**
 * The approvals that a policy needs for a batch with these totals, in sentences for plan and report. null: there is no
 * policy.
 */
export function policyText(
  policy: ApprovalPolicy | null,
  totals: readonly CurrencyTotal[],
): string[] {
  if (policy === null) return [NO_POLICY_TEXT];
  const requirements = requirementsOf(policy, totals);
  if (requirements.length === 0) {
    return ['No approval is needed: the totals are not above any approval tier.'];
  }
  const lasting = `An approval is valid for ${durationText(policy.expiresAfterMs)}.`;
  const how = policy.mode === 'unsigned' ? UNSIGNED_TEXT : signedText(policy);
  return [...requirements.map((one) => requirementText(policy, one)), `${lasting} ${how}`];
}

/**
 * The approvals that a plan with these totals needs, a line each: `2 people from finance (bob, carol), valid for 3 days`.
 * null: there is no policy.
 */
export function approvalNeeds(
  policy: ApprovalPolicy | null,
  totals: readonly CurrencyTotal[],
): string[] {
  if (policy === null) return ['none: the settings name no approval tiers'];
  const requirements = requirementsOf(policy, totals);
  if (requirements.length === 0) return ['none: the totals are below every limit'];
  const needs = requirements.map(({ tier }) => needLine(policy, tier));
  return [...new Set(needs), ...(policy.mode === 'unsigned' ? [UNSIGNED_TEXT] : [])];
}

function needLine(policy: ApprovalPolicy, tier: Tier): string {
  const { approvals, roles, mustInclude } = tier;
  const names = policy.people.filter((person) => countsFor(tier, person)).map(({ name }) => name);
  const from = roles.length === 0 ? '' : ` from ${roles.join(' or ')}`;
  const included = mustInclude.map((role) => `, one of them from ${role}`).join('');
  const people = counted(approvals, 'person', 'people');
  const valid = `valid for ${durationText(policy.expiresAfterMs)}`;
  return `${people}${from} (${names.join(', ')})${included}, ${valid}`;
}

/** The approvals that a policy needs for batches of unknown totals, in sentences. null: there is no policy. */
export const policyAheadText = (policy: ApprovalPolicy | null): string[] =>
  policy === null
    ? [NO_POLICY_TEXT]
    : policy.tiers.map(
        (tier) => `A total above ${aboveText(tier)} needs ${needText(policy, tier)}.`,
      );

const requirementText = (policy: ApprovalPolicy, { currency, total, tier }: Requirement): string =>
  `${moneyText(total, currency)} (above ${amountText(tier.above, currency)}) needs ${needText(policy, tier)}.`;

/** The limit of a tier: `1,000.00 USDT (TRC20)`, or `1,000 of any currency`. */
export const aboveText = ({ above, currency }: Tier): string =>
  currency === null ? `${groupedAmount(above)} of any currency` : moneyText(above, currency);

const signedText = ({ people }: ApprovalPolicy): string =>
  people.some(({ publicKey }) => publicKey !== null && isPasskeyText(publicKey))
    ? 'Approvals are signed (Ed25519, passkeys).'
    : 'Approvals are signed (Ed25519).';

function needText({ people }: ApprovalPolicy, tier: Tier): string {
  const { approvals, roles, mustInclude } = tier;
  const of = roles.length === 0 ? '' : ` of ${roles.join(' or ')}`;
  const names = people.filter((person) => countsFor(tier, person)).map(({ name }) => name);
  const included = mustInclude.map((role) => `, among the approvers one of ${role}`).join('');
  const number = approvals === 1 ? '1 approval' : `${approvals} approvals`;
  return `${number}${of} (${names.join(', ')})${included}, and not by the submitter`;
}
