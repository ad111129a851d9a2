/** A step in the history of a row. `codes`: those of the service or the engine, in their order. `detail`: what no code names. */
export type TimelineEvent = Readonly<{
  at: string;
  kind: 'sent' | 'answered' | 'looked' | 'changed' | 'ended';
  codes: readonly string[];
  detail: string;
}>;

type TimedAttempt = Readonly<{
  n: number;
  signedAt: string;
  endedAt: string | null;
  outcome: string;
  httpStatus?: number;
  traceId?: string;
}>;

/** When the outcome of a row was seen; null while it is open. */
type TimedEnd = Readonly<{ at: string | null; row: Readonly<{ outcome: string }> }>;

/** The facts of a row's history that have a time. */
type TimedFacts = TimedEnd &
  Readonly<{
    chunk: Readonly<{
      attempts: readonly TimedAttempt[];
      lookups: readonly Readonly<{ at: string; result: string }>[];
    }> | null;
    changes: readonly Readonly<{ at: string; before: string; after: string }>[];
  }>;

/** What happened to a row, the oldest first. */
export function timelineOf({ chunk, changes, ...end }: TimedFacts): readonly TimelineEvent[] {
  const lookups = (chunk?.lookups ?? []).map(
    ({ at, result }): TimelineEvent => ({ at, kind: 'looked', codes: [result], detail: '' }),
  );
  const changed = changes.map(
    ({ at, before, after }): TimelineEvent => ({
      at,
      kind: 'changed',
      codes: [before, after],
      detail: '',
    }),
  );
  const attempts = (chunk?.attempts ?? []).flatMap(eventsOfAttempt);
  const all = [...attempts, ...lookups, ...changed, ...endOf(end, changes.length > 0)];
  return all.sort((a, b) => (a.at === b.at ? 0 : a.at < b.at ? -1 : 1));
}

/** The outcome of a row that is not open. A later change says itself what the outcome became. */
const endOf = ({ at, row }: TimedEnd, isChanged: boolean): readonly TimelineEvent[] =>
  at === null || isChanged ? [] : [{ at, kind: 'ended', codes: [row.outcome], detail: '' }];

function eventsOfAttempt(attempt: TimedAttempt): readonly TimelineEvent[] {
  const { n, signedAt, endedAt, outcome, httpStatus, traceId } = attempt;
  const sent: TimelineEvent = { at: signedAt, kind: 'sent', codes: [], detail: String(n) };
  if (endedAt === null) return [sent];
  const facts = [httpStatus === undefined ? '' : `HTTP ${httpStatus}`, traceId ?? ''];
  const detail = facts.filter((fact) => fact !== '').join(', ');
  return [sent, { at: endedAt, kind: 'answered', codes: [outcome], detail }];
}
