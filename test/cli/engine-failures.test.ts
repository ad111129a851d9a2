import { expect, it } from '@jest/globals';
import { unreachable } from '../../src/operations/engine/failures.ts';

const grpcError = (code: number, details: string): Error =>
  Object.assign(new Error(`${code} ${details}`), { code, details, metadata: {} });

it.each([
  [
    'gave no answer before the deadline of the client',
    4,
    'Deadline exceeded after 15.000s',
    'it did not answer in time',
  ],
  ['gave it up at the deadline itself', 1, 'Call cancelled', 'it did not answer in time'],
  ['cannot be connected to', 14, 'No connection established', 'No connection established'],
])('a server that %s is reported in a sentence', (_what, code, details, reason) => {
  const cause = grpcError(code, details);
  const { note } = unreachable('there:7233', new Error('Failed', { cause }));
  expect(note.what).toBe(`Temporal at there:7233 cannot be reached (${reason}).`);
});
