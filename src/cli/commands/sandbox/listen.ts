import type { AdminEvent } from '@bursar/sandbox/admin';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { EXIT } from '../../../domain/errors/exit-codes.ts';
import { optionalFlag } from '../../operation-table/operation.ts';
import { instantText } from '../../../operations/text/instants.ts';
import { readHttpUrl } from '../../sandbox/address.ts';
import { reasonOf, type SandboxClient } from '../../sandbox/client.ts';
import { watchEvents } from '../../sandbox/event-stream.ts';
import { printable } from '../../terminal/printable.ts';
import { eventType, text } from './fields.ts';
import { refuseEndlessJson, sandboxOperation } from './operations.ts';

export const listen = sandboxOperation({
  name: 'listen',
  summary: 'forward events to an address, until Ctrl-C',
  description: [
    'Forwards events to an address as they happen, one after the other, until Ctrl-C.',
    'Each is sent once and unsigned, under any modes and faults; a webhook subscription is',
    'what is signed and retried.',
  ].join('\n'),
  fields: {
    forwardTo: optionalFlag(
      '--forward-to <url>',
      'POST each event there; without it events are only shown',
      text,
    ),
    events: optionalFlag(
      { form: '--events <types>', read: (types: string) => types.split(',') },
      'only events of these types, with commas',
      z.array(eventType),
    ),
    printJson: optionalFlag('--print-json', 'print each event as JSON too', z.boolean()),
  },
  async run({ forwardTo, events: wanted, printJson }, sandbox, context) {
    refuseEndlessJson(context);
    const target = forwardTo === undefined ? undefined : readHttpUrl('--forward-to', forwardTo);
    const { interrupted, format, print } = context;
    const events = watchEvents(sandbox, context, () => context.say(openText(sandbox, target)));
    for await (const event of events) {
      if (wanted !== undefined && !wanted.some((type) => type === event.type)) continue;
      if (printJson && format === 'text') print(webhookBody(event));
      const answer = target === undefined ? null : await forward(target, event, interrupted);
      print(format === 'text' ? lineText(event, answer, context) : lineJson(event, answer));
    }
    return EXIT.done;
  },
});

function openText({ url }: SandboxClient, target: URL | undefined): string {
  const events = `the events of ${url}`;
  const does =
    target === undefined ? `Showing ${events}` : `Forwarding ${events} to ${target.href}`;
  return `${does}. Ctrl-C ends it.`;
}

const lineJson = (event: AdminEvent, answer: Forwarded | null): string =>
  JSON.stringify({ schema: 'bursar.sandbox-forward/v1', ...event, answer });

function lineText(
  { time, type, data }: AdminEvent,
  answer: Forwarded | null,
  { clock }: Context,
): string {
  const { id, state } = data;
  const what = [type, state, id].filter((part) => typeof part === 'string').join(' ');
  const outcome = answer === null ? '' : ` -> ${answer.status ?? answer.reason ?? 'no answer'}`;
  return printable(`${instantText(time, clock)}  ${what}${outcome}`);
}

/** How long a receiver may take to answer, in milliseconds: as long as the service gives it. */
const ANSWER_TIMEOUT_MS = 10_000;

/** The answer of a receiver to an event: a status, or the reason why none came. */
type Forwarded = Readonly<{ status: number | null; reason: string | null }>;

/** The body that a webhook of the event has when no mode changes it. */
const webhookBody = ({ type, account, data }: AdminEvent): string =>
  JSON.stringify({ type, account, data });

/** Posts an event to a receiver, unsigned. A receiver that fails is an answer too; only Ctrl-C throws. */
async function forward(url: URL, event: AdminEvent, interrupted: AbortSignal): Promise<Forwarded> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: webhookBody(event),
      redirect: 'manual',
      signal: AbortSignal.any([interrupted, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]),
    });
    await response.body?.cancel();
    return { status: response.status, reason: null };
  } catch (error) {
    interrupted.throwIfAborted();
    return { status: null, reason: reasonOf(error) };
  }
}
