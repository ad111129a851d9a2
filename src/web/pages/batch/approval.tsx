import type { WebBatch } from '../../api/results.ts';
import { MissingApproval } from '../../parts/missing-approval.tsx';
import { Section } from '../../parts/section.tsx';
import { ServerText } from '../../parts/said.tsx';
import { Text } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';
import { linkTo } from '../../route.ts';
import { useTexts } from '../../shell/reader.tsx';
import { useSigned } from '../../shell/session.tsx';
import { gapWords } from '../../words/approvals.ts';
import { shortNote } from '../../words/page-note.ts';

/** Who approved or refused, and who must still. */
export function BatchApproval({ batch }: { batch: WebBatch }) {
  const t = useTexts();
  const { session } = useSigned();
  const { batchId, approval, decisions = [], isOver } = batch;
  const gaps = isOver ? [] : (approval?.gaps ?? []);
  const isMine = gaps.some(({ candidates }) => candidates.includes(session.person));
  if (decisions.length === 0 && gaps.length === 0) return null;
  return (
    <Section
      title={t.approve.section}
      actions={
        gaps.length === 0 ? undefined : (
          <a
            class={isMine ? 'button first' : 'button'}
            href={linkTo(['batches', batchId, 'approve'])}
          >
            {isMine ? t.approve.open : t.inbox.look}
          </a>
        )
      }
    >
      <Statements given={decisions} gaps={gaps} />
    </Section>
  );
}

type Statement = NonNullable<WebBatch['decisions']>[number];

type StatementsProps = Readonly<{
  given: readonly Statement[];
  gaps: NonNullable<WebBatch['approval']>['gaps'];
}>;

/** The answers so far, each with its proof, and the missing ones. An answer that does not count says why. */
export function Statements({ given, gaps }: StatementsProps) {
  const t = useTexts();
  return (
    <ul class="statements">
      {given.map((one) => (
        <li key={`${one.person} ${one.about} ${one.issuedAt}`} class={classOf(one)}>
          <Given statement={one} />
        </li>
      ))}
      {gaps.map((gap) => (
        <li key={gapWords(gap, t)} class="counts-missing">
          <MissingApproval gap={gap} />
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
          <Doubt why={why} code={statement.code} />
        </p>
      )}
    </>
  );
}

type DoubtProps = Readonly<{ why: string; code: string | null }>;

/** Why an answer does not count. */
function Doubt({ why, code }: DoubtProps) {
  const t = useTexts();
  const own = code === null ? null : shortNote(code, t);
  return own ?? <ServerText>{why}</ServerText>;
}
