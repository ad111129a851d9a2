import type { WebBatch } from '../../api/results.ts';
import { Section } from '../../parts/section.tsx';
import { ServerText } from '../../parts/said.tsx';
import { Text } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';
import { linkTo } from '../../route.ts';
import { useTexts } from '../../shell/reader.tsx';
import { gapWords } from '../../words/approvals.ts';
import { shortNote } from '../../words/page-note.ts';

/** Who approved, and who must still. */
export function BatchApproval({ batch: { batchId, approval, isOver } }: { batch: WebBatch }) {
  const t = useTexts();
  if (approval === undefined || isOver) return null;
  return (
    <Section
      title={t.approve.section}
      actions={
        approval.missing.length === 0 ? undefined : (
          <a class="button first" href={linkTo(['batches', batchId, 'approve'])}>
            {t.approve.open}
          </a>
        )
      }
    >
      <Statements given={approval.given} gaps={approval.gaps} />
    </Section>
  );
}

type DoubtProps = Readonly<{ why: string; code: string | null }>;

/** Why an answer does not count. */
function Doubt({ why, code }: DoubtProps) {
  const t = useTexts();
  const own = code === null ? null : shortNote(code, t);
  return own ?? <ServerText>{why}</ServerText>;
}

type StatementsProps = Readonly<{
  given: NonNullable<WebBatch['approval']>['given'];
  gaps: NonNullable<WebBatch['approval']>['gaps'];
}>;

/** The answers so far, and the missing ones. An answer that does not count has its reason. */
export function Statements({ given, gaps }: StatementsProps) {
  const t = useTexts();
  return (
    <ul class="statements">
      {given.map(({ person, decision, issuedAt, isGenuine, why, code }) => (
        <li key={`${person} ${issuedAt}`} class={why === null ? 'counts-yes' : 'counts-no'}>
          <strong>
            <Text>{person}</Text>
          </strong>{' '}
          {t.approve.decisions[decision]} <Time value={issuedAt} />
          {why === null ? null : (
            <p class={isGenuine ? 'fine' : 'note bad'}>
              <Doubt why={why} code={code} />
            </p>
          )}
        </li>
      ))}
      {gaps
        .map((gap) => gapWords(gap, t))
        .map((sentence) => (
          <li key={sentence} class="counts-missing">
            {t.approve.missing} <Text>{sentence}</Text>
          </li>
        ))}
    </ul>
  );
}
