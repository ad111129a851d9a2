import { schedulesPage, workflowListPage } from '../../contract/web-pages.ts';
import { EXIT } from '../../domain/errors/exit-codes.ts';
import { loadSettings } from '../../operations/batch/sources.ts';
import type { Context } from '../context.ts';
import { viewsAt } from '../../operations/engine/views.ts';
import { printList } from '../print/output.ts';

/** A view as it is printed; a page without a list filter has no query. */
type ShownView = Readonly<{ name: string; query: string | null; url: string }>;

/**
 * `bursar ui views`: links to lists of batches in Temporal's web UI. The web UI keeps each list as a view of the person
 * who opens it.
 */
export async function uiViews(_flags: object, context: Context): Promise<number> {
  const settings = await loadSettings(context);
  const { loadTemporalAccess } = await import('../../codec/temporal-access.ts');
  const { namespace } = loadTemporalAccess(settings, context.env);
  const ui = { uiUrl: settings.temporal.uiUrl, namespace };
  const { nowMs, timeZone } = context.clock;
  const views = viewsAt(nowMs(), timeZone).map(
    ({ name, query, lasts }): ShownView => ({
      name,
      query,
      url: workflowListPage(ui, query, lasts ? name : undefined),
    }),
  );
  const schedules = { name: 'Schedules', query: null, url: schedulesPage(ui) };
  await printList<ShownView>(context, [...views, schedules], {
    schema: 'bursar.ui-views/v1',
    about: {},
    array: 'views',
    lineSchema: 'bursar.ui-view/v1',
    header: 'Open a link once, and the web UI keeps it among your saved views.\n',
    textOf: ({ name, url }) => `${name}\n  ${url}`,
  });
  return EXIT.done;
}
