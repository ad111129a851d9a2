import { FINDINGS, type Finding, type Severity } from '../../domain/plan/finding.ts';
import type { BatchReport, ReportedFinding } from '../../domain/report/report.ts';
import { withCommas } from '../../domain/text/counted.ts';
import { type Html, NOTHING } from './html.ts';
import { section, table } from './table.ts';

/** The severities of findings in plain words. */
const SEVERITY_NAMES: Readonly<Record<Severity, string>> = {
  block: 'Blocks the batch',
  confirm: 'Needs a confirmation',
  info: 'For information',
};

/** The findings of the plan, with the decision on each. */
export function findingsSection({ findings: items }: BatchReport): Html {
  if (items.length === 0) return NOTHING;
  return section(
    'Findings in the file',
    table<ReportedFinding>({
      caption: 'Findings before money moved',
      columns: [
        { title: 'Finding', kind: 'code', cell: ({ code }) => code },
        { title: 'Severity', kind: 'word', cell: ({ severity }) => SEVERITY_NAMES[severity] },
        { title: 'Rows', kind: 'count', cell: ({ count }) => withCommas(count) },
        { title: 'What and why', kind: 'phrase', cell: whatAndWhy },
        { title: 'First rows', kind: 'text', cell: examplesOf },
        { title: 'Decision', kind: 'phrase', cell: decisionOn },
      ],
      items,
    }),
  );
}

const whatAndWhy = ({ code }: Finding): string => `${FINDINGS[code].what} ${FINDINGS[code].why}`;

/** The first rows of a finding. A finding about the whole file has row 0. */
const examplesOf = ({ examples }: Finding): string =>
  examples
    .map(({ row, detail }) =>
      row === 0 ? detail : detail === '' ? `${row}` : `${row} (${detail})`,
    )
    .join(', ');

/** The decision on a finding. A person cannot accept a finding that blocks. */
function decisionOn({ severity, accepted }: ReportedFinding): string {
  if (severity === 'block') return 'stopped the batch';
  if (accepted) return 'accepted by the submitter';
  return severity === 'info' ? 'for information' : 'not accepted';
}
