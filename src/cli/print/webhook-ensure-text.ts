import type { Ensured } from '../../operations/webhooks/types.ts';
import type { Context } from '../context.ts';
import { shownPath } from '../../operations/text/shown-path.ts';
import { printable } from '../terminal/printable.ts';
import { factLines } from '../terminal/table.ts';
import { conditionText } from '../../operations/webhooks/condition-text.ts';

/** The changes of the subscription, for people. */
export function ensureText(ensured: Ensured, context: Context): string {
  const { url, eventTypes, requestId, secretFile } = ensured;
  return [
    context.colours.bold(headline(ensured)),
    ...factLines([
      ['address', printable(url)],
      ...(requestId === null ? [] : [['request id', printable(requestId)] as const]),
      ['events', printable(eventTypes.join(', '))],
      ['now', conditionText(ensured.condition)],
      ...(secretFile === null
        ? []
        : [['its secret key', shownPath(secretFile, context.cwd)] as const]),
    ]),
    ...othersLines(ensured),
  ].join('\n');
}

const DONE: Readonly<Record<Ensured['act'], string>> = {
  nothing: 'needs no change.',
  create: 'was made.',
  change: 'was changed.',
  replace: 'was disabled. A new one was made.',
  unblock:
    "is blocked. Only a person can unblock it, in the service's own interface. The service then sends failed events again.",
};

const TO_DO: Readonly<Record<Ensured['act'], string>> = {
  ...DONE,
  create: 'is missing and would be made.',
  change: 'would be changed.',
  replace: 'is disabled. A new one would be made.',
};

const headline = ({ act, dryRun }: Ensured): string =>
  `The webhook subscription ${dryRun ? TO_DO[act] : DONE[act]}`;

function othersLines({ duplicates, strays }: Ensured): string[] {
  const remove = 'bursar api delete-webhook';
  return [
    ...duplicates.map(
      (id) =>
        `Another subscription has the same address, so each event comes twice: ${remove} ${printable(id)}`,
    ),
    ...strays.map(
      (id) =>
        `An earlier subscription has another address, and its webhooks fail: ${remove} ${printable(id)}`,
    ),
  ];
}
