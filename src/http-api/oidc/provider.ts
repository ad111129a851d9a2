import * as client from 'openid-client';
import { BursarError } from '../../domain/errors/bursar-error.ts';

/** Seconds for each answer of the provider. */
const TIMEOUT_S = 10;

/** The settings `serve.oidc`, with the secret itself. `claim`: names the account. */
export type OidcOptions = Readonly<{
  issuer: string;
  clientId: string;
  clientSecret: string;
  claim: string;
  scope: string;
  /** For people. */
  name: string;
}>;

/** A sign-in that waits for the provider. `url`: where the browser goes. */
export type BegunSignIn = Readonly<{
  url: string;
  state: string;
  nonce: string;
  verifier: string;
  redirectUri: string;
}>;

/** A provider of OpenID Connect. It proves who a person is, and signs no approval. */
export type OidcProvider = Readonly<{
  name: string;
  /** @throws OIDC_UNREACHABLE */
  begin(redirectUri: string): Promise<BegunSignIn>;
  /**
   * Exchanges the code in the query of the answer. Returns the account: the value of the claim, from a signed ID token of this
   * issuer for this client and this sign-in. @throws OIDC_UNREACHABLE, OIDC_DENIED, OIDC_REFUSED
   */
  finish(begun: BegunSignIn, query: URLSearchParams): Promise<string>;
}>;

/** `options`: the client is registered with the redirect address, PKCE and the code flow. Nothing is read before the first sign-in. */
export function createOidcProvider(options: OidcOptions): OidcProvider {
  const { issuer, scope, name } = options;
  let known: Promise<client.Configuration> | undefined;
  const discover = (): Promise<client.Configuration> => {
    known ??= read(options).catch((error: unknown) => {
      known = undefined;
      throw unreachable(issuer, error);
    });
    return known;
  };
  return {
    name,
    async begin(redirectUri) {
      const config = await discover();
      const verifier = client.randomPKCECodeVerifier();
      const begun = { state: client.randomState(), nonce: client.randomNonce() };
      const url = client.buildAuthorizationUrl(config, {
        ...begun,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      return { ...begun, verifier, redirectUri, url: url.href };
    },
    async finish(begun, query) {
      const config = await discover();
      try {
        return await accountOf(await exchange(config, begun, query), options, config);
      } catch (error) {
        throw isProblem(error) ? error : problemOf(issuer, error);
      }
    },
  };
}

const isProblem = (error: unknown): error is BursarError => error instanceof BursarError;

async function read({
  issuer,
  clientId,
  clientSecret,
}: OidcOptions): Promise<client.Configuration> {
  const server = new URL(issuer);
  const config = await client.discovery(server, clientId, clientSecret, chooseLogin(clientSecret), {
    timeout: TIMEOUT_S,
    execute: [
      // The signature of the ID token counts, not only the connection that it came by.
      client.enableNonRepudiationChecks,
      // The settings allow http on this machine alone.
      ...(server.protocol === 'http:' ? [client.allowInsecureRequests] : []),
    ],
  });
  // The library lets some providers answer for any tenant. Their accounts would be mixed up.
  if (new URL(config.serverMetadata().issuer).href === server.href) return config;
  throw Object.assign(new Error(), { code: 'it names another issuer' });
}

/** The first way of these that the provider takes. Without a list a provider takes the second one. */
function chooseLogin(secret: string): client.ClientAuth {
  const [post, basic] = [client.ClientSecretPost(secret), client.ClientSecretBasic(secret)];
  return (server, ...rest) => {
    const known = server.token_endpoint_auth_methods_supported ?? [];
    return (known.includes('client_secret_post') ? post : basic)(server, ...rest);
  };
}

type Tokens = Awaited<ReturnType<typeof client.authorizationCodeGrant>>;

function exchange(
  config: client.Configuration,
  { redirectUri, verifier, state, nonce }: BegunSignIn,
  query: URLSearchParams,
): Promise<Tokens> {
  return client.authorizationCodeGrant(config, new URL(`${redirectUri}?${query.toString()}`), {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
    idTokenExpected: true,
  });
}

type Claims = Readonly<Record<string, unknown>>;

/** The claim stands in the ID token, or else in the answer of the UserInfo endpoint about the same subject. */
async function accountOf(
  tokens: Tokens,
  { claim }: OidcOptions,
  config: client.Configuration,
): Promise<string> {
  const inToken: Claims = tokens.claims() ?? {};
  const isThere = inToken[claim] !== undefined;
  const claims: Claims = isThere
    ? inToken
    : await client.fetchUserInfo(config, tokens.access_token, String(inToken['sub']));
  const { [claim]: account, email_verified: isVerified } = claims;
  if (typeof account !== 'string' || account === '') {
    throw new BursarError('OIDC_REFUSED', { reason: `it has no claim ${claim}` });
  }
  // Anyone can give an account the address of somebody else.
  if (claim === 'email' && isVerified !== true) {
    throw new BursarError('OIDC_REFUSED', { reason: 'the e-mail address is not verified' });
  }
  return account;
}

/** Errors that say nothing about the person. */
const FAULTS = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
  'invalid_client',
  'unauthorized_client',
]);

function problemOf(issuer: string, error: unknown): BursarError {
  if (error instanceof client.AuthorizationResponseError) {
    return new BursarError('OIDC_DENIED', {}, { cause: error });
  }
  const reason = reasonOf(error);
  const isAnswer = error instanceof client.ResponseBodyError || reason.startsWith('OAUTH_');
  return isAnswer && !FAULTS.has(reason)
    ? new BursarError('OIDC_REFUSED', { reason }, { cause: error })
    : unreachable(issuer, error);
}

const unreachable = (issuer: string, error: unknown): BursarError =>
  new BursarError('OIDC_UNREACHABLE', { issuer, reason: reasonOf(error) }, { cause: error });

/** The code of an error, or of what caused it. Its text may hold a token. */
function reasonOf(error: unknown): string {
  if (error instanceof client.ResponseBodyError) return error.error;
  if (typeof error !== 'object' || error === null) return 'unknown reason';
  const { code, cause } = error as Readonly<{ code?: unknown; cause?: unknown }>;
  return typeof code === 'string' ? code : reasonOf(cause);
}
