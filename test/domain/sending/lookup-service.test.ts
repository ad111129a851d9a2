import { describe, expect, it } from '@jest/globals';
import { DEFAULT_ENDPOINTS, DEFAULT_SHAPES } from '@bursar/merchant-api/spec';
import {
  baseUrlIn,
  type LookupCalls,
  lookupServiceName,
} from '../../../src/domain/sending/lookup-service.ts';

const BASE_URL = 'https://pay.example/prefix';
const nameWith = ({ endpoints, shapes }: Partial<LookupCalls>): string =>
  lookupServiceName({
    baseUrl: BASE_URL,
    endpoints: { ...DEFAULT_ENDPOINTS, ...endpoints },
    shapes: { ...shapes },
  });

describe('the name of a service in the records of lookups', () => {
  it.each<[string, Partial<LookupCalls>]>([
    ['nothing is set', {}],
    ['the defaults are set', { shapes: DEFAULT_SHAPES }],
    ['only the first page has another number', { shapes: { pageBase: 'zero' } }],
    ['another operation has another path', { endpoints: { ...DEFAULT_ENDPOINTS, USER: '/u' } }],
    [
      'an operation without a lookup carries no account',
      { shapes: { accountIn: ['MASS_GET', 'LOOKUP'] } },
    ],
  ])('is its base URL where %s', (_, calls) => {
    expect(nameWith(calls)).toBe(BASE_URL);
  });

  it.each<[string, Partial<LookupCalls>, string]>([
    ['the form of MASS_GET', { shapes: { massGetAccepts: 'flat' } }, 'massGetAccepts=flat'],
    ['accounts in small letters', { shapes: { accountCase: 'lower' } }, 'accountCase=lower'],
    ['seconds', { shapes: { timestampUnit: 's' } }, 'timestampUnit=s'],
    ['lookups without account', { shapes: { accountIn: 'shown' } }, 'accountIn=none'],
    ['one lookup without account', { shapes: { accountIn: ['LOOKUP'] } }, 'accountIn=LOOKUP'],
    ['no LOOKUP', { endpoints: { ...DEFAULT_ENDPOINTS, LOOKUP: '' } }, 'LOOKUP='],
    [
      'another path and method',
      { endpoints: { ...DEFAULT_ENDPOINTS, MASS_GET: 'PUT /get' } },
      'MASS_GET=PUT /get',
    ],
  ])('also has %s, and leads back to the base URL', (_, calls, part) => {
    expect(nameWith(calls)).toBe(`${BASE_URL} ${part}`);
    expect(baseUrlIn(nameWith(calls))).toBe(BASE_URL);
  });
});
