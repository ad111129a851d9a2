import type { Context } from '../../context.ts';
import { EXIT } from '../../../domain/errors/exit-codes.ts';
import { instantText } from '../../../operations/text/instants.ts';
import { readHttpUrl, type SandboxFlags } from '../../sandbox/address.ts';
import type { Sandbox } from '../../sandbox/client.ts';
import type { SandboxEvent } from '../../sandbox/event-records.ts';
import { watchEvents } from '../../sandbox/event-stream.ts';
import { forward, type Forwarded, webhookBody } from '../../sandbox/forward.ts';
import { printable } from '../../terminal/printable.ts';
import { readEventType } from './event-type.ts';
import { openSandbox, refuseEndlessJson } from './open.ts';

export type ListenFlags = SandboxFlags &
  Readonly<{ forwardTo?: string; events?: string; printJson?: boolean }>;

/** `bursar sandbox listen --forward-to URL`: posts each event to an address as it happens, until Ctrl-C. */
export async function listen(flags: ListenFlags, context: Context): Promise<number> {
  refuseEndlessJson(context);
  const wanted = flags.events?.split(',').map((name) => readEventType('--events', name));
  const target =
    flags.forwardTo === undefined ? undefined : readHttpUrl('--forward-to', flags.forwardTo);
  const sandbox = await openSandbox(flags, context);
  const { interrupted, print } = context;
  const events = watchEvents(sandbox, context, () => context.say(openText(sandbox, target)));
  for await (const event of events) {
    if (wanted !== undefined && !wanted.some((type) => type === event.type)) continue;
    if (flags.printJson && context.format === 'text') print(webhookBody(event));
    const answer = target === undefined ? null : await forward(target, event, interrupted);
    print(context.format === 'text' ? lineText(event, answer, context) : lineJson(event, answer));
  }
  return EXIT.done;
}

function openText({ url }: Sandbox, target: URL | undefined): string {
  const events = `the events of ${url}`;
  const does =
    target === undefined ? `Showing ${events}` : `Forwarding ${events} to ${target.href}`;
  return `${does}. Ctrl-C ends it.`;
}

const lineJson = (event: SandboxEvent, answer: Forwarded | null): string =>
  JSON.stringify({ schema: 'bursar.sandbox-forward/v1', ...event, answer });

function lineText(
  { time, type, data }: SandboxEvent,
  answer: Forwarded | null,
  { clock }: Context,
): string {
  const { id, state } = data;
  const what = [type, state, id].filter((part) => typeof part === 'string').join(' ');
  const outcome = answer === null ? '' : ` -> ${answer.status ?? answer.reason ?? 'no answer'}`;
  return printable(`${instantText(time, clock)}  ${what}${outcome}`);
}
