import { describe, expect, it } from '@jest/globals';
import { isBursarError } from '../../../../src/domain/errors/bursar-error.ts';
import { isLost, typedError } from '../../../../src/store/engine/postgres/errors.ts';

const URL_WITH_USER = 'postgres://zoe@db.example/bursar';

const thrown = (code: string, message = 'x') => Object.assign(new Error(message), { code });
const codeOf = (error: unknown): string => {
  const typed = typedError(error, URL_WITH_USER);
  return isBursarError(typed) ? typed.code : 'as it is';
};

describe('an error of the server', () => {
  it.each([
    ['53100', 'STORE_FULL'],
    ['55P03', 'STORE_BUSY'],
    ['57014', 'STORE_BUSY'],
    ['40P01', 'STORE_BUSY'],
    ['57P01', 'STORE_UNREACHABLE'],
    ['08006', 'STORE_UNREACHABLE'],
    ['ECONNREFUSED', 'STORE_UNREACHABLE'],
    ['28P01', 'STORE_UNREACHABLE'],
    ['3D000', 'STORE_UNREACHABLE'],
    ['23505', 'as it is'],
    ['42P01', 'as it is'],
  ])('%s is %s', (code, expected) => {
    expect(codeOf(thrown(code))).toBe(expected);
  });

  it.each([
    'Connection terminated unexpectedly',
    'Query read timeout',
    'timeout exceeded when trying to connect',
    'Client has encountered a connection error and is not queryable',
  ])('without a code is of the connection: %s', (message) => {
    expect(isLost(new Error(message))).toBe(true);
    expect(codeOf(new Error(message))).toBe('STORE_UNREACHABLE');
  });

  it('shows no user of the address', () => {
    const errors = [thrown('57P01'), thrown('28P01', 'authentication failed for user "zoe"')];
    const texts = errors.map((error) => String(typedError(error, URL_WITH_USER)));
    expect(texts.join(' ')).not.toContain('zoe');
    expect(texts[1]).toContain('refuses the user or the password');
  });
});
