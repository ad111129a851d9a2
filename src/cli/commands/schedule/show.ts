import { EXIT } from '../../../domain/errors/exit-codes.ts';
import { withSources } from '../../../operations/batch/sources.ts';
import type { Context } from '../../context.ts';
import { printSchedule } from '../../print/schedule-page.ts';
import { findEverMade } from '../../../operations/schedule/find.ts';
import { readSchedule } from '../../../operations/schedule/standing.ts';

/** `bursar schedule show ID`: what it is, how it stands, what its last runs became, and when the next ones are; of a deleted one what it was and did. */
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
