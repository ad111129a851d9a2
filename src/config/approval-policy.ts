import type { ApprovalSection } from './rules-schema.ts';
import type { ApprovalPolicy } from '../domain/approval/policy.ts';

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
