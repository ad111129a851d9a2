import { EXIT } from '../../../domain/errors/exit-codes.ts';
import { withSources } from '../../../operations/batch/sources.ts';
import type { Context } from '../../context.ts';
import { printSchedule } from '../../print/schedule-page.ts';
import { findEverMade } from '../../../operations/schedule/find.ts';
import { readSchedule } from '../../../operations/schedule/standing.ts';

/**
 * `bursar schedule show ID`: its definition and state, its last runs and their results, and its next runs. A deleted
 * schedule is shown with its last definition and its history.
 */
export async function showSchedule(
  { schedule }: Readonly<{ schedule: string }>,
  context: Context,
): Promise<number> {
  return withSources(context, async (sources) => {
    const found = await findEverMade(sources.store, schedule);
    printSchedule(await readSchedule(sources, found, context), context);
    return EXIT.done;
  });
}
