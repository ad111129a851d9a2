import { readFile } from 'node:fs/promises';
import type { KnownPayout, ProbeReport } from '@bursar/merchant-api';
import { type Endpoints, OPERATIONS, readEndpoint } from '@bursar/merchant-api/spec';
import type { Settings } from '../../config.ts';
import { fromServiceFailure } from '../../domain/errors/from-service.ts';
import { withStoreIfAny } from '../batch/sources.ts';
import type { OperationContext } from '../context.ts';
import { flagInvalid } from '../input/flag-error.ts';

/** What a person gives a probe. */
export type ProbeRequest = Readonly<{
  /** Id of a mass payout of the account; without one, that of the newest that the store has. */
  massPayout?: string;
  /** Idempotency key of that mass payout. */
  key?: string;
  /** Texts such as `LOOKUP=/api/v1/payout`. */
  endpoint?: readonly string[];
  /** A file or an address with an OpenAPI document. */
  openapi?: string;
}>;

/** Probes the service of the settings. Throws the refusal of the account as an error of the catalogue. */
export async function probe(
  settings: Settings,
  request: ProbeRequest,
  context: OperationContext,
): Promise<ProbeReport> {
  const { openapi, endpoint = [] } = request;
  const known = await knownPayout(settings, request, context);
  const described = {
    ...(openapi !== undefined && (await describedAt(openapi, context.interrupted))),
    ...endpointsOf(endpoint),
  };
  const choices = {
    described,
    signal: context.interrupted,
    ...(known && { known }),
  };
  return probeOrRefuse(settings, choices, context);
}

/** {@link OperationContext.open}`.probe` within the limit of the settings, with its failures as errors of the catalogue. */
export async function probeOrRefuse(
  settings: Settings,
  choices: Parameters<OperationContext['open']['probe']>[1],
  { open }: Readonly<{ open: OperationContext['open'] }>,
): Promise<ProbeReport> {
  const { MerchantApiError, PROBE_REQUESTS_PER_SECOND } = await import('@bursar/merchant-api');
  const { requestsPerSecond = PROBE_REQUESTS_PER_SECOND } = choices;
  const limit = settings.api.requestsPerSecond ?? Infinity;
  const paced = { ...choices, requestsPerSecond: Math.min(requestsPerSecond, limit) };
  try {
    return await open.probe(settings, paced);
  } catch (error) {
    if (!(error instanceof MerchantApiError)) throw error;
    const { serverDateMs, timestampMs } = error;
    const skewMs =
      serverDateMs === undefined || timestampMs === undefined
        ? undefined
        : serverDateMs - timestampMs;
    const { baseUrl = '' } = settings.api;
    throw fromServiceFailure(error, { baseUrl, skewMs, isQuoted: true });
  }
}

async function knownPayout(
  settings: Settings,
  { massPayout, key }: ProbeRequest,
  context: OperationContext,
): Promise<KnownPayout | undefined> {
  if (massPayout !== undefined) return { id: massPayout, idempotencyKey: key };
  if (key !== undefined) throw flagInvalid('--key', 'names no mass payout without --mass-payout');
  const { account } = settings.api;
  if (account === undefined) return undefined;
  return withStoreIfAny(settings, context, async (store) => {
    const witness = (await store?.lookupVerification.witnesses(account, ''))?.at(-1);
    const { massPayoutId: id = null, idempotencyKey } = witness ?? {};
    return id === null ? undefined : { id, idempotencyKey };
  });
}

function endpointsOf(given: readonly string[]): Partial<Endpoints> {
  const pairs = given.map((text) => {
    const [, name = '', place = ''] = /^([^=]+)=(.*)$/.exec(text) ?? [];
    const operation = OPERATIONS.find((one) => one === name.toUpperCase());
    const isPlace = place === '' || readEndpoint(place) !== undefined;
    if (operation !== undefined && isPlace) return [operation, place];
    throw flagInvalid(
      '--endpoint',
      'must be OPERATION=/path, OPERATION="PUT /path", or OPERATION=',
    );
  });
  return Object.fromEntries(pairs) as Partial<Endpoints>;
}

/** How long a description may take to arrive, in milliseconds, and its most characters. */
const DESCRIPTION_MS_MAX = 30_000;
const DESCRIPTION_CHARACTERS_MAX = 20_000_000;

async function describedAt(place: string, interrupted: AbortSignal): Promise<Partial<Endpoints>> {
  const { endpointsOfOpenApi } = await import('@bursar/merchant-api');
  let document: unknown;
  try {
    const text = await textAt(place, interrupted);
    document = text.length > DESCRIPTION_CHARACTERS_MAX ? undefined : JSON.parse(text);
  } catch (cause) {
    interrupted.throwIfAborted();
    const { code, name } = cause as NodeJS.ErrnoException;
    throw flagInvalid('--openapi', `it cannot be read as JSON (${code ?? name})`);
  }
  const found = endpointsOfOpenApi(document);
  if (Object.keys(found).length > 0) return found;
  throw flagInvalid('--openapi', 'it describes no operation of the service that Bursar knows');
}

async function textAt(place: string, interrupted: AbortSignal): Promise<string> {
  if (!/^https?:\/\//.test(place)) return readFile(place, 'utf8');
  const signal = AbortSignal.any([interrupted, AbortSignal.timeout(DESCRIPTION_MS_MAX)]);
  const answer = await fetch(place, { signal });
  return answer.ok ? answer.text() : '';
}
