import { expect, it } from '@jest/globals';
import type { Surroundings } from '../../src/operations/context.ts';
import { createContexts } from '../../src/http-api/contexts.ts';
import { worldOf } from './support/machine-at.ts';

const ENV = {
  BURSAR_STORE_URL: 'sqlite:shared.db',
  BURSAR_API_ACCOUNT: '0xab',
  BURSAR_LOG_LEVEL: 'warn',
};

/** The environment of an operation that a caller of this account asks for. */
function envFor(account: string | null): Surroundings['env'] {
  const { world } = worldOf();
  const contextOf = createContexts({ ...world, env: ENV });
  const caller = { name: 'payroll', account };
  const progress = { say: () => undefined, show: () => undefined, clear: () => undefined };
  return contextOf({ caller, progress, left: new AbortController().signal } as never).env;
}

it('no variable of the server gives two accounts one store or one account of the service', () => {
  expect(envFor('emea')).toEqual({ BURSAR_LOG_LEVEL: 'warn', BURSAR_ACCOUNT: 'emea' });
});

it('a server without accounts has its variables', () => {
  expect(envFor(null)).toBe(ENV);
});
