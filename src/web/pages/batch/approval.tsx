import type { WebBatch } from '../../api/results.ts';
import { Section } from '../../parts/section.tsx';
import { Text } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';
import { linkTo } from '../../route.ts';
import { useTexts } from '../../shell/reader.tsx';

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
      <Statements given={approval.given} missing={approval.missing} />
    </Section>
  );
}

type StatementsProps = Readonly<{
  given: NonNullable<WebBatch['approval']>['given'];
  missing: readonly string[];
}>;

/** The answers so far, and the missing ones. An answer that does not count has its reason. */
export function Statements({ given, missing }: StatementsProps) {
  const t = useTexts();
  return (
    <ul class="statements">
      {given.map(({ person, decision, issuedAt, isGenuine, why }) => (
        <li key={`${person} ${issuedAt}`} class={why === null ? 'counts-yes' : 'counts-no'}>
          <strong>
            <Text>{person}</Text>
          </strong>{' '}
          {t.approve.decisions[decision]} <Time value={issuedAt} />
          {why === null ? null : (
            <p class={isGenuine ? 'fine' : 'note bad'}>
              <Text>{why}</Text>
            </p>
          )}
        </li>
      ))}
      {missing.map((sentence) => (
        <li key={sentence} class="counts-missing">
          {t.approve.missing} <Text>{sentence}</Text>
        </li>
      ))}
    </ul>
  );
}
