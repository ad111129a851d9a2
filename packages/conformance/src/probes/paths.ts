import {
  type Endpoints,
  KNOWN_ENDPOINTS,
  type Operation,
  readEndpoint,
} from '@bursar/merchant-api/spec';
import { fieldOf, showAnswer } from '../expect.ts';
import { type ServiceAnswer, type TestedService, unknownPath } from '../service.ts';

/** An operation that is answered as a path that is not served. */
export type MissingOperation = Readonly<{
  /** Method and path. */
  at: string;
  /** Its answer. */
  came: string;
  /** Whether the specification shows this path. */
  isDocumented: boolean;
}>;

export type MissingOperations = ReadonlyMap<Operation, MissingOperation>;

/** Describes an operation that is missing at its place. */
export function missingAt(operation: Operation, endpoint: string, came: string): MissingOperation {
  const { method = '', path = '' } = readEndpoint(endpoint) ?? {};
  const isDocumented = Object.entries(KNOWN_ENDPOINTS).some(
    ([known, at]) => known === operation && at === endpoint,
  );
  return { at: `${method} ${path}`, came, isDocumented };
}

/**
 * Compares the answers of operations with that of a path that is surely not served. The requests
 * are incomplete, so that no operation does anything.
 */
export async function findMissing(
  service: TestedService,
  operations: readonly Operation[],
  endpoints: Endpoints,
): Promise<MissingOperations> {
  const unknown = signOf(await service.send('ACCOUNT', { path: unknownPath() }));
  const refused = await service.send('ACCOUNT', { account: null });
  const missing = new Map<Operation, MissingOperation>();
  const take = (operation: Operation, answer: ServiceAnswer): void => {
    if (signOf(answer) !== unknown) return;
    missing.set(operation, missingAt(operation, endpoints[operation], showAnswer(answer)));
  };
  take('ACCOUNT', await service.send('ACCOUNT'));
  // A service with one answer for all errors does not show which paths it serves.
  const isOneForAll = !missing.has('ACCOUNT') && signOf(refused) === unknown;
  if (isOneForAll) return missing;
  for (const operation of operations) {
    if (operation === 'ACCOUNT') continue;
    take(operation, await service.send(operation, { payload: {} }));
  }
  return missing;
}

/** What two answers for one reason have in common: all but paths, ids and numbers. */
function signOf({ status, json, text }: ServiceAnswer): string {
  const errorCode = fieldOf(json, 'errorCode');
  const words = typeof errorCode === 'string' ? fieldOf(json, 'message') : text;
  const kept = String(words)
    .replaceAll(/\/api\/v1\/[\w/-]*/g, '/')
    .replaceAll(/[0-9a-f]{8,}|[0-9-]+/gi, '0');
  return `${status} ${String(errorCode)} ${kept}`;
}
