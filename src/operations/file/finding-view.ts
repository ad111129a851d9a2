import {
  type Finding,
  FINDINGS,
  fixOf,
  type RaisedFindings,
  type Severity,
  severityOf,
} from '../../domain/plan/finding.ts';

/** A finding with everything that people read of it. */
export type FindingView = Finding &
  Readonly<{ severity: Severity; accepted: boolean; what: string; why: string; fix: string }>;

/** How a plan treats its findings. `accept`: the codes that were accepted. */
export type FindingStanding = Readonly<{ accept: readonly string[]; raised: RaisedFindings }>;

/** A finding as it stands in its plan. */
export function findingView(finding: Finding, { accept, raised }: FindingStanding): FindingView {
  const { code } = finding;
  const severity = severityOf(code, raised);
  const { what, why } = FINDINGS[code];
  const accepted = accept.includes(code);
  return { ...finding, severity, accepted, what, why, fix: fixOf(code, { severity, accepted }) };
}
