import { ENGINE } from '../../domain/audit/actions.ts';
import { type AuditLine, readNewestEntries } from '../api/read-log.ts';
import { useAnswer } from '../api/use-answer.ts';
import { BackToBatch } from '../parts/back-to-batch.tsx';
import { Loading } from '../parts/error-note.tsx';
import { PageHead } from '../parts/section.tsx';
import { ServerText } from '../parts/said.tsx';
import { Text } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';
import { linkTo } from '../route.ts';
import { useReader, useTexts } from '../shell/reader.tsx';
import { countText } from '../words/amounts.ts';
import { shortNote } from '../words/page-note.ts';

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
  const { reason, isOfServer, code } = reasonIn(entry);
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
          {isOfServer ? <Refusal what={reason} code={code} /> : <Text>{reason}</Text>}
        </p>
      )}
      <p class="fine">
        <Time value={at} /> · {seq}
      </p>
    </li>
  );
}

type Reason = Readonly<{ reason: string; isOfServer: boolean; code: string }>;

/** The reason of a person, or the refusal of the server. */
function reasonIn(entry: AuditLine): Reason {
  const { detail } = entry as Readonly<{ detail?: unknown }>;
  const facts = typeof detail === 'object' && detail !== null ? Object.entries(detail) : [];
  const texts = new Map<string, unknown>(facts);
  const textOf = (name: string): string => {
    const text = texts.get(name);
    return typeof text === 'string' ? text : '';
  };
  const given = textOf('reason') || textOf('note');
  const isOfServer = given === '' || entry.actor === ENGINE;
  return { reason: given || textOf('what'), isOfServer, code: textOf('code') };
}

type RefusalProps = Readonly<{ what: string; code: string }>;

/** Why something was refused, or stopped by a rule. */
function Refusal({ what, code }: RefusalProps) {
  const { texts: t } = useReader();
  return shortNote(code, t) ?? <ServerText>{what}</ServerText>;
}
