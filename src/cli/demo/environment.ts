import type { Env } from '../../config.ts';

/** A demo takes seconds, so the sandbox makes its steps faster and the engine polls more often than by default. */
const PACE: Env = {
  BURSAR_SANDBOX_STEP_MS: '400',
  BURSAR_POLL_MIN_MS: '1000',
  BURSAR_BATCH_CHUNK_ROWS: '20',
};

/** The person's own settings that a demo obeys. */
const OBEYED = ['BURSAR_TEMPORAL_CLI', 'BURSAR_SANDBOX_STEP_MS', 'BURSAR_SANDBOX_SPEED'];

/**
 * The environment of a demo: none of the person's own settings but the few above, so that a demo never reaches a real
 * service, store or report.
 */
export const demoEnv = (env: Env): Env => ({
  ...PACE,
  ...Object.fromEntries(
    Object.entries(env).filter(([name]) => !name.startsWith('BURSAR_') || OBEYED.includes(name)),
  ),
});
