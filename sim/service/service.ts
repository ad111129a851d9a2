import type { CreateCallFacts } from '../../src/domain/sending/doubt.ts';
import type { SentRow } from '../../src/domain/settling/withdrawals.ts';
import { WINDOW_MS } from '../setting.ts';
import type { World } from '../world.ts';
import { createDepartures } from './departures.ts';
import { answerToKnownKey, type KeyEntry } from './keys.ts';
import type { Ledger } from './ledger.ts';
import { createPayouts, type ModelPayout } from './payouts.ts';

/** A create request as it leaves. `timestampMs` is the one that was signed. */
export type CreateRequest = Readonly<{
  key: string;
  body: string;
  rows: readonly SentRow[];
  timestampMs: number;
}>;

/** Between a late acceptance and the last look for it. */
const SPARE_MS = 5_000;

export type CreateAnswer = Readonly<{ facts: CreateCallFacts; payout?: ModelPayout }>;

/**
 * A model of the service: it shares no code with the engine, and may do whatever the specification does not rule out. Only the
 * window of its timestamps is certain.
 */
export type Service = ReturnType<typeof createService>;

export function createService(world: World, ledger: Ledger, tell: (payout: ModelPayout) => void) {
  const { agenda, clocks, random, setting } = world;
  const { shares } = setting;
  const payouts = createPayouts(world, ledger, tell);
  const keys = new Map<string, KeyEntry>();
  const startMs = agenda.nowMs();
  let made = 0;

  const refused = (httpStatus: number, documented = true): CreateAnswer => ({
    facts: { kind: 'refused', httpStatus, documented },
  });
  const answered = (payout: ModelPayout): CreateAnswer => ({ facts: { kind: 'answered' }, payout });

  /** A request arrives. `reply` is told the answer when there is one, which may be never. */
  function receive(request: CreateRequest, reply: (answer: CreateAnswer) => void): void {
    if (world.strikes('error before acceptance', shares.errorBefore)) {
      return reply(refused(random.pick([500, 502, 503, 504, 408, 425]), false));
    }
    if (world.strikes('throttled', shares.throttle)) return reply(refused(429));
    if (Math.abs(clocks.nodeMs() - request.timestampMs) > WINDOW_MS) {
      world.count('refused: timestamp too old');
      return reply(refused(400));
    }
    if (world.strikes('refused for certain', shares.refusal)) return reply(refused(422));
    const entry = keys.get(request.key);
    if (entry === undefined) return accept(request, reply);
    const again = { entry, body: request.body, nowMs: agenda.nowMs() };
    const said = answerToKnownKey(setting.keyMode, again);
    if (said.kind === 'create') return accept(request, reply);
    world.count('key known already');
    if (said.kind === 'refuse') return reply(refused(said.httpStatus));
    if (said.kind === 'replay') return reply(answered(said.payout));
    if (entry.payout !== undefined) return reply(answered(entry.payout));
    entry.joined.push((payout) => reply(answered(payout)));
  }

  /** A create that is accepted later than two fences after its signature is beyond what the engine promises to see. */
  function longestDelayMs({ timestampMs }: CreateRequest): number {
    const sinceMs = clocks.wallMs() - timestampMs;
    const seenMs = 2 * (WINDOW_MS + clocks.marginMs);
    return Math.max(0, seenMs - sinceMs - setting.lookupLagMs - SPARE_MS);
  }

  function accept(request: CreateRequest, reply: (answer: CreateAnswer) => void): void {
    const { key, body, rows } = request;
    const entry: KeyEntry = { body, sinceMs: agenda.nowMs(), poisoned: false, joined: [] };
    keys.set(key, entry);
    const delayMs = Math.min(random.below(setting.acceptsWithinMs + 1), longestDelayMs(request));
    if (delayMs > 1_000) world.count('accepted late');
    agenda.after(delayMs, () => {
      made += 1;
      const visibleMs = agenda.nowMs() + setting.lookupLagMs;
      const payout = payouts.create({ id: `mp-${made}`, key, body, visibleMs }, rows);
      entry.payout ??= payout;
      for (const tellLater of entry.joined) tellLater(payout);
      if (world.strikes('error after acceptance', shares.errorAfter)) {
        entry.poisoned = true;
        return reply(refused(500, false));
      }
      reply(answered(payout));
    });
  }

  const isVisible = ({ visibleMs }: ModelPayout): boolean => {
    if (agenda.nowMs() >= visibleMs) return true;
    world.count('lookup lagged');
    return false;
  };

  const isStalled = ({ visibleMs }: ModelPayout): boolean => {
    const { keysStallAfterMs } = setting;
    if (keysStallAfterMs === null || visibleMs < startMs + keysStallAfterMs) return false;
    world.count('lookup stalled');
    return true;
  };

  const departures = createDepartures();

  return {
    ...departures,
    receive,
    dateMs: clocks.dateMs,
    payouts,
    /** The mass payout that a lookup by key shows: the first one. */
    byKey(key: string): ModelPayout | undefined {
      const isBlind =
        !setting.findsKeys || world.strikes('lookup missed what exists', setting.lookupMisses);
      const found = isBlind
        ? undefined
        : payouts.all.find((one) => one.key === key && isVisible(one) && !isStalled(one));
      if (found === undefined) departures.noteMiss(key);
      return found;
    },
    byId: (id: string) => payouts.all.find((payout) => payout.id === id && isVisible(payout)),
    /** What a person sees who looks in the service's own interface. */
    seenByPerson: (key: string) => payouts.all.filter((payout) => payout.key === key),
  };
}
