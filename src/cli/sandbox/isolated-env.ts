import type { Env } from '../../config.ts';

/** The settings of a person that also hold for a stack of its own. */
const OBEYED = ['BURSAR_TEMPORAL_CLI', 'BURSAR_SANDBOX_STEP_MS', 'BURSAR_SANDBOX_SPEED'];

/**
 * An environment with none of the settings of the person but the few above, so that a stack of its own never reaches their service,
 * store or reports. `defaults`: variables that the obeyed ones replace.
 */
export const isolatedEnv = (env: Env, defaults: Env): Env => ({
  ...defaults,
  ...Object.fromEntries(
    Object.entries(env).filter(([name]) => !name.startsWith('BURSAR_') || OBEYED.includes(name)),
  ),
});
