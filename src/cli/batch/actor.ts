import type { Settings } from '../../config.ts';
import type { Context } from '../context.ts';

/** As whom the person at this machine acts: `operator.name` of the settings, else the user's name. */
export const actorOf = (
  { operator }: Pick<Settings, 'operator'>,
  { user }: Pick<Context, 'user'>,
): string => operator.name ?? user;
