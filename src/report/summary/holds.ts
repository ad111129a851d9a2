import type { PastHold } from '../../domain/holds/hold.ts';
import type { BatchReport } from '../../domain/report/report.ts';
import { instant } from './head.ts';
import { type Html, NOTHING } from './html.ts';
import { section, table } from './table.ts';

/** What kept the batch from paying, and who let it go on. */
export const holds = ({ holds: items }: BatchReport): Html =>
  items.length === 0
    ? NOTHING
    : section(
        'Holds',
        table<PastHold>({
          caption: 'What kept the batch from paying, and who let it go on',
          columns: [
            { title: 'Hold', kind: 'word', cell: ({ kind }) => kind },
            { title: 'Why', kind: 'text', cell: ({ reason }) => reason },
            { title: 'By', kind: 'text', cell: ({ by }) => by },
            { title: 'Since', kind: 'word', cell: ({ since }) => instant(since) },
            {
              title: 'Released by',
              kind: 'text',
              cell: ({ released }) => released?.by ?? 'nobody: the batch ended with it',
            },
            {
              title: 'When',
              kind: 'word',
              cell: ({ released }) => (released === null ? '' : instant(released.at)),
            },
            { title: 'Reason', kind: 'text', cell: ({ released }) => released?.reason ?? '' },
          ],
          items,
        }),
      );
