import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createBegunSignIns } from '../../src/http-api/oidc/begun.ts';
import { createOidcProvider } from '../../src/http-api/oidc/provider.ts';
import { worldThatWaits } from '../cli/support/approvals.ts';
import { person, policyOf } from '../support/approvers.ts';
import { approvedByPasskey, ORIGIN, passkeyPerson } from '../support/passkeys.ts';
import type { FakeWorld } from '../cli/support/fake-world.ts';
import { payrollWorld } from '../cli/support/payroll-world.ts';
import { type Api, apiOf } from './support/api.ts';
import { type OidcServer, startOidcServer } from './support/oidc-server.mjs';
import { type Headers, send } from './support/web.ts';

const REDIRECT = `${ORIGIN}/v1/session/oidc/callback`;

const PEOPLE = [
  { ...passkeyPerson('bob', ['finance']), webRole: 'operate', oidc: 'sub-of-bob' },
  { ...person('carol'), publicKey: null, webRole: 'read', oidc: 'carol@example.com' },
  { ...passkeyPerson('dave'), webRole: 'operate', oidc: null },
] as const;

type Options = Partial<Parameters<typeof createOidcProvider>[0]>;

let provider: OidcServer;
let world: FakeWorld;
const open: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  world = await payrollWorld(async () => undefined);
});
beforeEach(() => start({}));
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function start(choices: Omit<Parameters<typeof startOidcServer>[0], 'redirectUri'>) {
  provider = await startOidcServer({ redirectUri: REDIRECT, ...choices });
  open.push(provider);
}

function optionsOf(options: Options) {
  const { issuer, clientId, clientSecret } = provider;
  const client = { issuer, clientId, clientSecret };
  return { ...client, claim: 'sub', scope: 'openid email', name: 'Work', ...options };
}

async function served(options: Options = {}, api: Parameters<typeof apiOf>[1] = {}): Promise<Api> {
  const oidc = createOidcProvider(optionsOf(options));
  const made = await apiOf(world, { people: PEOPLE, origin: ORIGIN, oidc, ...api });
  open.push(made);
  return made;
}

const cookiesOf = (value: unknown): string[] => [value ?? []].flat().map(String);
const cookieIn = (value: unknown, name: string): string | undefined =>
  cookiesOf(value)
    .find((one) => one.startsWith(`__Host-${name}=`))
    ?.split(';')[0];

/** Begins a sign-in, as the page does. */
async function begin(api: Api) {
  const started = await send(api, 'POST /v1/session/oidc');
  expect([started.status, started.value['schema']]).toEqual([200, 'bursar.oidc-start/v1']);
  const cookie = cookieIn(started.headers['set-cookie'], 'bursar_oidc') ?? '';
  return { url: new URL(String(started.value['url'])), cookie, headers: started.headers };
}

/** The browser comes back from the provider. */
async function comeBack(api: Api, url: string, headers: Headers) {
  const answer = await api.server.inject({
    method: 'GET',
    url: url.replace(ORIGIN, ''),
    headers: { 'sec-fetch-site': 'cross-site', ...headers },
  });
  const set = answer.headers['set-cookie'];
  return {
    status: answer.statusCode,
    location: answer.headers.location,
    set: cookiesOf(set),
    session: cookieIn(set, 'bursar_session'),
    headers: answer.headers,
  };
}

async function signIn(api: Api) {
  const { url, cookie } = await begin(api);
  return comeBack(api, await provider.visit(url.href), { cookie });
}

const refusal = (code: string) => ({
  status: 303,
  location: `${ORIGIN}/#/?refused=${code}`,
  session: undefined,
});

