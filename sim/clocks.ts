import type { ClockReading } from '../src/domain/sending/send-record.ts';
import type { Agenda } from './agenda.ts';
import type { Random } from './random.ts';
import type { Setting } from './setting.ts';
import type { Fault } from './world.ts';

/** The clocks of one world. Times are in milliseconds. */
export type ClockSetting = Readonly<{
  /** The margin that the engine is set to. */
  marginMs: number;
  /** How far the clock of each node of the service is ahead of the service's clock. */
  nodesMs: readonly number[];
  /** How far the `Date` of an answer may lie from the clock of its node. */
  dateJumpMs: number;
  /** Machines on which workers run: each has a steady clock of its own. */
  hosts: number;
  /** When the wall clock of the engine is set, after the start, and by how much. */
  wallStep: Readonly<{ afterMs: number; byMs: number }> | null;
}>;

const MARGIN_MS = 60_000;
const MARGIN_SHORT_MS = 10_000;
const AHEAD_MS = 40_000;
const STEP_MS = 20_000;
/** A wall clock that is further off than this stops every send where the service shows its clock. */
const WALL_OFF_MS = 59_000;
/** A lookup may count this much earlier than the service answers it: `Date` has whole seconds, and a request takes time. */
const SLACK_MS = 2_000;

type Times = Pick<Setting, 'kind' | 'acceptsWithinMs' | 'lookupLagMs' | 'showsDate' | 'skewMs'>;

export function drawClocks(random: Random, times: Times): ClockSetting {
  const { kind, acceptsWithinMs, lookupLagMs, showsDate, skewMs } = times;
  const lateMs = acceptsWithinMs + lookupLagMs + SLACK_MS;
  const isShort = random.happens(0.4) && lateMs < MARGIN_SHORT_MS / 2;
  const marginMs = isShort ? MARGIN_SHORT_MS : MARGIN_MS;
  // What a node behind the others accepts later must be seen as well: the other half of the margin is for that.
  const behindMs = Math.max(0, Math.min(marginMs / 2, marginMs - lateMs));
  const nodes = [[0], [0, -random.below(behindMs + 1)], [0, AHEAD_MS], [0, AHEAD_MS, -behindMs]];
  const byMs = random.pick([STEP_MS, -STEP_MS]);
  const isStepFine = Math.abs(skewMs) + STEP_MS < (showsDate ? WALL_OFF_MS : 150_000);
  const afterMs = random.below(1_800_000);
  const wallStep = isStepFine && random.happens(0.4) ? { afterMs, byMs } : null;
  // Of our clock and the Dates one may be off by any time. Where both are, nothing shows when a create can no longer arrive.
  const leadMs = Math.max(0, -skewMs, (wallStep?.byMs ?? 0) - skewMs);
  const mayMislead = !showsDate || leadMs + behindMs + lateMs < marginMs;
  // A node that refuses a create for its own wrong clock does not keep the rules.
  const hosts = random.between(1, 2);
  if (kind === 'garbage') return { marginMs, nodesMs: [0], dateJumpMs: 0, hosts, wallStep: null };
  return {
    marginMs,
    nodesMs: random.happens(0.5) ? [0] : random.pick(mayMislead ? nodes : nodes.slice(0, 2)),
    dateJumpMs: random.happens(0.3) && mayMislead ? AHEAD_MS : 0,
    hosts,
    wallStep,
  };
}

/** The clocks of the engine's machines and of the service's nodes. */
export type Clocks = ReturnType<typeof createClocks>;

export function createClocks(
  random: Random,
  agenda: Agenda,
  {
    times,
    clocks,
    count,
  }: Readonly<{ times: Times; clocks: ClockSetting; count: (fault: Fault) => void }>,
) {
  const startMs = agenda.nowMs();
  const baseMs = (): number => agenda.nowMs() + times.skewMs;
  const { nodesMs, dateJumpMs, wallStep } = clocks;
  let wallOffMs = 0;
  if (wallStep !== null) {
    agenda.after(wallStep.afterMs, () => {
      count('wall clock set');
      wallOffMs += wallStep.byMs;
    });
  }
  /** The clock of a node that answers: any of them may. */
  function nodeMs(): number {
    const offMs = random.pick(nodesMs);
    if (offMs !== 0) count('another node answered');
    return baseMs() + offMs;
  }
  return {
    marginMs: clocks.marginMs,
    /** The engine's wall clock: it can be set. */
    wallMs: (): number => agenda.nowMs() + wallOffMs,
    /** The steady clock of the machine that does some work. */
    openSteadyClock(): () => ClockReading {
      const host = random.below(clocks.hosts);
      return () => ({ clock: `host-${host}`, ms: agenda.nowMs() - startMs + host * 7_777_777 });
    },
    nodeMs,
    /** The clock of the node that is behind all others: it accepts for longest. */
    slowestMs: (): number => baseMs() + Math.min(...nodesMs),
    /** What an answer shows as its `Date`. */
    dateMs(): number {
      const jumpMs = dateJumpMs === 0 ? 0 : random.pick([-dateJumpMs, 0, 0, dateJumpMs]);
      if (jumpMs !== 0) count('Date jumped');
      return Math.floor((nodeMs() + jumpMs) / 1_000) * 1_000;
    },
  };
}
