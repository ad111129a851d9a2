import { policyFrom } from './approval-policy.ts';
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
