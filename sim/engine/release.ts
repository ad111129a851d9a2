import {
  afterMissingApprovals,
  areFeesOld,
  nextReleaseStep,
  type ReleaseCheck,
  type ReleaseFacts,
} from '../../src/domain/batch/release-step.ts';
import { createReleaseLaw, type ReleaseLaw } from '../laws-of-release.ts';
import type { Obstacles } from '../obstacles.ts';
import type { Engine } from './engine.ts';
import type { Steps } from './workers.ts';

/** How the checks before a release end. `refused`: the batch never passes one of them. */
export type ReleaseEnd = 'released' | 'stopped' | 'refused';

type RowsRead = 'unpaid' | 'outdated' | 'unread';

/** A batch that is planned, and not released yet. */
type PlannedBatch = Readonly<{
  obstacles: Obstacles;
  /** Reads the rows of a resend again; undefined for a first batch. */
  confirm: (() => Steps<RowsRead>) | undefined;
}>;

/** A workflow of the model: a number is a wait in milliseconds, a function is work for a worker, which returns its result. */
type Course<Result> = Generator<number | (() => Steps<RowsRead>), Result, RowsRead | undefined>;

/** Waits of a batch before it looks again, in milliseconds. */
const LOOK_MS = 5_000;
const CLOCK_DELAY_MS = 2_000;
/** How long the service takes to quote fees, in milliseconds. */
const QUOTE_MS = 200;

/** What the checks of one batch found so far. Times are in milliseconds since 1970. */
type Release = PlannedBatch & {
  readonly engine: Engine;
  readonly law: ReleaseLaw;
  readonly plannedAtMs: number;
  readonly passed: Set<ReleaseCheck>;
  areFeesStopped: boolean;
  hasFeeHold: boolean;
  /** How many quotes will still stop the batch. */
  feeStopsLeft: number;
  quotedAtMs: number;
  /** When the approval lapses; null: nobody gave one yet. */
  approvedUntilMs: number | null;
  /** How often the store missed an approval that the workflow has. */
  differences: number;
};

/**
 * Carries out the steps before the release of one batch, as the workflow does: `nextReleaseStep` decides which one comes next.
 * A batch without obstacles passes every check at once, except the read of the rows of a resend.
 */
export function untilReleased(
  engine: Engine,
  batch: PlannedBatch,
  ended: (end: ReleaseEnd) => void,
): void {
  const { agenda } = engine.world;
  const { obstacles, confirm } = batch;
  const { feeStops, hasFeeHold } = obstacles;
  const course = courseOf({
    ...batch,
    engine,
    law: createReleaseLaw(engine.world, { obstacles, isResend: confirm !== undefined }),
    plannedAtMs: agenda.nowMs(),
    passed: new Set(),
    areFeesStopped: feeStops > 0,
    hasFeeHold,
    feeStopsLeft: Math.max(0, feeStops - 1),
    quotedAtMs: agenda.nowMs(),
    approvedUntilMs: null,
    differences: 0,
  });
  const advance = (rows?: RowsRead): void => {
    const { done, value } = course.next(rows);
    if (done === true) return ended(value);
    if (typeof value === 'number') return agenda.after(value, advance);
    engine.workers.run(value, advance);
  };
  advance();
}

function* courseOf(release: Release): Course<ReleaseEnd> {
  const { engine, passed } = release;
  for (;;) {
    const step = nextReleaseStep(factsOf(release));
    switch (step.kind) {
      case 'end':
        engine.world.count('stopped before its release');
        return 'stopped';
      case 'accept-fees':
        yield* acceptFees(release);
        passed.clear();
        break;
      case 'begin-again':
        passed.clear();
        break;
      case 'check': {
        const isRefused = yield* CHECKS[step.check](release);
        if (isRefused === true) return 'refused';
        passed.add(step.check);
        break;
      }
      case 'release': {
        const end = yield* askStore(release);
        if (end !== undefined) return end;
      }
    }
  }
}

