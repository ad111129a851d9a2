import type { BatchReport } from '../../domain/report/report.ts';
import { instant } from './head.ts';
import { type Html, html, NOTHING } from './html.ts';
import { section, table } from './table.ts';

type Given = BatchReport['approvals']['given'][number];

const PROOFS: Readonly<Record<Given['proof'], string>> = {
  signed: 'signed, and verified for this report',
  unsigned: 'UNSIGNED: only a name',
  forged: 'NOT VALID: this person did not make the signature',
};

/** The policy of the batch, and the decisions of its approvers. */
export function approvalsSection({ approvals, digest }: BatchReport): Html {
  const { policy, given } = approvals;
  return section(
    'Approvals',
    html`${policy.map(
      (sentence) => html`<p>${sentence}</p>
`,
    )}`,
    given.length === 0 ? NOTHING : decisions(given, digest),
  );
}

const decisions = (given: readonly Given[], digest: string | null): Html =>
  table<Given>({
    caption: 'Decisions of approvers',
    columns: [
      { title: 'Person', kind: 'word', cell: ({ person }) => person },
      { title: 'Decision', kind: 'word', cell: (one) => decisionText(one, given) },
      {
        title: 'Of',
        kind: 'text',
        cell: ({ subject }) => (subject === digest ? 'the plan' : 'a hold'),
      },
      { title: 'When', kind: 'word', cell: ({ issuedAt }) => instant(issuedAt) },
      { title: 'Reason', kind: 'text', cell: ({ reason }) => reason },
      { title: 'Proof', kind: 'text', cell: ({ proof }) => PROOFS[proof] },
    ],
    items: given,
  });

/** The decision in words. An approval that its person gave again later had lapsed. */
function decisionText(one: Given, given: readonly Given[]): string {
  const { person, subject, decision, expiresAt } = one;
  const isRenewed = given.some(
    (other) =>
      other.person === person &&
      other.subject === subject &&
      other.decision === 'approve' &&
      Date.parse(other.issuedAt) >= Date.parse(expiresAt),
  );
  return decision === 'approve' && isRenewed ? 'approved, and expired' : `${decision}d`;
}
