/** Roles of a user. Spec: "User, company and permissions". */
export const USER_ROLES = [
  'SYSTEM',
  'SERVICE_ADMIN',
  'FINANCE_ADMIN',
  'LIQUIDITY_ADMIN',
  'SERVICE_PERSONAL_MANAGER',
  'ACCOUNT',
  'SUPPORT',
  'COMPANY_ADMIN',
  'COMPANY_AUDITOR',
] as const;

/** Role of a user. Spec: "User, company and permissions". */
export type UserRole = (typeof USER_ROLES)[number];

/** Role of a user in an answer: the service may add roles at any time. */
export type WireUserRole = UserRole | (string & {});
