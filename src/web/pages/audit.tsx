import { type AuditLine, readNewestEntries } from '../api/read-log.ts';
import { useAnswer } from '../api/use-answer.ts';
import { BackToBatch } from '../parts/back-to-batch.tsx';
import { Loading } from '../parts/error-note.tsx';
import { PageHead } from '../parts/section.tsx';
import { Text } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';
import { linkTo } from '../route.ts';
import { useTexts } from '../shell/reader.tsx';
import { countText } from '../words/amounts.ts';

/** Who decided and tried what, in sentences, the newest first. */
export function AuditPage({ batchId }: { batchId: string | null }) {
  const t = useTexts();
  const { value, error } = useAnswer((signal) => readNewestEntries(batchId, signal), {
    key: `audit ${batchId ?? ''}`,
  });
  return (
    <>
      {batchId === null ? null : <BackToBatch batchId={batchId} />}
      <PageHead title={t.audit.title} name={t.audit.title} about={t.audit.about} />
      <Loading error={error} isEmpty={value === null} />
      {value === null ? null : (
        <>
          <p class={value.isWhole ? 'note good' : 'note bad'} role="status">
            {value.isWhole ? t.audit.whole(countText(value.checked)) : t.audit.broken}
          </p>
          {value.entries.length === 0 ? <p class="empty">{t.audit.none}</p> : null}
          <ol class="log">
            {value.entries.map((entry) => (
              <Entry key={entry.seq} entry={entry} isNamed={batchId === null} />
            ))}
          </ol>
        </>
      )}
    </>
  );
}

type EntryProps = Readonly<{ entry: AuditLine; isNamed: boolean }>;

function Entry({ entry, isNamed }: EntryProps) {
  const t = useTexts();
  const { seq, at, actor, action, batchId } = entry;
  const sentence = t.audit.actions[action as keyof typeof t.audit.actions] ?? action;
  const reason = reasonIn(entry);
  return (
    <li>
      <p>
        <strong>
          <Text>{actor}</Text>
        </strong>{' '}
        {sentence}
        {isNamed && batchId !== null ? (
          <>
            {': '}
            <a href={linkTo(['batches', batchId])}>
              <Text>{batchId}</Text>
            </a>
          </>
        ) : null}
      </p>
      {reason === '' ? null : (
        <p class="said">
          <Text>{reason}</Text>
        </p>
      )}
      <p class="fine">
        <Time value={at} /> · {seq}
      </p>
    </li>
  );
}

/** The reason of a person, or the refusal of the engine. */
function reasonIn(entry: AuditLine): string {
  const { detail } = entry as Readonly<{ detail?: unknown }>;
  if (typeof detail !== 'object' || detail === null) return '';
  const texts = new Map<string, unknown>(Object.entries(detail));
  const given = [texts.get('reason'), texts.get('note'), texts.get('what')];
  return given.find((text): text is string => typeof text === 'string') ?? '';
}
