/** A step in the history of a row. `codes`: those of the service or the engine, in their order. `detail`: what no code names. */
export type TimelineEvent = Readonly<{
  at: string;
  kind: 'sent' | 'answered' | 'looked' | 'changed';
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

/** The facts of a row's history that have a time. */
type TimedFacts = Readonly<{
  chunk: Readonly<{
    attempts: readonly TimedAttempt[];
    lookups: readonly Readonly<{ at: string; result: string }>[];
  }> | null;
  changes: readonly Readonly<{ at: string; before: string; after: string }>[];
}>;

/** What happened to a row, the oldest first. */
export function timelineOf({ chunk, changes }: TimedFacts): readonly TimelineEvent[] {
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
  return [...attempts, ...lookups, ...changed].sort((a, b) => (a.at < b.at ? -1 : 1));
}

function eventsOfAttempt(attempt: TimedAttempt): readonly TimelineEvent[] {
  const { n, signedAt, endedAt, outcome, httpStatus, traceId } = attempt;
  const sent: TimelineEvent = { at: signedAt, kind: 'sent', codes: [], detail: String(n) };
  if (endedAt === null) return [sent];
  const facts = [httpStatus === undefined ? '' : `HTTP ${httpStatus}`, traceId ?? ''];
  const detail = facts.filter((fact) => fact !== '').join(', ');
  return [sent, { at: endedAt, kind: 'answered', codes: [outcome], detail }];
}
