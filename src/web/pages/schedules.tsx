import { callList, callOperation } from '../api/call.ts';
import type { ResultOf } from '../api/results.ts';
import { useAnswer } from '../api/use-answer.ts';
import { Badge } from '../parts/badge.tsx';
import { Calendar } from '../parts/calendar.tsx';
import { Loading } from '../parts/error-note.tsx';
import { useAction } from '../api/use-action.ts';
import { ErrorNote } from '../parts/error-note.tsx';
import { ReasonButton } from '../parts/reason-button.tsx';
import { Facts, PageHead, Section } from '../parts/section.tsx';
import { ServerText } from '../parts/said.tsx';
import { Text, TextOrNone } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';
import { linkTo } from '../route.ts';
import { useTexts } from '../shell/reader.tsx';
import { useMay } from '../shell/session.tsx';

type Schedule = ResultOf<'showSchedule'>;

/** Schedules that are read one by one. */
const READ_MAX = 50;

async function readAll(signal: AbortSignal): Promise<readonly Schedule[]> {
  const { items } = await callList('listSchedules', {}, signal);
  return Promise.all(
    items
      .slice(0, READ_MAX)
      .map(({ scheduleId }) => callOperation('showSchedule', { scheduleId }, signal)),
  );
}

/** When the next payments run, as a calendar and as a list. */
export function SchedulesPage() {
  const t = useTexts();
  const { value, error, reload } = useAnswer(readAll, { key: 'schedules', everyMs: 60_000 });
  const runs = (value ?? []).flatMap(({ scheduleId, state, nextRuns }) =>
    state === 'AT_WORK'
      ? nextRuns.map((run) => ({ at: run.dueAt, entry: { scheduleId, ...run } }))
      : [],
  );
  return (
    <>
      <PageHead title={t.schedules.title} name={t.schedules.title} about={t.schedules.about} />
      <Loading error={error} isEmpty={value === null} />
      {value === null ? null : value.length === 0 ? (
        <p class="empty">{t.schedules.none}</p>
      ) : (
        <>
          <Section title={t.schedules.calendar}>
            <Calendar
              label={t.schedules.calendar}
              entries={runs}
              show={({ scheduleId, marks }) => (
                <>
                  <Text>{scheduleId}</Text>
                  {marks.map(({ code }) => (
                    <span key={code} class="fine">
                      {' '}
                      {t.schedules.marks[code]}
                    </span>
                  ))}
                </>
              )}
            />
          </Section>
          {value.map((schedule) => (
            <ScheduleCard key={schedule.scheduleId} schedule={schedule} onChange={reload} />
          ))}
        </>
      )}
    </>
  );
}

type ScheduleCardProps = Readonly<{ schedule: Schedule; onChange(): void }>;

function ScheduleCard({ schedule, onChange }: ScheduleCardProps) {
  const t = useTexts();
  const { scheduleId, state, rule, timezone, file, createdBy, note, nextRuns, lastRuns } = schedule;
  const next = nextRuns[0];
  const last = lastRuns[0];
  return (
    <Section title={scheduleId} actions={<ScheduleActs schedule={schedule} onChange={onChange} />}>
      <Facts
        facts={[
          [
            t.batches.state,
            <Badge key="state" tone={state === 'AT_WORK' ? 'good' : 'held'}>
              {t.schedules.states[state]}
            </Badge>,
          ],
          [
            t.schedules.rule,
            <span key="rule">
              <ServerText isInList>{rule}</ServerText> <Text>{`(${timezone})`}</Text>
            </span>,
          ],
          [t.schedules.file, <Text key="file">{file}</Text>],
          [
            t.schedules.next,
            <Time key="next" value={state === 'AT_WORK' ? (next?.dueAt ?? null) : null} />,
          ],
          [
            t.schedules.last,
            last === undefined ? (
              '–'
            ) : (
              <span key="last">
                <Time value={last.dueAt} />{' '}
                {last.state === null ? null : t.schedules.runStates[last.state]}{' '}
                <a href={linkTo(['batches', last.batchId])}>
                  <Text>{last.batchId}</Text>
                </a>
              </span>
            ),
          ],
          [t.schedules.createdBy, <Text key="by">{createdBy}</Text>],
          ...(note === null || note === ''
            ? []
            : [[t.schedules.note, <TextOrNone key="note">{note}</TextOrNone>] as const]),
        ]}
      />
    </Section>
  );
}

function ScheduleActs({ schedule: { scheduleId, state }, onChange }: ScheduleCardProps) {
  const t = useTexts();
  const mayOperate = useMay('operate');
  const action = useAction();
  if (!mayOperate || state === 'DELETED') return null;
  const resume = async (): Promise<string> => {
    await callOperation('resumeSchedule', { scheduleId });
    onChange();
    return t.schedules.resumed;
  };
  if (state === 'PAUSED') {
    return (
      <>
        <button
          type="button"
          class="first"
          aria-label={`${t.schedules.resume} ${scheduleId}`}
          onClick={() => void action.run(resume)}
        >
          {t.schedules.resume}
        </button>
        <ErrorNote what={t.acts.notDone} error={action.error} />
      </>
    );
  }
  return (
    <ReasonButton
      label={t.schedules.pause}
      about={scheduleId}
      question={t.schedules.pauseQuestion}
      work={async (note) => {
        await callOperation('pauseSchedule', { scheduleId, note });
        onChange();
        return t.schedules.paused;
      }}
    />
  );
}