describe('signing in with OpenID Connect', () => {
  it('opens a session of the person whose account the provider proves', async () => {
    const api = await served();
    const { status, location, session, set } = await signIn(api);
    expect([status, location]).toEqual([303, `${ORIGIN}/`]);
    expect(set).toContainEqual(
      expect.stringMatching(
        /^__Host-bursar_session=[\w-]{43}; Path=\/; Max-Age=28800; HttpOnly; SameSite=Strict; Secure$/,
      ),
    );
    const headers = { cookie: session ?? '' };
    expect((await send(api, 'GET /v1/session', { headers })).value).toEqual({
      schema: 'bursar.session/v1',
      person: 'bob',
      roles: ['finance'],
      role: 'operate',
      expiresAt: expect.stringMatching(/^2026-11-21T17:/),
      secondsLeft: 28_800,
      signedInBy: 'oidc',
      hasPasskey: true,
    });
    expect((await send(api, 'GET /v1/batches/payroll', { headers })).status).toBe(200);
    expect(api.logged).toContainEqual({ person: 'bob', way: 'oidc', message: 'signed in' });
  });

  it('asks for a code with PKCE, state, nonce and the one redirect address', async () => {
    const api = await served();
    const { url, headers } = await begin(api);
    expect(url.origin).toBe(provider.issuer);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: provider.clientId,
      response_type: 'code',
      scope: 'openid email',
      redirect_uri: REDIRECT,
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    expect(headers['set-cookie']).toMatch(
      /^__Host-bursar_oidc=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
    );
    await comeBack(api, await provider.visit(url.href), {
      cookie: cookieIn(headers['set-cookie'], 'bursar_oidc') ?? '',
    });
    expect(provider.tokenRequests).toMatchObject([
      { status: 200, body: { redirect_uri: REDIRECT, code_verifier: expect.any(String) } },
    ]);
  });

  it('proves the server by HTTP Basic where the provider takes nothing else', async () => {
    await start({ login: 'client_secret_basic' });
    expect((await signIn(await served())).session).toBeDefined();
  });

  it.each([true, false])(
    'finds the account by a verified e-mail address, in the ID token: %s',
    async (inIdToken) => {
      await start({ inIdToken });
      provider.account.email = 'carol@example.com';
      provider.account.email_verified = true;
      const api = await served({ claim: 'email' });
      const { session } = await signIn(api);
      const { value } = await send(api, 'GET /v1/session', { headers: { cookie: session ?? '' } });
      expect(value).toMatchObject({ person: 'carol', signedInBy: 'oidc', hasPasskey: false });
    },
  );

  it.each([false, undefined])('takes no e-mail address with email_verified %s', async (is) => {
    provider.account.email = 'carol@example.com';
    if (is !== undefined) provider.account.email_verified = is;
    const api = await served({ claim: 'email' });
    expect(await signIn(api)).toMatchObject(refusal('OIDC_REFUSED'));
  });

  it.each(['mallory', 'dave', 'BOB', 'sub-of-bob ', ''])(
    'is refused to the account %j, which no person of the settings has',
    async (sub) => {
      provider.account.preferred_username = sub;
      const api = await served({ claim: 'preferred_username' });
      const answer = await signIn(api);
      expect(answer).toMatchObject(refusal(sub === '' ? 'OIDC_REFUSED' : 'OIDC_PERSON_UNKNOWN'));
    },
  );

  it('shows the page whether there is a provider', async () => {
    const named = await send(await served(), 'GET /v1/session/oidc');
    expect(named.value).toEqual({ schema: 'bursar.oidc/v1', name: 'Work' });
    const none = await served({}, { oidc: null });
    expect((await send(none, 'GET /v1/session/oidc')).value).toEqual({
      schema: 'bursar.oidc/v1',
      name: null,
    });
    const started = await send(none, 'POST /v1/session/oidc');
    expect([started.status, started.code]).toEqual([409, 'OIDC_MISSING']);
    const back = await send(none, 'GET /v1/session/oidc/callback?state=x&code=y');
    expect([back.status, back.code]).toEqual([409, 'OIDC_MISSING']);
  });
});

