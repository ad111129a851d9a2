import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { OPERATIONS, type Operation } from '@bursar/merchant-api/spec';
import { anyText } from '../../../test/support/any-text.ts';
import { post, type Reply } from './support/client.ts';
import { START_MS } from './support/manual-clock.ts';
import { mutationsOf } from './support/mutations.ts';
import { ledger } from './support/payouts.ts';
import { prepare, samplesOf } from './support/samples.ts';
import { type Started, startSandbox } from './support/start.ts';

type Place = Readonly<{ operation: Operation; path: string }>;

async function placesOf({ client }: Started): Promise<readonly Place[]> {
  const { text } = await client.get('/sandbox/operations');
  return (JSON.parse(text) as { operations: Place[] }).operations;
}

/** A sandbox with some objects, and a way to send a body to an operation. */
async function startPrepared() {
  const sandbox = await startSandbox();
  const places = await placesOf(sandbox);
  const pathOf = new Map(places.map(({ operation, path }) => [operation, path]));
  const samples = samplesOf(await prepare(sandbox.client, START_MS));
  const send = (operation: Operation, text: string): Promise<Reply> =>
    post(`${sandbox.url}${pathOf.get(operation)}`, text);
  return { sandbox, samples, send };
}

/**
 * Returns a complaint unless the answer has the documented error body, with a status from 400 to
 * 499.
 */
function complaintsOf(name: string, { status, text }: Reply): string[] {
  if (status < 400 || status > 499) return [`${name}: ${status}`];
  const { traceId, errorCode, message, ...rest } = JSON.parse(text) as Record<string, unknown>;
  const isDocumented =
    [traceId, errorCode, message].every((field) => typeof field === 'string' && field !== '') &&
    Object.keys(rest).length === 0;
  return isDocumented ? [] : [`${name}: ${text}`];
}

it('every operation of the specification is served', async () => {
  const places = await placesOf(await startSandbox());
  expect(places.map(({ operation }) => operation).toSorted()).toEqual(OPERATIONS.toSorted());
});

describe.each(OPERATIONS)('%s', (operation) => {
  it('answers its sample', async () => {
    const { samples, send } = await startPrepared();
    const reply = await send(operation, JSON.stringify(samples[operation].body));
    expect(`${reply.status} ${reply.text}`).toMatch(/^200 \{/);
  });

  it('refuses every change that makes the sample wrong, and changes nothing', async () => {
    const { sandbox, samples, send } = await startPrepared();
    const before = await ledger(sandbox.client);
    const complaints: string[] = [];
    for (const { name, text } of mutationsOf(samples[operation])) {
      complaints.push(...complaintsOf(name, await send(operation, text)));
    }
    expect(complaints).toEqual([]);
    expect(await ledger(sandbox.client)).toEqual(before);
  });

  it('never fails itself, with any value in any field', async () => {
    const { sandbox, samples, send } = await startPrepared();
    const texts = mutationsOf(samples[operation]).map(({ text }) => text);
    const anything = fc.oneof(
      fc.json({ maxDepth: 3 }),
      anyText().map((text) => JSON.stringify(text)),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...texts), fc.nat(), anything, async (text, at, value) => {
        const values = [
          ...text.matchAll(/(?<=[:[,])("(?:[^"\\]|\\.)*"|[-\d.eE+]+|true|false|null)/g),
        ];
        const chosen = values[at % values.length];
        const from = chosen?.index ?? 0;
        const changed = text.slice(0, from) + value + text.slice(from + (chosen?.[0].length ?? 0));
        const { status } = await send(operation, changed);
        expect(status).toBeLessThan(500);
      }),
      { numRuns: 40 },
    );
    expect((await ledger(sandbox.client)).balances.every(({ tiesOut }) => tiesOut)).toBe(true);
  });
});
