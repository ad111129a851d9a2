import type { WebBatch } from '../../api/results.ts';
import { Section } from '../../parts/section.tsx';
import { Text } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';
import { linkTo } from '../../route.ts';
import { useTexts } from '../../shell/reader.tsx';

/** Who approved or refused, and who must still. */
export function BatchApproval({ batch }: { batch: WebBatch }) {
  const t = useTexts();
  const { batchId, approval, decisions = [], isOver } = batch;
  const missing = isOver ? [] : (approval?.missing ?? []);
  if (decisions.length === 0 && missing.length === 0) return null;
  return (
    <Section
      title={t.approve.section}
      actions={
        missing.length === 0 ? undefined : (
          <a class="button first" href={linkTo(['batches', batchId, 'approve'])}>
            {t.approve.open}
          </a>
        )
      }
    >
      <Statements given={decisions} missing={missing} />
    </Section>
  );
}

type Statement = NonNullable<WebBatch['decisions']>[number];

type StatementsProps = Readonly<{
  given: readonly Statement[];
  missing: readonly string[];
}>;

/** The answers so far, each with its proof, and the missing ones. An answer that does not count says why. */
export function Statements({ given, missing }: StatementsProps) {
  const t = useTexts();
  return (
    <ul class="statements">
      {given.map((one) => (
        <li key={`${one.person} ${one.about} ${one.issuedAt}`} class={classOf(one)}>
          <Given statement={one} />
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

function classOf({ decision, why }: Statement): string {
  if (why !== null) return 'counts-no';
  return decision === 'refuse' ? 'counts-against' : 'counts-yes';
}

function Given({ statement }: { statement: Statement }) {
  const t = useTexts();
  const { person, decision, reason, issuedAt, about, isGenuine, why } = statement;
  return (
    <>
      <strong>
        <Text>{person}</Text>
      </strong>{' '}
      {t.approve.decisions[decision]} {about === 'plan' ? '' : t.approve.aboutHold}{' '}
      <Time value={issuedAt} />
      {isGenuine ? (
        <span class="fine">, {t.approve.proofs[statement.signedBy ?? 'unsigned']}</span>
      ) : null}
      {reason === '' ? null : (
        <p>
          {t.acts.reason}: <Text>{reason}</Text>
        </p>
      )}
      {why === null ? null : (
        <p class={isGenuine ? 'fine' : 'note bad'}>
          <Text>{why}</Text>
        </p>
      )}
    </>
  );
}
