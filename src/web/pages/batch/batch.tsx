import { callOperation } from '../../api/call.ts';
import { type FollowedBatch, useBatch } from '../../api/use-batch.ts';
import type { WebBatch } from '../../api/results.ts';
import { StateBadge } from '../../parts/badge.tsx';
import { Loading } from '../../parts/error-note.tsx';
import { ReasonButton } from '../../parts/reason-button.tsx';
import { PageHead } from '../../parts/section.tsx';
import { Said, ServerText } from '../../parts/said.tsx';
import { Code, Text } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';
import { linkTo } from '../../route.ts';
import { useReader, useTexts } from '../../shell/reader.tsx';
import { useMay } from '../../shell/session.tsx';
import { pageNote } from '../../words/page-note.ts';
import { wordOf } from '../../words/states.ts';
import { BatchAmounts } from './amounts.tsx';
import { BatchApproval } from './approval.tsx';
import { BatchHolds } from './holds.tsx';
import { BatchProgress } from './progress.tsx';
import { BatchReport } from './report.tsx';
import { UnclearRequests } from './requests.tsx';
import { ResendSection } from './resend.tsx';
import { RowsSection } from './rows.tsx';

type BatchPageProps = Readonly<{ batchId: string; query: URLSearchParams }>;

/** Where one batch stands, and everything that a person can do about it. */
export function BatchPage({ batchId, query }: BatchPageProps) {
  const t = useTexts();
  const followed = useBatch(batchId);
  const { batch, error } = followed;
  return (
    <>
      <p class="back">
        <a href={linkTo(['batches'])}>{t.pages.batches}</a>
      </p>
      {batch === null ? <PageHead title={<Text>{batchId}</Text>} name={batchId} /> : null}
      <Loading error={error} isEmpty={batch === null} />
      {batch === null ? null : <BatchOf batch={batch} followed={followed} query={query} />}
    </>
  );
}

type BatchOfProps = Readonly<{ batch: WebBatch; followed: FollowedBatch; query: URLSearchParams }>;

function BatchOf({ batch, followed, query }: BatchOfProps) {
  const t = useTexts();
  const { batchId } = batch;
  return (
    <>
      <PageHead
        title={
          <>
            <Text>{batchId}</Text> <StateBadge word={wordOf(batch)} />
          </>
        }
        name={batchId}
        about={<Activity batch={batch} />}
        actions={<BatchActs batch={batch} onChange={followed.reload} />}
      />
      <Submission batch={batch} />
      <Notes batch={batch} />
      <BatchProgress batch={batch} followed={followed} />
      <BatchHolds batch={batch} onChange={followed.reload} />
      <UnclearRequests batch={batch} onChange={followed.reload} />
      <BatchApproval batch={batch} />
      <BatchAmounts batch={batch} />
      <ResendSection batch={batch} />
      {batch.isOver ? <BatchReport batchId={batchId} /> : null}
      <RowsSection batch={batch} query={query} />
      <p>
        <a href={linkTo(['audit'], { batch: batchId })}>{t.batch.toAudit}</a>
      </p>
    </>
  );
}

/** What happens now. The server names more of it, in English alone. */
function Activity({ batch: { activity, state } }: { batch: WebBatch }) {
  const { language, texts: t } = useReader();
  if (activity === undefined || language !== 'en') return t.batch.notes[activity?.state ?? state];
  return <Text>{activity.note}</Text>;
}

/** Who submitted it, when, and from which file. */
function Submission({ batch: { submittedBy, submittedAt, file } }: { batch: WebBatch }) {
  const t = useTexts();
  if (submittedBy === undefined || submittedAt === undefined || file === undefined) return null;
  return (
    <details class="fine">
      <summary>
        {t.batch.submittedBy} <Text>{submittedBy}</Text>, <Time value={submittedAt} />,{' '}
        {t.batch.fromFile} <Text>{file.name}</Text>
      </summary>
      {t.approve.fileHash}: <Code>{file.sha256}</Code>
    </details>
  );
}

/** Troubles, and links to the batches of the same rows. */
function Notes({ batch }: { batch: WebBatch }) {
  const t = useTexts();
  const { error, trouble, worker, isQueued, canceled, parentBatchId, childBatchId } = batch;
  const { paidTwice, needsOperator, alarms } = batch;
  return (
    <>
      {error === null ? null : (
        <div class="note bad">
          {Object.entries(pageNote(error, t)).map(([part, sentence]) =>
            sentence === null ? null : (
              <p key={part}>
                <Said>{sentence}</Said>
              </p>
            ),
          )}
        </div>
      )}
      {worker === undefined ? null : <p class="note bad">{t.batch.noWorker}</p>}
      {isQueued ? <p class="note wait">{t.batch.queued}</p> : null}
      {trouble === undefined ? null : (
        <p class="note bad">
          {t.batch.trouble} <ServerText>{trouble}</ServerText>
        </p>
      )}
      {paidTwice.length === 0 ? null : (
        <p class="note bad">
          <strong>{t.batch.paidTwice(paidTwice.map(({ row }) => row).join(', '))}</strong>
        </p>
      )}
      {needsOperator.length === 0 ? null : (
        <p class="note bad">{t.batch.needsOperator(needsOperator.length)}</p>
      )}
      {alarms.length === 0 ? null : <p class="note wait">{t.batch.alarms(alarms.length)}</p>}
      {canceled === undefined ? null : (
        <p class="note quiet">
          {t.batch.canceledBy} <Text>{`${canceled.by}: ${canceled.reason}`}</Text>
        </p>
      )}
      {parentBatchId === null ? null : (
        <p class="note quiet">
          {t.batch.resendOf} <a href={linkTo(['batches', parentBatchId])}>{parentBatchId}</a>
        </p>
      )}
      {childBatchId === null ? null : (
        <p class="note quiet">
          {t.batch.resentAs} <a href={linkTo(['batches', childBatchId])}>{childBatchId}</a>
        </p>
      )}
    </>
  );
}

type BatchActsProps = Readonly<{ batch: WebBatch; onChange(): void }>;

function BatchActs({ batch, onChange }: BatchActsProps) {
  const t = useTexts();
  const mayOperate = useMay('operate');
  const { batchId, isOver, holds, canceled } = batch;
  if (isOver || !mayOperate) return null;
  const isPaused = holds.some(({ kind }) => kind === 'PAUSE');
  return (
    <>
      {isPaused || canceled !== undefined ? null : (
        <ReasonButton
          label={t.acts.pause}
          about={batchId}
          question={t.acts.pauseQuestion}
          work={async (reason) => {
            await callOperation('pauseBatch', { batchId, reason });
            onChange();
            return t.acts.paused;
          }}
        />
      )}
      {canceled !== undefined ? null : (
        <ReasonButton
          label={t.acts.cancel}
          about={batchId}
          kind="danger"
          question={t.acts.cancelQuestion}
          work={async (reason) => {
            await callOperation('cancelBatch', { batchId, reason });
            onChange();
            return t.acts.canceled;
          }}
        />
      )}
    </>
  );
}
