/**
 * Who may do what over HTTP. `read`: looks alone. `submit`: also plans and submits. `operate`: also stops, answers and
 * changes schedules. Each role may do what those before it may. No role approves: that takes a signature.
 */
export const ROLES = ['read', 'submit', 'operate'] as const;
export type Role = (typeof ROLES)[number];

/** Whether a role may do the work of another one. */
export const includesRole = (role: Role, needed: Role): boolean =>
  ROLES.indexOf(role) >= ROLES.indexOf(needed);
