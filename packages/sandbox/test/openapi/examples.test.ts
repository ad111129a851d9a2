import { expect, it } from '@jest/globals';
import { EXAMPLES } from '../../src/openapi/document.ts';
import { DEFAULT_ENDPOINTS, OPERATIONS, type Operation } from '@bursar/merchant-api/spec';
import { post } from '../support/client.ts';
import { START_MS } from '../support/manual-clock.ts';
import { startSandbox, steps } from '../support/start.ts';
import { operationOf } from './support/document.ts';
import { checkClosed } from './support/check.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

/** Fields that differ in each run, with their form. */
const RANDOM: Readonly<Record<string, RegExp>> = {
  id: UUID,
  withdrawalId: UUID,
  publicKey: UUID,
  secretKey: /^[0-9a-f]{64}$/,
  transactionHash: /^[0-9a-f]{64}$/,
};

/** An answer or its example, without the random fields. */
function withoutRandom(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (name, field: unknown) =>
    typeof field === 'string' && RANDOM[name]?.test(field) === true ? `random ${name}` : field,
  );
}

const examples = (Object.keys(EXAMPLES) as Operation[]).flatMap((operation) =>
  Object.values(EXAMPLES[operation]).map((example) => ({ operation, ...example })),
);

it('every operation has an example in the document', () => {
  for (const operation of OPERATIONS) {
    const { requestBody, responses } = operationOf(operation);
    const requests = requestBody.content['application/json'].examples;
    const answers = responses['200']?.content['application/json'].examples;
    expect(Object.keys(requests)).not.toEqual([]);
    expect(Object.keys(answers ?? {})).toEqual(Object.keys(requests));
  }
});

/** The id of the mass payout in the examples. The sandbox gives it another one. */
const [created] = Object.values(EXAMPLES.MASS_CREATE).map(({ answer }) => answer as { id: string });
const exampleId = created?.id ?? '';

it('a sandbox answers every example as documented', async () => {
  const { url, clock } = await startSandbox();
  let realId = exampleId;
  for (const { operation, request, answer } of examples) {
    const body = JSON.stringify(request).replaceAll(exampleId, realId);
    const reply = await post(url + DEFAULT_ENDPOINTS[operation], body);
    const answered: unknown = JSON.parse(reply.text);
    expect([operation, reply.status, withoutRandom(answered)]).toEqual([
      operation,
      200,
      withoutRandom(answer),
    ]);
    if (operation !== 'MASS_CREATE') continue;
    realId = (answered as { id: string }).id;
    steps(clock, 10);
  }
});

it('the time of the examples is that of the sandbox of this test', () => {
  expect(JSON.stringify(EXAMPLES.ACCOUNT)).toContain(String(START_MS));
});

it.each(OPERATIONS)('every example of %s fits the schemas', (operation) => {
  const { requestBody, responses } = operationOf(operation);
  const sides = [requestBody.content, responses['200']?.content];
  const complaints = sides.flatMap((content) => {
    const { schema, examples: values } = content?.['application/json'] ?? {
      schema: {},
      examples: {},
    };
    return Object.values(values).flatMap(({ value }) => checkClosed(schema, value));
  });
  expect(complaints).toEqual([]);
});
