import type { HoldKind, PastHold } from '../../domain/holds/hold.ts';
import type { BatchReport } from '../../domain/report/report.ts';
import { instant } from './head.ts';
import { type Html, NOTHING } from './html.ts';
import { section, table } from './table.ts';

/** The kinds of holds in plain words. */
const HOLD_NAMES: Readonly<Record<HoldKind, string>> = {
  PAUSE: 'Paused by a person',
  APPROVAL: 'Approval missing',
  CANARY: 'First rows not all paid',
  STOP_LOSS: 'Too many failed rows',
  FEE_DRIFT: 'Fees changed',
  FEE_CAP: 'Fees too high',
  DAY_LIMIT: 'Daily limit reached',
  BALANCE: 'Balance differs',
};

/** The holds of the batch, and the person who lifted each. */
export const holdsSection = ({ holds: items }: BatchReport): Html =>
  items.length === 0
    ? NOTHING
    : section(
        'Holds',
        table<PastHold>({
          caption: 'Holds of the batch, and who lifted them',
          columns: [
            { title: 'Hold', kind: 'word', cell: ({ kind }) => HOLD_NAMES[kind] },
            { title: 'Why', kind: 'text', cell: ({ reason }) => reason },
            { title: 'By', kind: 'text', cell: ({ by }) => by },
            { title: 'Since', kind: 'word', cell: ({ since }) => instant(since) },
            {
              title: 'Lifted by',
              kind: 'text',
              cell: ({ released }) => released?.by ?? 'not lifted: the batch ended on hold',
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
