import { createRandom } from './random.ts';

/** What keeps one batch from its release. Times are in milliseconds, and count from the moment in which the batch is planned. */
export type Obstacles = Readonly<{
  /** How long people take to approve after they were asked, and how long their approval lasts; null: nobody is asked. */
  approval: Readonly<{ afterMs: number; lastsMs: number }> | null;
  dueAfterMs: number;
  /** When the account holds enough. */
  fundedAfterMs: number;
  /** How many quotes of fees stop the batch, and how long a person takes to accept such fees. */
  feeStops: number;
  acceptAfterMs: number;
  /** An earlier run of the batch left the hold of a fee rule behind. */
  hasFeeHold: boolean;
}>;

const NO_OBSTACLES: Obstacles = {
  approval: null,
  dueAfterMs: 0,
  fundedAfterMs: 0,
  feeStops: 0,
  acceptAfterMs: 0,
  hasFeeHold: false,
};

const MINUTE_MS = 60_000;
/** With this one the worlds of the seeds in test/sim have no obstacles, and stay as they were when they broke a law. */
const OBSTACLE_SEED = 5_667;
const SHARE_OBSTRUCTED = 0.25;

/** Draws what keeps a batch from its release. It has a chance of its own, so that the worlds without obstacles stay as they are. */
export function drawObstacles(seed: number, generation: number): Obstacles {
  const own = seed ^ OBSTACLE_SEED;
  if (!createRandom(own).happens(SHARE_OBSTRUCTED)) return NO_OBSTACLES;
  const random = createRandom(own + generation);
  const sometimes = (ms: number): number => (random.happens(0.5) ? random.below(ms) : 0);
  const approval = {
    afterMs: random.below(15 * MINUTE_MS),
    lastsMs: random.between(MINUTE_MS, 20 * MINUTE_MS),
  };
  return {
    approval: random.happens(0.7) ? approval : null,
    dueAfterMs: sometimes(20 * MINUTE_MS),
    fundedAfterMs: sometimes(30 * MINUTE_MS),
    feeStops: random.below(3),
    acceptAfterMs: random.below(10 * MINUTE_MS),
    hasFeeHold: random.happens(0.2),
  };
}
