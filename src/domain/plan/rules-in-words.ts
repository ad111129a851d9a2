import type { ApprovalPolicy, Person, Tier } from '../approval/policy.ts';
import { durationText } from '../text/duration.ts';
import type { FeeRules, HouseRules, Limits, Money, PayeeRules } from './rules.ts';

/** House rules as people read them, one sentence for each; other rules have other sentences. */
export type RulesInWords = Readonly<
  Record<'approval' | 'approvers' | 'findings' | 'limits' | 'fees', readonly string[]>
>;

export const rulesInWords = (rules: HouseRules): RulesInWords => ({
  approval: approvalWords(rules.approval),
  approvers: (rules.approval?.people ?? []).map(personWords),
  findings: findingWords(rules),
  limits: limitWords(rules.limits),
  fees: feeWords(rules.fees),
});

function approvalWords(policy: ApprovalPolicy | null): string[] {
  if (policy === null) return ['No approval is needed.'];
  return [
    policy.mode === 'signed'
      ? 'Approvals are signed.'
      : 'APPROVALS ARE UNSIGNED: they prove nothing, for anybody can give them in any name.',
    `An approval counts for ${durationText(policy.expiresAfterMs)}.`,
    ...policy.tiers.map(tierWords),
  ];
}

function tierWords({ currency, above, approvals, roles, mustInclude }: Tier): string {
  const what = currency === null ? `Above ${above} of any currency` : `Above ${above} ${currency}`;
  const count = approvals === 1 ? '1 approval' : `${approvals} approvals`;
  const from = roles.length === 0 ? 'by anybody who may approve' : `by ${roles.join(' or ')}`;
  const also =
    mustInclude.length === 0 ? '' : `, among them one by ${mustInclude.join(' and one by ')}`;
  return `${what}: ${count} ${from}${also}.`;
}

/** Names of users come from the settings as they are, so they are quoted. */
function personWords({ name, publicKey, roles, users }: Person): string {
  const role = roles.length === 0 ? 'no role' : roles.join(' and ');
  const known = users.length === 0 ? '' : `, submits as ${users.map(quoted).join(' or ')}`;
  return `${name} may approve: ${role}, ${publicKey ?? 'without a key'}${known}.`;
}

const quoted = (text: string): string => JSON.stringify(text);

const DAY_MS = 86_400_000;

const findingWords = ({ findings, historyDays, payees }: HouseRules): string[] => [
  ...(findings.block.length === 0 ? [] : [`These stop a batch: ${findings.block.join(', ')}.`]),
  ...(findings.confirm.length === 0
    ? []
    : [`These must be accepted: ${findings.confirm.join(', ')}.`]),
  `Payments of the last ${durationText(historyDays * DAY_MS)} are looked at.`,
  ...(payees === undefined ? [] : [payeeWords(payees)]),
];

const payeeWords = ({ knownAbove, paidBefore }: PayeeRules): string =>
  `Above ${moneyWords(knownAbove)} an address must be in the register of payees${paidBefore ? ', or paid before' : ''}.`;

const LIMITS: readonly (readonly [keyof Limits, string])[] = [
  ['row', 'A row'],
  ['payee', 'An address in one batch'],
  ['batch', 'A batch'],
  ['day', 'All batches of a day'],
];

function limitWords(limits: Limits): string[] {
  const words = LIMITS.filter(([kind]) => limits[kind].length > 0).map(
    ([kind, name]) => `${name}: at most ${moneyWords(limits[kind])}.`,
  );
  return words.length === 0 ? ['No limits.'] : words;
}

const feeWords = ({ driftMaxPercent, shareMaxPercent, totalMax }: FeeRules): string[] => [
  driftMaxPercent === null
    ? 'Fees may rise before the due time.'
    : `Fees may rise by ${driftMaxPercent} % before the due time.`,
  ...(shareMaxPercent === null ? [] : [`Fees: at most ${shareMaxPercent} % of the amount.`]),
  ...(totalMax.length === 0 ? [] : [`Fees of a batch: at most ${moneyWords(totalMax)}.`]),
];

const moneyWords = (sums: readonly Money[]): string =>
  sums.map(({ amount, currency }) => `${amount} ${currency}`).join(', ');