describe('an answer of the provider', () => {
  it.each([
    ['a wrong state', (url: URL) => url.searchParams.set('state', 'A'.repeat(43))],
    ['no state', (url: URL) => url.searchParams.delete('state')],
    ['two states', (url: URL) => url.searchParams.append('state', 'x')],
    ['two codes', (url: URL) => url.searchParams.append('code', 'x')],
    ['no code', (url: URL) => url.searchParams.delete('code')],
    ['an invented code', (url: URL) => url.searchParams.set('code', 'x'.repeat(43))],
    ['another issuer', (url: URL) => url.searchParams.set('iss', 'https://evil.example')],
  ])('with %s signs nobody in', async (_what, change) => {
    const api = await served();
    const { url, cookie } = await begin(api);
    const back = new URL(await provider.visit(url.href));
    change(back);
    expect(await comeBack(api, back.href, { cookie })).toMatchObject(refusal('OIDC_REFUSED'));
  });

  it.each<[string, (claims: Readonly<Record<string, unknown>>) => object]>([
    ['with a wrong nonce', (claims) => ({ ...claims, nonce: 'A'.repeat(43) })],
    ['without a nonce', ({ nonce: _nonce, ...claims }) => claims],
    ['that has expired', (claims) => ({ ...claims, exp: 1_600_000_000, iat: 1_599_999_000 })],
    ['without an end', ({ exp: _exp, ...claims }) => claims],
    ['for another audience', (claims) => ({ ...claims, aud: 'another' })],
    ['for several audiences', (claims) => ({ ...claims, aud: [claims['aud'], 'b'], azp: 'b' })],
    ['of another issuer', (claims) => ({ ...claims, iss: 'https://evil.example' })],
    ['of nobody', ({ sub: _sub, ...claims }) => claims],
  ])('with an ID token %s signs nobody in', async (_what, change) => {
    const api = await served();
    provider.tamper.change = (claims) => change(claims) as typeof claims;
    expect(await signIn(api)).toMatchObject(refusal('OIDC_REFUSED'));
    expect(provider.tokenRequests).toMatchObject([{ status: 200 }]);
    provider.tamper.change = (claims) => claims;
    expect((await signIn(api)).session).toBeDefined();
  });

  it('with an ID token that somebody changed signs nobody in', async () => {
    const api = await served();
    provider.tamper.change = (claims) => ({ ...claims, sub: 'sub-of-bob' });
    provider.tamper.sign = false;
    provider.account.sub = 'mallory';
    expect(await signIn(api)).toMatchObject(refusal('OIDC_REFUSED'));
  });

  it('counts once, also with a code that was used', async () => {
    const api = await served();
    const { url, cookie } = await begin(api);
    const back = await provider.visit(url.href);
    expect((await comeBack(api, back, { cookie })).session).toBeDefined();
    expect(await comeBack(api, back, { cookie })).toMatchObject(refusal('OIDC_REFUSED'));
    expect(provider.tokenRequests).toHaveLength(1);
    const used = new URL(back).searchParams.get('code') ?? '';
    const second = await begin(api);
    const again = new URL(await provider.visit(second.url.href));
    again.searchParams.set('code', used);
    const answer = await comeBack(api, again.href, { cookie: second.cookie });
    expect(answer).toMatchObject(refusal('OIDC_REFUSED'));
    expect(provider.tokenRequests.map(({ status }) => status)).toEqual([200, 400]);
  });

  it('counts in the browser that began, and in no other', async () => {
    const api = await served();
    const own = await begin(api);
    const stolen = await provider.visit(own.url.href);
    const victim = await begin(api);
    for (const cookie of ['', victim.cookie, '__Host-bursar_oidc=']) {
      expect(await comeBack(api, stolen, { cookie })).toMatchObject(refusal('OIDC_REFUSED'));
    }
    expect(provider.tokenRequests).toEqual([]);
    const back = await provider.visit(victim.url.href);
    expect((await comeBack(api, back, { cookie: victim.cookie })).session).toBeDefined();
  });

  it('counts for ten minutes', async () => {
    const api = await served();
    const { url, cookie } = await begin(api);
    const back = await provider.visit(url.href);
    await world.world.clock.pause(600_000, new AbortController().signal);
    expect(await comeBack(api, back, { cookie })).toMatchObject(refusal('OIDC_REFUSED'));
  });

  it('leads to the web app alone, whatever address a request names', async () => {
    const api = await served();
    const { url, cookie } = await begin(api);
    const back = new URL(await provider.visit(url.href));
    for (const name of ['redirect_uri', 'return', 'returnTo', 'next', 'url', 'target_link_uri']) {
      back.searchParams.set(name, 'https://evil.example/');
    }
    const headers = {
      cookie,
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'http',
      referer: 'https://evil.example/',
    };
    const answer = await comeBack(api, back.href, headers);
    expect([answer.status, answer.location]).toEqual([303, `${ORIGIN}/`]);
    const failed = await comeBack(api, `${back.href}&error=https://evil.example`, headers);
    expect(failed.location).toBe(`${ORIGIN}/#/?refused=OIDC_REFUSED`);
    const started = await send(api, 'POST /v1/session/oidc', {
      headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
      body: { redirect_uri: 'https://evil.example/', returnTo: 'https://evil.example/' },
    });
    const begun = new URL(String(started.value['url']));
    expect([begun.origin, begun.searchParams.get('redirect_uri')]).toEqual([
      provider.issuer,
      REDIRECT,
    ]);
  });

  it('that denies access is named as that, and its text goes nowhere', async () => {
    const api = await served();
    const { url, cookie } = await begin(api);
    const state = url.searchParams.get('state') ?? '';
    const query = new URLSearchParams({
      state,
      iss: provider.issuer,
      error: 'access_denied',
      error_description: '<script>',
    });
    const answer = await comeBack(api, `${REDIRECT}?${query.toString()}`, { cookie });
    expect(answer).toMatchObject(refusal('OIDC_DENIED'));
    expect(JSON.stringify(answer)).not.toContain('script');
  });

  it('is kept by no cache and named in no referrer, and its code is in no log', async () => {
    const api = await served();
    const { url, cookie } = await begin(api);
    const back = await provider.visit(url.href);
    const { headers } = await comeBack(api, back, { cookie });
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    });
    const logged = JSON.stringify(api.logged);
    for (const secret of [...new URL(back).searchParams.values(), provider.clientSecret]) {
      if (secret !== provider.issuer) expect(logged).not.toContain(secret);
    }
  });
});

