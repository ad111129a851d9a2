import {
  ACCOUNT_OPERATIONS,
  DEFAULT_ENDPOINTS,
  DEFAULT_SHAPES,
  type Endpoints,
  type Operation,
  type ShapeChoices,
} from '@bursar/merchant-api/spec';

/** How a service is called, as far as lookups depend on it. */
export type LookupCalls = Readonly<{
  baseUrl: string;
  endpoints: Endpoints;
  shapes: ShapeChoices;
}>;

/**
 * The name of a service in the records of lookups: its base URL, then each choice for MASS_GET and LOOKUP that differs from the
 * default. What a lookup found or missed proves nothing once these operations are called in another way.
 *
 * @example 'https://pay.example'
 * @example 'https://pay.example massGetAccepts=flat LOOKUP=POST /api/v1/object'
 */
export function lookupServiceName({ baseUrl, endpoints, shapes }: LookupCalls): string {
  const calls = facts(endpoints, shapes);
  const defaults = facts(DEFAULT_ENDPOINTS, DEFAULT_SHAPES);
  const differing = Object.entries(calls)
    .filter(([name, value]) => value !== defaults[name])
    .map(([name, value]) => `${name}=${value}`);
  return [baseUrl, ...differing].join(' ');
}

/** The base URL in such a name. A URL has no spaces. */
export const baseUrlIn = (lookupName: string): string => lookupName.split(' ', 1)[0] ?? '';

const OPERATIONS_OF_LOOKUPS = ['MASS_GET', 'LOOKUP'] as const satisfies readonly Operation[];

function facts(endpoints: Endpoints, given: ShapeChoices): Record<string, string> {
  const shapes = { ...DEFAULT_SHAPES, ...given };
  const { accountIn, massGetAccepts, accountCase, timestampUnit } = shapes;
  const withAccount: readonly Operation[] =
    typeof accountIn === 'string' ? ACCOUNT_OPERATIONS[accountIn] : accountIn;
  const carrying = OPERATIONS_OF_LOOKUPS.filter((operation) => withAccount.includes(operation));
  return {
    massGetAccepts,
    accountIn: carrying.join('+') || 'none',
    accountCase,
    timestampUnit,
    ...Object.fromEntries(
      OPERATIONS_OF_LOOKUPS.map((operation) => [operation, endpoints[operation]]),
    ),
  };
}