function factsOf({ engine, ...release }: Release): ReleaseFacts {
  const { world, careless, isStopping } = engine;
  return {
    isStopped: isStopping(),
    areFeesStopped: release.areFeesStopped,
    areFeesOld:
      careless !== 'keeps-old-fees' && areFeesOld(release.quotedAtMs, world.agenda.nowMs()),
    hasFeeHolds: release.hasFeeHold,
    passed: release.passed,
  };
}

/** Each check waits until it is passed or the batch is stopped. Returns true when the batch never passes it. */
const CHECKS: Readonly<Record<ReleaseCheck, (release: Release) => Course<boolean | void>>> = {
  *approval(release) {
    const { engine, obstacles, law } = release;
    if (obstacles.approval === null || isApproved(release)) return;
    const { agenda, count } = engine.world;
    const { afterMs, lastsMs } = obstacles.approval;
    if (release.approvedUntilMs !== null) count('approval given again');
    agenda.after(afterMs, () => {
      release.approvedUntilMs = agenda.nowMs() + lastsMs;
      law.approved(release.approvedUntilMs);
    });
    yield* waitUntil(release, () => isApproved(release));
  },
  *'due-time'(release) {
    yield* waitUntil(release, () => hasPassed(release, release.obstacles.dueAfterMs));
  },
  *fees(release) {
    const { engine, law } = release;
    yield QUOTE_MS;
    release.areFeesStopped = release.feeStopsLeft > 0;
    release.feeStopsLeft = Math.max(0, release.feeStopsLeft - 1);
    release.quotedAtMs = engine.world.agenda.nowMs();
    if (!release.areFeesStopped) release.hasFeeHold = false;
    engine.world.count('fees asked for again');
    law.quoted(release.areFeesStopped);
  },
  *funds(release) {
    yield* waitUntil(release, () => hasPassed(release, release.obstacles.fundedAfterMs));
  },
  *holds(release) {
    const { store } = release.engine;
    yield* waitUntil(release, () => !store.flags().paused && !store.flags().held);
  },
  *'resend-rows'({ confirm, law }) {
    if (confirm === undefined) return false;
    const rows = yield confirm;
    law.rowsConfirmed();
    return rows !== 'unpaid';
  },
};

function* waitUntil({ engine, law }: Release, condition: () => boolean): Course<void> {
  while (!condition() && !engine.isStopping()) {
    yield LOOK_MS;
    law.waited();
  }
}

function* acceptFees(release: Release): Course<void> {
  const { engine, law, obstacles } = release;
  const { agenda } = engine.world;
  const acceptedAtMs = agenda.nowMs() + obstacles.acceptAfterMs;
  yield* waitUntil(release, () => agenda.nowMs() >= acceptedAtMs);
  if (!engine.isStopping()) law.feesAccepted();
  release.areFeesStopped = false;
}

/** The store decides by the clock of its worker, which may differ from that of Temporal. Undefined: the checks go on. */
function* askStore(release: Release): Course<ReleaseEnd | undefined> {
  const { engine, law, obstacles, passed, plannedAtMs } = release;
  const { clocks, count } = engine.world;
  while (clocks.wallMs() < plannedAtMs + obstacles.dueAfterMs) yield CLOCK_DELAY_MS;
  if (engine.careless === 'releases-unapproved' || isApproved(release, clocks.wallMs())) {
    if (hasPassed(release, 1)) count('released after a wait');
    law.released();
    return 'released';
  }
  passed.clear();
  if (isApproved(release)) release.differences += 1;
  const next = afterMissingApprovals(isApproved(release), release.differences);
  if (next === 'give-up') return 'refused';
  if (next === 'wait-for-clocks') yield CLOCK_DELAY_MS;
  return undefined;
}

const isApproved = (
  { obstacles, approvedUntilMs, engine }: Release,
  atMs: number = engine.world.agenda.nowMs(),
): boolean => obstacles.approval === null || (approvedUntilMs !== null && atMs < approvedUntilMs);

const hasPassed = ({ engine, plannedAtMs }: Release, ms: number): boolean =>
  engine.world.agenda.nowMs() >= plannedAtMs + ms;
