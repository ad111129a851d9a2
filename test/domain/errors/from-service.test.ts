import { describe, expect, it } from '@jest/globals';
import {
  answerText,
  fromServiceFailure,
  type ServiceFailure,
} from '../../../src/domain/errors/from-service.ts';

const BODY = { errorCode: 'NOT_TODAY', traceId: 't-1', serviceMessage: 'Come back at noon' };
const SERVICE = { baseUrl: 'http://s', skewMs: 0 };

const failure = (more: Partial<ServiceFailure>): ServiceFailure => ({
  kind: 'refused',
  operation: 'LOOKUP',
  message: 'm',
  documented: true,
  ...BODY,
  ...more,
});

const FAILURES: readonly (readonly [string, Partial<ServiceFailure>, skewMs?: number])[] = [
  ['SERVICE_REFUSED', { httpStatus: 400 }],
  ['SERVICE_REFUSED_KEY', { httpStatus: 401 }],
  ['SERVICE_UNREACHABLE', { httpStatus: 503 }],
  ['SERVICE_UNREACHABLE', { httpStatus: 429 }],
  ['SERVICE_PATH_UNKNOWN', { httpStatus: 405 }],
  ['CLOCK_SKEW', { httpStatus: 400 }, 300_000],
  [
    'SERVICE_ANSWER_UNREADABLE',
    { kind: 'unreadable', httpStatus: 200, reason: 'it is an error body' },
  ],
];

describe.each(FAILURES)('%s of %j', (code, more, skewMs = 0) => {
  it('names the code, the trace and the sentence of the service in a terminal', () => {
    const { note } = fromServiceFailure(failure(more), { ...SERVICE, skewMs, isQuoted: true });
    expect(note.code).toBe(code);
    expect(note.what).toMatch(/NOT_TODAY.*t-1.*Come back at noon/);
  });

  it('names the code and the trace, and no foreign sentence, where a history keeps it', () => {
    const { note } = fromServiceFailure(failure(more), { ...SERVICE, skewMs });
    expect(note.what).toMatch(/NOT_TODAY.*t-1/);
    expect(JSON.stringify(note)).not.toContain('noon');
  });
});

describe('the error body of an answer', () => {
  it.each([
    [BODY, true, ', NOT_TODAY, trace t-1: Come back at noon'],
    [BODY, false, ', NOT_TODAY, trace t-1'],
    [{ traceId: 't-1' }, true, ', trace t-1'],
    [{ serviceMessage: '' }, true, ''],
    [{}, true, ''],
    [{ errorCode: 'a text that is no code' }, true, ', withheld'],
  ])('%j, quoted %s, is told as %j', (body, isQuoted, text) => {
    expect(answerText(body, isQuoted)).toBe(text);
  });
});
