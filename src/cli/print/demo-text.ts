import { batchStateWords } from '../../domain/text/state-words.ts';
import { join } from 'node:path';
import type { BatchView } from '../../domain/report/report.ts';
import { withCommas } from '../../domain/text/counted.ts';
import type { Context } from '../context.ts';
import { shownPath } from '../../operations/text/shown-path.ts';
import { factLines } from '../terminal/table.ts';

type Place = Readonly<{
  /** Temporal's web UI. */
  ui: string;
  /** Where the demo keeps everything. */
  folder: string;
}>;

/** The end of a demo: the result of each file, where it is, and the next commands to try. */
export function demoText(
  views: readonly BatchView[],
  { ui, folder }: Place,
  { cwd, colours }: Context,
): string {
  const place = shownPath(folder, cwd);
  const failed = views.find(({ rows }) => rows.failed > 0);
  return [
    colours.bold('\nResult'),
    ...views.flatMap((view) => [
      `${view.batchId}: ${batchStateWords(view.state)}, ${withCommas(view.rows.paid)} of ${withCommas(view.rows.total)} rows paid`,
      ...factLines([
        ['report', shownPath(join(view.reportDir, 'summary.html'), cwd)],
        ['web UI', workflowUrl(ui, view.workflowId)],
      ]),
    ]),
    colours.bold('\nWhat to try next (in a clone, write "npx bursar")'),
    ...factLines([
      [`cd ${place}`, 'the folder with the batches of the demo; in it:'],
      ['bursar up', 'starts the stack again for the links to the web UI'],
      ['bursar list', 'all batches'],
      ...(failed === undefined
        ? []
        : [
            [`bursar rows ${failed.batchId} --outcome FAILED`, 'the rows that failed'] as const,
            [`bursar report ${failed.batchId}`, 'the report, written again'] as const,
          ]),
      ['bursar plan FILE', 'a check of your own file; it pays nothing'],
    ]),
    ...(failed === undefined ? [] : ['', ON_PURPOSE]),
  ].join('\n');
}

const ON_PURPOSE =
  'Some rows of the examples fail on purpose. The exit code shows that, as for any batch.';

const workflowUrl = (ui: string, workflowId: string): string =>
  `${ui}/namespaces/default/workflows/${encodeURIComponent(workflowId)}`;
