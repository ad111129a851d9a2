/** How every command ends. Scripts rely on these numbers: none is ever given another meaning. */
export const EXIT = {
  done: 0,
  bug: 1,
  usage: 2,
  saidNo: 3,
  auth: 4,
  notFound: 5,
  unreachable: 6,
  running: 8,
  partial: 10,
  failed: 11,
  canceled: 12,
  rejected: 13,
  needsOperator: 14,
  tampered: 15,
  interrupted: 130,
} as const;
