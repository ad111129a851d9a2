import { listBatches } from '../../app/batches/look.ts';
import { BATCH_STATES } from '../../domain/batch/batch-state.ts';
import { EXIT } from '../../domain/errors/exit-codes.ts';
import { silenceText } from '../../operations/batch/worker-silence.ts';
import { readChoices, readLimit } from '../../operations/input/lists.ts';
import type { Context } from '../context.ts';
import { performList } from '../perform.ts';
import { sayPlace } from '../place-line.ts';
import { batchListText } from '../print/batch-list-text.ts';
import { gather, printList } from '../print/output.ts';

type ListFlags = Readonly<{ limit?: string; state?: string }>;

/** `bursar list`: the newest batches, those that no worker has taken up yet first. */
export async function list({ limit, state }: ListFlags, context: Context): Promise<number> {
  const input = {
    ...(limit === undefined ? {} : { limit: readLimit(limit) }),
    ...(state === undefined ? {} : { states: readChoices('--state', state, BATCH_STATES) }),
  };
  await sayPlace(context);
  return performList(listBatches, input, {
    context,
    async use({ about, items }) {
      // The widths of the columns follow from all batches.
      const batches = await gather(items);
      const text = batchListText(batches, context);
      const count = await printList(context, batches, { ...listBatches.names, about, ...text });
      if (count === 0 && context.format === 'text') context.say('There are no such batches.');
      if (about.worker !== undefined) context.say(silenceText(about.worker, context.clock));
      return EXIT.done;
    },
  });
}
