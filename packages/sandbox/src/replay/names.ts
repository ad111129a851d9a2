/** Ids that a sandbox makes at random, and hashes that follow from them. Each run has its own. */
const MADE = /[0-9a-f]{64}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

const DATE = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** Dates of a run on a clock that goes by itself are later than the arrival of their request. */
const DATE_TOLERANCE_MS = 1_000;

/** Which id of the replay stands for which id of the case. */
export type ReplayNames = Readonly<{
  /** Pairs the ids of two answers by their order, whatever else differs. */
  learn(known: string, replayed: string): void;
  /** Pairs their ids, and returns whether the answers are the same otherwise. */
  match(known: string, replayed: string): boolean;
  /** Replaces the ids of the case by those of the replay. */
  translate(text: string): string;
}>;

export function createReplayNames(): ReplayNames {
  const replayOf = new Map<string, string>();
  const caseOf = new Map<string, string>();

  function pair(known: string, replayed: string): boolean {
    const earlier = replayOf.get(known);
    if (earlier !== undefined) return earlier === replayed;
    if (caseOf.has(replayed)) return false;
    replayOf.set(known, replayed);
    caseOf.set(replayed, known);
    return true;
  }

  return {
    learn(known, replayed) {
      const otherNames = partsOf(replayed, MADE);
      for (const [at, name] of partsOf(known, MADE).entries()) pair(name, otherNames[at] ?? name);
    },
    match(known, replayed) {
      const [names, otherNames] = [partsOf(known, MADE), partsOf(replayed, MADE)];
      const [dates, otherDates] = [partsOf(known, DATE), partsOf(replayed, DATE)];
      if (bare(known) !== bare(replayed)) return false;
      const isNear = dates.every((date, at) => areNear(date, otherDates[at] ?? ''));
      return isNear && names.every((name, at) => pair(name, otherNames[at] ?? ''));
    },
    translate: (text) => text.replaceAll(MADE, (name) => replayOf.get(name) ?? name),
  };
}

const partsOf = (text: string, form: RegExp): readonly string[] => text.match(form) ?? [];

const bare = (text: string): string => text.replaceAll(MADE, 'id').replaceAll(DATE, 'date');

const areNear = (one: string, other: string): boolean =>
  Math.abs(Date.parse(one) - Date.parse(other)) <= DATE_TOLERANCE_MS;
