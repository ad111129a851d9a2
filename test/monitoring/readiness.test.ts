import { describe, expect, it } from '@jest/globals';
import { BursarError } from '../../src/domain/errors/bursar-error.ts';
import { type ReadinessCheck, createReadiness } from '../../src/monitoring/readiness.ts';

const FIX = 'See to it.';
const check = (name: string, run: () => Promise<void>): ReadinessCheck => ({ name, fix: FIX, run });
const works = check('works', async () => undefined);
const fails = check('fails', async () => {
  throw new Error('sqlite://ann:canary@host is full');
});

function readinessOf(checks: readonly ReadinessCheck[]) {
  let nowMs = 0;
  const read = createReadiness(() => checks, { nowMs: () => nowMs, deadlineMs: 20 });
  const later = (): Promise<unknown> => {
    nowMs += 1_000;
    return read();
  };
  return { read, later };
}

describe('the readiness of a program', () => {
  it('is "ready" when all checks pass', async () => {
    expect(await readinessOf([works]).read()).toEqual({ status: 'ready', checks: { works: 'ok' } });
  });

  it('names the check that failed, with what, why and fix, and no password', async () => {
    expect(await readinessOf([works, fails]).read()).toEqual({
      status: 'not ready',
      checks: {
        works: 'ok',
        fails: {
          what: 'The check "fails" failed.',
          why: 'sqlite://***@host is full',
          fix: FIX,
        },
      },
    });
  });

  it('has the sentences of an error of the catalogue', async () => {
    const error = new BursarError('STORE_UNUSABLE', { url: 'sqlite:x.db', reason: 'EACCES' });
    const { what, why, fix } = error.note;
    const { checks } = await readinessOf([check('store', () => Promise.reject(error))]).read();
    expect(checks).toEqual({ store: { what, why, fix } });
  });

  it('does not need an optional check, and shows it', async () => {
    const { status, checks } = await readinessOf([{ ...fails, isOptional: true }]).read();
    expect(status).toBe('ready');
    expect(checks).toMatchObject({ fails: { fix: FIX } });
  });

  it('does not wait for a check that hangs, nor begins it a second time', async () => {
    let begun = 0;
    const hangs = check('hangs', () => {
      begun += 1;
      return new Promise(() => undefined);
    });
    const { read, later } = readinessOf([works, hangs]);
    const expected = {
      status: 'not ready',
      checks: {
        works: 'ok',
        hangs: {
          what: 'The check "hangs" did not end in time.',
          why: 'There was no answer within 20 milliseconds.',
        },
      },
    };
    expect(await read()).toMatchObject(expected);
    expect(await later()).toMatchObject(expected);
    expect(begun).toBe(1);
  });

  it('runs each check once a second at most', async () => {
    let begun = 0;
    const counts = check('counts', async () => {
      begun += 1;
    });
    const { read, later } = readinessOf([counts]);
    await Promise.all([read(), read(), read()]);
    expect(begun).toBe(1);
    await later();
    expect(begun).toBe(2);
  });
});
