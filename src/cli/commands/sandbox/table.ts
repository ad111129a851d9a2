import type { OperationSection } from '../../operation-table/operation.ts';
import { DELIVERY_OPERATIONS } from './deliveries.ts';
import { EVENT_OPERATIONS } from './events.ts';
import { PAYING_OPERATIONS } from './paying.ts';
import { PLAYING_OPERATIONS } from './playing.ts';
import { RUNNING_OPERATIONS } from './running.ts';

/** Every command of `bursar sandbox`, in the order of its help. */
export const SANDBOX_OPERATIONS: readonly OperationSection[] = [
  { heading: 'Running and looking:', operations: RUNNING_OPERATIONS },
  {
    heading: 'Paying:',
    subgroups: {
      accounts: 'list the accounts, and set how many people confirm a mass payout',
      tariffs: 'list and change the tariffs of single currencies',
    },
    operations: PAYING_OPERATIONS,
  },
  {
    heading: 'Events and webhooks:',
    subgroups: {
      webhooks: 'list webhook subscriptions, unblock, enable and disable them',
      deliveries: 'list the webhooks, and send one again',
    },
    operations: [...EVENT_OPERATIONS, ...DELIVERY_OPERATIONS],
  },
  {
    heading: 'Playing:',
    subgroups: {
      faults: 'list, add and clear what goes wrong on purpose',
      modes: 'show and change how the service is played',
      fates: 'list and replace the rules that decide the results of withdrawals',
      case: 'export all that happened, and repeat it',
      snapshots: 'keep the whole state, and return to it',
    },
    operations: PLAYING_OPERATIONS,
  },
];
