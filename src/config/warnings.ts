import { ACCOUNT_VARIABLE } from './accounts.ts';
import { ACCOUNT_ID_PATTERN } from '@bursar/merchant-api/spec';
import { isLoopbackUrl } from './loopback.ts';
import { nearest } from '../domain/text/nearest.ts';
import { PROFILE_VARIABLE } from './profiles.ts';
import type { ApiSettings, NotifyTarget } from './settings.ts';
import { type Env, SETTINGS } from './sources.ts';

const PREFIX = 'BURSAR_';

/** Variables that are not settings of the engine. */
const OTHER_VARIABLES = [
  ACCOUNT_VARIABLE,
  PROFILE_VARIABLE,
  'BURSAR_API_SECRET',
  'BURSAR_CONFIG',
  'BURSAR_SERVER',
  'BURSAR_SERVER_TOKEN',
  'BURSAR_SERVER_TOKEN_FILE',
  'BURSAR_TEMPORAL_CLI',
];

/** Families of variables that others read: the sandbox, and the tests. */
const OTHER_PREFIXES = ['BURSAR_SANDBOX_', 'BURSAR_TEST_'];

/** The unusual settings that are no faults. */
export function findWarnings(
  api: ApiSettings,
  targets: readonly NotifyTarget[],
  env: Env,
): string[] {
  return [
    ...secretWarnings(api),
    ...accountWarnings(api),
    ...plainHttpWarnings(api),
    ...plainTargetWarnings(targets),
    ...unknownVariables(env),
  ];
}

function secretWarnings({ readSecretText, secretFile }: ApiSettings): string[] {
  if (readSecretText === undefined) return [];
  if (secretFile !== undefined)
    return ['BURSAR_API_SECRET is ignored because api.secret_file is set'];
  return [
    'BURSAR_API_SECRET holds the secret in the environment, where other programs can read it; better put it in a file and set BURSAR_API_SECRET_FILE',
  ];
}

function accountWarnings({ account }: ApiSettings): string[] {
  if (account === undefined || ACCOUNT_ID_PATTERN.test(account)) return [];
  return [
    'api.account is a UUID; the service documents 0x and 40 hexadecimal digits, and may refuse a UUID',
  ];
}

function plainHttpWarnings({ baseUrl }: ApiSettings): string[] {
  if (baseUrl === undefined || isPrivate(baseUrl)) return [];
  return ['api.base_url is not https, so others on the network can read every request'];
}

/** The address itself is not shown: it may hold a secret of the receiver. */
const plainTargetWarnings = (targets: readonly NotifyTarget[]): string[] =>
  targets
    .filter(({ url }) => url !== undefined && !isPrivate(url))
    .map(
      ({ name }) =>
        `the notify target ${name} is not https, so others on the network can read what it is told`,
    );

/** Whether requests to an address cannot be read on the network. */
const isPrivate = (url: string): boolean =>
  new URL(url).protocol === 'https:' || isLoopbackUrl(url);

function unknownVariables(env: Env): string[] {
  const known = [...SETTINGS.map(({ variable }) => variable), ...OTHER_VARIABLES];
  return Object.keys(env)
    .filter((variable) => variable.startsWith(PREFIX) && !known.includes(variable))
    .filter((variable) => !OTHER_PREFIXES.some((prefix) => variable.startsWith(prefix)))
    .map((variable) => {
      const meant = nearest(variable, known);
      const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
      return `${variable} is not a setting and is ignored${hint}`;
    });
}
