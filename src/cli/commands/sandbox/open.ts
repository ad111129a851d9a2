import type { Context } from '../../context.ts';
import { flagInvalid } from '../../../operations/input/flag-error.ts';
import { readCount } from '../../../operations/input/lists.ts';
import { type ListOutput, printList } from '../../print/output.ts';
import { type SandboxFlags, sandboxUrl } from '../../sandbox/address.ts';
import { createSandboxClient, type Sandbox } from '../../sandbox/client.ts';
import { latest } from '../../sandbox/pages.ts';

/** The sandbox that the command is meant for. Throws FLAG_INVALID, SETTINGS_INVALID. */
export async function openSandbox(flags: SandboxFlags, context: Context): Promise<Sandbox> {
  const url = await sandboxUrl(flags, context);
  return createSandboxClient({ url, interrupted: context.interrupted });
}

/** What is shown of a list that may be long: its last objects. */
export type TailFlags = SandboxFlags & Readonly<{ tail?: string }>;

const TAIL_DEFAULT = 50;

/** Reads `--tail`: a number, or `all`. Throws FLAG_INVALID. */
export function readTail({ tail }: TailFlags): number {
  if (tail === undefined) return TAIL_DEFAULT;
  return tail === 'all' ? Number.POSITIVE_INFINITY : readCount('--tail', tail);
}

/** The last of a list; all of it comes as it is read. */
export async function* tailOf<Item>(
  items: AsyncIterable<Item>,
  count: number,
): AsyncGenerator<Item> {
  if (count === Number.POSITIVE_INFINITY) yield* items;
  else yield* await latest(items, count);
}

/** Prints a list. With `-o json` one object holds the list or the error: it is printed when all of it is there. */
export async function printAll<Item extends object>(
  context: Context,
  items: AsyncIterable<Item> | Iterable<Item>,
  output: Omit<ListOutput<Item>, 'about'> & Partial<Pick<ListOutput<Item>, 'about'>>,
): Promise<number> {
  const whole = context.format === 'json' ? await gather(items) : items;
  const count = await printList(context, whole, { about: {}, ...output });
  if (count === 0 && context.format === 'text')
    context.say(`There are no ${inWords(output.name)}.`);
  return count;
}

/** `massPayouts` as people write it. */
const inWords = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

async function gather<Item>(items: AsyncIterable<Item> | Iterable<Item>): Promise<Item[]> {
  const whole: Item[] = [];
  for await (const item of items) whole.push(item);
  return whole;
}

/** What has no end cannot be one JSON object. Throws FLAG_INVALID. */
export function refuseEndlessJson({ format }: Pick<Context, 'format'>): void {
  if (format === 'json') throw flagInvalid('-o json', 'this has no end; take -o jsonl');
}
