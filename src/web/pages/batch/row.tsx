import { callOperation } from '../../api/call.ts';
import type { WebRowHistory } from '../../api/results.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { BackToBatch } from '../../parts/back-to-batch.tsx';
import { StateBadge } from '../../parts/badge.tsx';
import { Loading } from '../../parts/error-note.tsx';
import { Money } from '../../parts/money.tsx';
import { Facts, PageHead, Section } from '../../parts/section.tsx';
import { RowReason } from '../../parts/row-reason.tsx';
import { Said } from '../../parts/said.tsx';
import { Code, Text, TextOrNone } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';
import { linkTo } from '../../route.ts';
import { useTexts } from '../../shell/reader.tsx';
import { countText } from '../../words/amounts.ts';
import { pageNote } from '../../words/page-note.ts';
import { timelineOf } from '../../words/timeline.ts';

/** The whole history of one payment. */
export function RowPage({ batchId, row }: Readonly<{ batchId: string; row: string }>) {
  const t = useTexts();
  const { value, error } = useAnswer(
    (signal) => callOperation('explainRow', { batchId, row: Number(row) }, signal),
    { key: `row ${batchId} ${row}` },
  );
  return (
    <>
      <BackToBatch batchId={batchId} />
      <Loading error={error} isEmpty={value === null} />
      {value === null ? null : <RowOf story={value} />}
      {value === null ? <PageHead title={t.row.title(row)} name={t.row.title(row)} /> : null}
    </>
  );
}

function RowOf({ story }: { story: WebRowHistory }) {
  const t = useTexts();
  const { row, step, refusedFor, lineage } = story;
  const name = t.row.title(String(row.row));
  return (
    <>
      <PageHead
        title={
          <>
            <Text>{row.name === '' ? name : `${name}: ${row.name}`}</Text>{' '}
            <StateBadge word={row.outcome} />
          </>
        }
        name={name}
        about={
          row.refused ? t.row.refused : <RowReason outcome={row.outcome} reason={row.reason} />
        }
      />
      <p class="note quiet">
        {t.row.next} {t.row.steps[step]}{' '}
        {step === 'RESENT' && row.resentAs !== undefined ? (
          <a href={linkTo(['batches', row.resentAs])}>
            <Text>{row.resentAs}</Text>
          </a>
        ) : null}
      </p>
      {refusedFor.map((reason) => {
        const { what, fix } = pageNote(reason, t);
        return (
          <p key={reason.code} class="note bad">
            <Said>{what}</Said> <Said>{fix}</Said>
          </p>
        );
      })}
      <Section title={t.row.payment}>
        <Facts
          isWide
          facts={[
            [t.rows.amount, <Money key="amount" amount={row.amount} currency={row.currency} />],
            [t.row.address, <Code key="address">{row.address}</Code>],
            [t.row.name, <TextOrNone key="name">{row.name}</TextOrNone>],
            [t.row.reference, <TextOrNone key="reference">{row.reference}</TextOrNone>],
            [t.row.comment, <TextOrNone key="comment">{row.comment}</TextOrNone>],
            [t.row.transaction, <Code key="hash">{row.transactionHash}</Code>],
            [t.row.withdrawal, <Code key="withdrawal">{row.withdrawalId}</Code>],
            ...(row.fee === ''
              ? []
              : [
                  [
                    t.batch.fee,
                    <Money key="fee" amount={row.fee} currency={row.feeCurrency} />,
                  ] as const,
                ]),
          ]}
        />
      </Section>
      <Timeline story={story} />
      <Lineage lineage={lineage} />
    </>
  );
}

/** The batches that have the row, where there is more than one. */
function Lineage({ lineage }: { lineage: WebRowHistory['lineage'] }) {
  const t = useTexts();
  if (lineage.length < 2) return null;
  return (
    <Section title={t.row.lineage}>
      <ul class="statements">
        {lineage.map(({ batchId, outcome, reason }) => (
          <li key={batchId}>
            <a href={linkTo(['batches', batchId])}>
              <Text>{batchId}</Text>
            </a>{' '}
            <StateBadge word={outcome} /> <RowReason isInList outcome={outcome} reason={reason} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Timeline({ story }: { story: WebRowHistory }) {
  const t = useTexts();
  const events = timelineOf(story);
  const words: Readonly<Record<string, string>> = { ...t.states, ...t.row.answers };
  const { chunk } = story;
  if (events.length === 0) return null;
  return (
    <Section
      title={t.row.timeline}
      about={chunk === null ? undefined : t.row.sentWith(countText(chunk.rows))}
    >
      <ol class="timeline">
        {events.map(({ at, kind, codes, detail }) => (
          <li key={`${at} ${kind} ${detail}`} class={`timeline-${kind}`}>
            <Time value={at} />
            <p>
              {t.row.events[kind]} {codes.map((code) => words[code] ?? code).join(' → ')}{' '}
              <Text>{detail}</Text>
            </p>
          </li>
        ))}
      </ol>
    </Section>
  );
}
