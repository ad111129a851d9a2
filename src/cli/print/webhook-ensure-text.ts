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
      ['leads to', printable(url)],
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
  nothing: 'is as it should be.',
  create: 'was made.',
  change: 'was changed.',
  replace: 'was disabled, and a new one took its place.',
  unblock:
    "is blocked. Only a person can unblock it, in the service's own interface; the service then sends everything again that failed.",
};

const TO_DO: Readonly<Record<Ensured['act'], string>> = {
  ...DONE,
  create: 'is missing and would be made.',
  change: 'would be changed.',
  replace: 'is disabled; a new one would take its place.',
};

const headline = ({ act, dryRun }: Ensured): string =>
  `The webhook subscription ${dryRun ? TO_DO[act] : DONE[act]}`;

function othersLines({ duplicates, strays }: Ensured): string[] {
  const remove = 'bursar api delete-webhook';
  return [
    ...duplicates.map(
      (id) =>
        `Another one leads here too, so that every event comes twice: ${remove} ${printable(id)}`,
    ),
    ...strays.map(
      (id) => `One of before leads elsewhere, and its webhooks fail: ${remove} ${printable(id)}`,
    ),
  ];
}