describe('a provider that cannot be used', () => {
  it('is named, and the next sign-in tries again', async () => {
    const { issuer } = provider;
    const api = await served({ issuer: `${issuer}/nothing` });
    const failed = await send(api, 'POST /v1/session/oidc');
    expect([failed.status, failed.code]).toEqual([503, 'OIDC_UNREACHABLE']);
    await provider.close();
    open.splice(open.indexOf(provider), 1);
    const lost = await send(await served(), 'POST /v1/session/oidc');
    expect([lost.status, lost.code]).toEqual([503, 'OIDC_UNREACHABLE']);
    expect(lost.value['what']).toContain('ECONNREFUSED');
  });

  it('that answers for any tenant is refused: its accounts would be mixed up', async () => {
    const issuer = 'https://login.microsoftonline.com/common/v2.0';
    const { fetch } = globalThis;
    globalThis.fetch = async () =>
      Response.json({
        issuer: 'https://login.microsoftonline.com/{tenantid}/v2.0',
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
      });
    try {
      const failed = await send(await served({ issuer }), 'POST /v1/session/oidc');
      expect([failed.status, failed.value['what']]).toEqual([
        503,
        expect.stringContaining('names another issuer'),
      ]);
    } finally {
      globalThis.fetch = fetch;
    }
  });

  it('with a wrong secret is a fault of the settings, and signs nobody in', async () => {
    const api = await served({ clientSecret: 'wrong' });
    expect(await signIn(api)).toMatchObject(refusal('OIDC_UNREACHABLE'));
    expect(JSON.stringify(api.logged)).toContain('invalid_client');
  });
});

describe('a session of OpenID Connect', () => {
  it('begins at a page of the web app alone', async () => {
    const api = await served();
    for (const origin of ['https://evil.example', 'null']) {
      const answer = await send(api, 'POST /v1/session/oidc', { headers: { origin } });
      expect([answer.status, answer.code]).toEqual([403, 'ORIGIN_WRONG']);
    }
  });

  it('needs the address of the web app', async () => {
    const api = await served({}, { origin: null });
    for (const place of ['POST /v1/session/oidc', 'GET /v1/session/oidc/callback?state=x']) {
      const answer = await send(api, place);
      expect([answer.status, answer.code]).toEqual([409, 'WEB_ORIGIN_MISSING']);
    }
  });

  it.each([
    ['signed', 'APPROVAL_UNSIGNED'],
    ['unsigned', 'TOKEN_APPROVES_NOTHING'],
  ] as const)('approves nothing by itself where approvals are %s', async (mode, code) => {
    const people = [person('alice'), passkeyPerson('bob', ['finance'])];
    const waiting = await worldThatWaits({ policy: { ...policyOf({ people }), mode } });
    const oidc = createOidcProvider(optionsOf({}));
    const api = await apiOf(waiting, { people: PEOPLE, origin: ORIGIN, oidc });
    open.push(api);
    const headers = { cookie: (await signIn(api)).session ?? '' };
    const asked = await send(api, 'POST /v1/batches/payroll/approval-question', {
      body: {},
      headers,
    });
    const { question } = asked.value as { question: { subject: string } };
    const statement = {
      batchId: 'payroll',
      subject: question.subject,
      decision: 'approve',
      person: 'bob',
      reason: 'as agreed',
      issuedAt: '2026-11-21T09:00:00.000Z',
      expiresAt: '2026-11-22T09:00:00.000Z',
    } as const;
    const decide = (approval: object) =>
      send(api, 'POST /v1/batches/payroll/approvals', { body: { approval }, headers });
    expect((await decide({ ...statement, signature: null })).code).toBe(code);
    expect(waiting.engine.updates).toEqual([]);
    expect((await decide(approvedByPasskey(statement))).value).toMatchObject({ signed: true });
  });
});

describe('sign-ins that wait for the provider', () => {
  const waiting = (n: number) => ({
    url: '',
    state: `state ${n}`,
    nonce: '',
    verifier: '',
    redirectUri: '',
  });

  it('are ten thousand at most: the oldest makes room', () => {
    const begun = createBegunSignIns();
    const secrets = Array.from({ length: 10_001 }, (_one, n) => begun.keep(waiting(n), 0));
    const take = (n: number) => begun.take({ state: `state ${n}`, secret: secrets[n] ?? '' }, 1);
    expect(() => take(0)).toThrow('not known');
    expect([take(1).state, take(10_000).state]).toEqual(['state 1', 'state 10000']);
  });
});
