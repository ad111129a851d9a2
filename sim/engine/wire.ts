import type { CreateCallFacts } from '../../src/domain/sending/doubt.ts';
import type { Service, CreateAnswer, CreateRequest } from '../service/service.ts';
import { WINDOW_MS } from '../setting.ts';
import type { World } from '../world.ts';
import type { Steps } from './workers.ts';

/** How long a client of ours waits for an answer, and how long a request can be on its way, in milliseconds. */
export const TIMEOUT_MS = 30_000;
const ON_ITS_WAY_MS_MAX = 900_000;

/** One create request over a network that loses, delays and breaks what it carries. */
export function* sendCreate(
  world: World,
  service: Service,
  request: CreateRequest,
): Steps<CreateAnswer> {
  const { agenda, random, setting } = world;
  const { shares } = setting;
  if (world.strikes('connection refused', shares.refusedConnection)) {
    yield random.between(1, 50);
    return { facts: { kind: 'not-sent' } };
  }
  const [first] = service.departed(request.key);
  if (first !== undefined && first.body !== request.body) {
    world.broke('I5', `${request.key} leaves with another body than before`);
  }
  const isTooOld = world.clocks.slowestMs() > request.timestampMs + WINDOW_MS;
  const departure = service.leave({ ...request, isTooOld });
  const startMs = agenda.nowMs();
  let told: CreateAnswer | undefined;
  let toldMs = 0;
  if (!world.strikes('request lost', shares.lostRequest)) {
    const isLate = world.strikes('request late', shares.slowRequest);
    agenda.after(random.below(isLate ? ON_ITS_WAY_MS_MAX : 200), () =>
      service.receive(request, (answer) => {
        told = answer;
        toldMs = agenda.nowMs();
      }),
    );
  }
  const isLost = world.strikes('answer lost', shares.lostAnswer);
  // The process can be killed or frozen at each of these.
  for (const atMs of [250, 1_000, 5_000, 15_000, TIMEOUT_MS]) {
    yield startMs + atMs - agenda.nowMs();
    if (told === undefined || isLost || toldMs - startMs > TIMEOUT_MS) continue;
    const { facts, ...answer } = arrived(world, told);
    departure.isRefused = facts.kind === 'refused' && facts.documented;
    return { facts, ...answer };
  }
  return { facts: { kind: 'no-answer' } };
}

function arrived(world: World, answer: CreateAnswer): CreateAnswer {
  const isBroken = world.strikes('answer broken', world.setting.shares.brokenAnswer);
  const unreadable: CreateCallFacts = { kind: 'unreadable' };
  return isBroken ? { facts: unreadable } : answer;
}

/** An answer to a question; `undefined` when there was none this time. Questions change nothing, so they may be lost freely. */
export type Told<Value> = Readonly<{ value: Value; serverDateMs?: number }> | undefined;

export function* ask<Value>(world: World, service: Service, read: () => Value): Steps<Told<Value>> {
  const { random, setting } = world;
  yield random.between(5, 400);
  if (world.strikes('read failed', setting.shares.failedRead)) {
    // An error or garbage comes at once; no answer takes as long as it is waited for.
    yield random.happens(0.7) ? random.between(5, 400) : random.below(TIMEOUT_MS);
    return undefined;
  }
  const value = read();
  const date = setting.showsDate ? { serverDateMs: service.dateMs() } : {};
  yield random.between(5, 400);
  return { value, ...date };
}
