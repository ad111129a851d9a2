import { BursarError } from '../../domain/errors/bursar-error.ts';
import { EXIT } from '../../domain/errors/exit-codes.ts';
import type { Context } from '../context.ts';
import { untilStopped } from './up.ts';

/** `npm run temporal`: Temporal's dev server alone, in the foreground, until Ctrl-C. */
export async function runTemporal(_flags: object, context: Context): Promise<number> {
  const { env, cwd, say } = context;
  const temporal = await context.open.temporalAlone({ env, cwd, say });
  try {
    const { name, log } = temporal;
    const died = temporal.ended.then(
      (code) => new BursarError('PROCESS_DIED', { name, code, log }),
    );
    await untilStopped(died, context);
    return EXIT.done;
  } finally {
    await temporal.stop();
  }
}
