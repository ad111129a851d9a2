import type { ApprovalPolicy } from '../domain/approval/policy.ts';
import type { HouseRules } from '../domain/plan/rules.ts';
import type { ApprovalSection } from './rules-schema.ts';
import type { CheckedToml } from './schema.ts';

/** The house rules of checked settings. */
export const assembleRules = (checked: CheckedToml): HouseRules => ({
  approval: assembleApproval(checked.approval),
  findings: { confirm: checked.findings.confirm, block: checked.findings.block },
  historyDays: checked.findings.history_days,
  limits: checked.limits,
  fees: {
    driftMaxPercent: checked.fees.drift_max_percent,
    shareMaxPercent: checked.fees.share_max_percent ?? null,
    totalMax: checked.fees.total_max,
  },
});

/** No tier, no policy: then no approval is needed. */
const assembleApproval = (approval: ApprovalSection): ApprovalPolicy | null =>
  approval.tiers.length === 0 ? null : policyFrom(approval);

/** A section of the settings under the names in code. */
export const policyFrom = (approval: ApprovalSection): ApprovalPolicy => ({
  mode: approval.mode,
  expiresAfterMs: approval.expires_after_ms,
  tiers: approval.tiers.map((tier) => ({
    currency: tier.currency ?? null,
    above: tier.above,
    approvals: tier.approvals,
    roles: tier.roles,
    mustInclude: tier.must_include,
  })),
  people: approval.people.map((person) => ({
    name: person.name,
    publicKey: person.public_key ?? null,
    roles: person.roles,
    users: person.users,
  })),
});
