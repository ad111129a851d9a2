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

/** The facts of a row's history that have a time. */
type TimedFacts = Readonly<{
  chunk: Readonly<{
    attempts: readonly TimedAttempt[];
    lookups: readonly Readonly<{ at: string; result: string }>[];
  }> | null;
  /** When the outcome was seen; null while the row is open. */
  at: string | null;
  row: Readonly<{ outcome: string }>;
  changes: readonly Readonly<{ at: string; before: string; after: string }>[];
}>;

/** What happened to a row, the oldest first. */
export function timelineOf({ chunk, at, row, changes }: TimedFacts): readonly TimelineEvent[] {
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
  // A later change says itself what the outcome became.
  const ended: readonly TimelineEvent[] =
    at === null || changes.length > 0
      ? []
      : [{ at, kind: 'ended', codes: [row.outcome], detail: '' }];
  return [...attempts, ...lookups, ...changed, ...ended].sort((a, b) =>
    a.at === b.at ? 0 : a.at < b.at ? -1 : 1,
  );
}

function eventsOfAttempt(attempt: TimedAttempt): readonly TimelineEvent[] {
  const { n, signedAt, endedAt, outcome, httpStatus, traceId } = attempt;
  const sent: TimelineEvent = { at: signedAt, kind: 'sent', codes: [], detail: String(n) };
  if (endedAt === null) return [sent];
  const facts = [httpStatus === undefined ? '' : `HTTP ${httpStatus}`, traceId ?? ''];
  const detail = facts.filter((fact) => fact !== '').join(', ');
  return [sent, { at: endedAt, kind: 'answered', codes: [outcome], detail }];
}
