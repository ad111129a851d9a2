import { worstExitCode } from '../../src/cli/commands/demo.ts';
import { describe, expect, it } from '@jest/globals';
import { END_STATES, type EndState } from '../../src/domain/batch/batch-state.ts';
import { CATALOGUE, type ErrorCode } from '../../src/domain/errors/catalogue.ts';
import type { ErrorCategory } from '../../src/domain/errors/entry.ts';
import {
  EXIT,
  EXIT_MEANINGS,
  exitCodeOfCategory,
  exitCodeOfEnd,
  exitCodeOfError,
} from '../../src/domain/errors/exit-codes.ts';

describe('exit codes', () => {
  it('are the documented numbers, each with a meaning', () => {
    expect(Object.values(EXIT)).toEqual([0, 1, 2, 3, 4, 5, 6, 8, 10, 11, 12, 13, 14, 15, 130]);
    expect(Object.keys(EXIT_MEANINGS)).toEqual(Object.keys(EXIT));
  });

  it.each<{ category: ErrorCategory; code: number }>`
    category         | code
    ${'usage'}       | ${2}
    ${'said-no'}     | ${3}
    ${'auth'}        | ${4}
    ${'not-found'}   | ${5}
    ${'unreachable'} | ${6}
    ${'funds'}       | ${11}
    ${'file'}        | ${13}
    ${'operator'}    | ${14}
    ${'tampered'}    | ${15}
    ${'bug'}         | ${1}
  `('are $code for an error of category $category', ({ category, code }) => {
    expect(exitCodeOfCategory(category)).toBe(code);
  });

  it('exist for every error of the catalogue', () => {
    const codes = Object.keys(CATALOGUE) as ErrorCode[];
    for (const code of codes) expect(Object.values(EXIT)).toContain(exitCodeOfError({ code }));
  });

  it.each<{ state: EndState; error: ErrorCode | null; code: number }>`
    state          | error                    | code
    ${'COMPLETED'} | ${null}                  | ${0}
    ${'PARTIAL'}   | ${null}                  | ${10}
    ${'PARTIAL'}   | ${'SERVICE_REFUSED_KEY'} | ${10}
    ${'FAILED'}    | ${null}                  | ${11}
    ${'FAILED'}    | ${'FUNDS_TOO_LOW'}       | ${11}
    ${'FAILED'}    | ${'SERVICE_REFUSED'}     | ${11}
    ${'FAILED'}    | ${'SERVICE_REFUSED_KEY'} | ${4}
    ${'FAILED'}    | ${'CLOCK_SKEW'}          | ${4}
    ${'FAILED'}    | ${'SERVICE_UNREACHABLE'} | ${6}
    ${'FAILED'}    | ${'INTERNAL'}            | ${1}
    ${'CANCELED'}  | ${null}                  | ${12}
    ${'REJECTED'}  | ${null}                  | ${13}
    ${'REJECTED'}  | ${'FILE_ROWS_REFUSED'}   | ${13}
    ${'REJECTED'}  | ${'SAME_FILE_AGAIN'}     | ${13}
    ${'REJECTED'}  | ${'BATCH_ID_TAKEN'}      | ${2}
    ${'REJECTED'}  | ${'BLOB_MISSING'}        | ${5}
    ${'REFUSED'}   | ${null}                  | ${3}
  `('are $code for a batch that ended $state with $error', ({ state, error, code }) => {
    expect(exitCodeOfEnd(state, error === null ? null : { code: error })).toBe(code);
  });

  it('exist for every end', () => {
    for (const state of END_STATES) expect(exitCodeOfEnd(state, null)).toBeGreaterThanOrEqual(0);
  });

  it.each<{ codes: number[]; worst: number }>`
    codes              | worst
    ${[]}              | ${0}
    ${[0, 0]}          | ${0}
    ${[0, 10]}         | ${10}
    ${[10, 12, 11, 0]} | ${11}
    ${[14, 6]}         | ${6}
    ${[13, 4, 10]}     | ${4}
  `('of several batches, $codes, make $worst', ({ codes, worst }) => {
    expect(worstExitCode(codes)).toBe(worst);
  });
});
