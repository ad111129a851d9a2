import { EXIT, type ExitName } from '../../domain/errors/exit-codes.ts';

/** Exit codes from the best to the worst. */
const BY_SEVERITY: readonly ExitName[] = [
  'done',
  'running',
  'partial',
  'canceled',
  'failed',
  'rejected',
  'needsOperator',
  'tampered',
  'saidNo',
  'notFound',
  'unreachable',
  'auth',
  'usage',
  'bug',
  'interrupted',
];

/** The worst of several exit codes; 0 when there are none. */
export const worstExitCode = (codes: readonly number[]): number =>
  BY_SEVERITY.map((name) => EXIT[name]).findLast((code) => codes.includes(code)) ?? EXIT.done;
