import { createHash, sign } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createSessions } from '../../src/app/sessions/sessions.ts';
import { challengeOf } from '../../src/domain/approval/passkey.ts';
import { signInText } from '../../src/domain/approval/sign-in.ts';
import { statementText } from '../../src/domain/approval/statement.ts';
import { keyOf, person, policyOf, publicKeyOf, tier } from '../support/approvers.ts';
import {
  approvedByPasskey,
  ORIGIN,
  passkeyOf,
  passkeyPerson,
  RP_ID,
  signedByPasskey,
} from '../support/passkeys.ts';
import { worldThatWaits } from '../cli/support/approvals.ts';
import { payrollWorld } from '../cli/support/payroll-world.ts';
import { type FakeWorld, NOW } from '../cli/support/fake-world.ts';
import { type Api, apiOf, tokenOf } from './support/api.ts';
import { bodyOf, challengeFrom, type Headers, send, signIn } from './support/web.ts';

const open: Api[] = [];
afterEach(async () => {
  for (const api of open.splice(0)) await api.close();
});

const PEOPLE = [
  { ...passkeyPerson('bob', ['finance']), webRole: 'read', oidc: null },
  { ...passkeyPerson('carol', ['finance']), webRole: 'operate', oidc: null },
  { ...person('dave'), webRole: 'operate', oidc: null },
  { ...passkeyPerson('erin'), publicKey: null, webRole: 'operate', oidc: null },
] as const;

async function served(world: FakeWorld, options: Parameters<typeof apiOf>[1] = {}): Promise<Api> {
  const api = await apiOf(world, { people: PEOPLE, origin: ORIGIN, ...options });
  open.push(api);
  return api;
}

const anyBatch = () => payrollWorld(async () => undefined);

describe('signing in', () => {
  it('takes a challenge that the passkey of a person has signed', async () => {
    const api = await served(await anyBatch());
    const asked = await send(api, 'POST /v1/session/challenge');
    expect([asked.status, asked.value]).toEqual([
      200,
      {
        schema: 'bursar.challenge/v1',
        challenge: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
        rpId: RP_ID,
        origin: ORIGIN,
        expiresAt: '2026-11-21T09:05:00.000Z',
      },
    ]);
    const body = bodyOf('bob', String(asked.value['challenge']));
    const answer = await send(api, 'POST /v1/session', { body });
    const session = {
      schema: 'bursar.session/v1',
      person: 'bob',
      roles: ['finance'],
      role: 'read',
      expiresAt: '2026-11-21T17:00:00.000Z',
      secondsLeft: 28_800,
      signedInBy: 'passkey',
      hasPasskey: true,
    };
    expect([answer.status, answer.value]).toEqual([200, session]);
    expect(answer.headers['set-cookie']).toMatch(
      /^__Host-bursar_session=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=28800; HttpOnly; SameSite=Strict; Secure$/,
    );
    const headers = { cookie: `other=1; ${String(answer.headers['set-cookie']).split(';')[0]}` };
    expect((await send(api, 'GET /v1/session', { headers })).value).toEqual(session);
  });

  it('on this machine has a cookie without TLS', async () => {
    const origin = 'http://localhost:8790';
    const api = await served(await anyBatch(), { origin });
    const headers = { origin };
    const asked = await send(api, 'POST /v1/session/challenge', { headers });
    expect(asked.value['rpId']).toBe('localhost');
    const answer = await send(api, 'DELETE /v1/session', { headers });
    expect(answer.headers['set-cookie']).toBe(
      'bursar_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict',
    );
  });

  it.each([
    [
      'of a person that the settings lack',
      (c: string) => ({ ...bodyOf('bob', c), person: 'mallory' }),
    ],
    ['of another person', (c: string) => ({ ...bodyOf('bob', c), person: 'carol' })],
    ['of a person without a key', (c: string) => ({ ...bodyOf('erin', c), person: 'erin' })],
    [
      'by a key file',
      (c: string) => {
        const text = signInText({ origin: ORIGIN, challenge: c });
        const signature = sign(null, Buffer.from(text), keyOf('dave')).toString('base64');
        return { challenge: c, person: 'dave', signature };
      },
    ],
    ['of another challenge', (c: string) => ({ ...bodyOf('bob', 'x'.repeat(43)), challenge: c })],
    [
      'for another page',
      (c: string) => ({
        ...bodyOf('bob', c),
        signature: signedByPasskey('bob', signInText({ origin: 'https://other', challenge: c })),
      }),
    ],
    [
      'that a page on another port was given',
      (c: string) => bodyOf('bob', c, { origin: `${ORIGIN}:8443` }),
    ],
    [
      'that a page below the host was given',
      (c: string) => bodyOf('bob', c, { origin: `https://evil.${RP_ID}` }),
    ],
    ['without a finger, a face or a PIN', (c: string) => bodyOf('bob', c, { flags: 1 })],
    ['that is no signature', (c: string) => ({ ...bodyOf('bob', c), signature: 'x' })],
  ])('is refused with a signature %s, and does not say why', async (_what, make) => {
    const api = await served(await anyBatch());
    const body = make(await challengeFrom(api));
    const answer = await send(api, 'POST /v1/session', { body });
    expect([answer.status, answer.code]).toEqual([401, 'SIGN_IN_REFUSED']);
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(JSON.stringify(answer.value)).not.toMatch(/mallory|carol|erin/);
  });

  it('takes each challenge once, also after a refusal', async () => {
    const api = await served(await anyBatch());
    const first = await challengeFrom(api);
    const good = bodyOf('bob', first);
    expect(
      (await send(api, 'POST /v1/session', { body: { ...good, signature: 'x' } })).status,
    ).toBe(401);
    expect((await send(api, 'POST /v1/session', { body: good })).code).toBe('CHALLENGE_UNKNOWN');
    const body = bodyOf('bob', await challengeFrom(api));
    expect((await send(api, 'POST /v1/session', { body })).status).toBe(200);
    expect((await send(api, 'POST /v1/session', { body })).code).toBe('CHALLENGE_UNKNOWN');
    const invented = bodyOf('bob', 'A'.repeat(43));
    expect((await send(api, 'POST /v1/session', { body: invented })).code).toBe(
      'CHALLENGE_UNKNOWN',
    );
  });

  it('ends the session that the browser had before', async () => {
    const api = await served(await anyBatch());
    const before = await signIn(api, 'bob');
    const body = bodyOf('carol', await challengeFrom(api));
    const answer = await send(api, 'POST /v1/session', { body, headers: before });
    expect(answer.status).toBe(200);
    const left = await send(api, 'GET /v1/session', { headers: before });
    expect([left.status, left.code]).toEqual([401, 'SESSION_UNKNOWN']);
  });

  it('is refused to pages of other sites', async () => {
    const api = await served(await anyBatch());
    for (const place of ['POST /v1/session/challenge', 'POST /v1/session', 'DELETE /v1/session']) {
      for (const origin of ['https://evil.example', 'null', `${ORIGIN}:8443`, `http://${RP_ID}`]) {
        const answer = await send(api, place, { headers: { origin } });
        expect([answer.status, answer.code]).toEqual([403, 'ORIGIN_WRONG']);
      }
    }
  });

  it('needs the address of the web app', async () => {
    const api = await served(await anyBatch(), { origin: null });
    const answer = await send(api, 'POST /v1/session/challenge');
    expect([answer.status, answer.code]).toEqual([409, 'WEB_ORIGIN_MISSING']);
  });

  it.each([[{}], [{ challenge: 1, person: 'bob', signature: 'x' }], [[1]]])(
    'with %j is no request',
    async (body) => {
      const api = await served(await anyBatch());
      const answer = await send(api, 'POST /v1/session', { body });
      expect([answer.status, answer.code]).toEqual([400, 'REQUEST_INVALID']);
    },
  );

  it('is limited for each address; a proxy on this machine names that of the person', async () => {
    const api = await served(await anyBatch());
    const from = async (remoteAddress: string, forwardedFor?: string) =>
      (
        await api.server.inject({
          method: 'POST',
          url: '/v1/session/challenge',
          headers: {
            origin: ORIGIN,
            ...(forwardedFor && { 'x-forwarded-for': forwardedFor }),
          },
          remoteAddress,
        })
      ).statusCode;
    for (let n = 0; n < 60; n += 1) expect(await from('10.0.0.1')).toBe(200);
    expect(await from('10.0.0.1')).toBe(429);
    expect(await from('10.0.0.2')).toBe(200);
    expect(await from('10.0.0.1', '10.0.0.9')).toBe(429);
    expect(await from('127.0.0.1', '10.0.0.1')).toBe(429);
    expect(await from('127.0.0.1', '10.0.0.9')).toBe(200);
    // One house has all addresses of a /64.
    for (let n = 1; n <= 60; n += 1) {
      expect(await from(`2001:db8:0:1::${n.toString(16)}`)).toBe(200);
    }
    expect(await from('2001:db8::1:ffff:0:0:1')).toBe(429);
    expect(await from('2001:db8:0:2::1')).toBe(200);
    expect(await from('::ffff:10.0.0.1')).toBe(429);
  });
});

describe('a session', () => {
  it('does the work of its person, in the name of the person', async () => {
    const api = await served(await anyBatch());
    const headers = await signIn(api, 'carol');
    expect((await send(api, 'GET /v1/batches/payroll', { headers })).status).toBe(200);
    const body = { reason: 'lunch' };
    const answer = await send(api, 'POST /v1/batches/payroll/pause', { body, headers });
    expect([answer.status, answer.value]).toMatchObject([200, { by: 'carol', reason: 'lunch' }]);
    expect(api.logged.at(-1)).toMatchObject({ person: 'carol', status: 200 });
  });

  it('does no work above the role of its person', async () => {
    const api = await served(await anyBatch());
    const headers = await signIn(api, 'bob');
    const body = { reason: 'lunch' };
    const answer = await send(api, 'POST /v1/batches/payroll/pause', { body, headers });
    expect([answer.status, answer.code]).toEqual([403, 'ROLE_TOO_LOW']);
    expect(answer.value['fix']).toContain('web_role');
  });

  it.each([undefined, 'null', 'https://evil.example', `https://sub.${RP_ID}`])(
    'changes nothing for a page at %s',
    async (origin) => {
      const world = await anyBatch();
      const api = await served(world);
      const { cookie = '' } = await signIn(api, 'carol');
      for (const [method, url] of [
        ['POST', '/v1/batches/payroll/pause'],
        ['PUT', '/v1/files?name=x.csv'],
        ['DELETE', '/v1/schedules/rent'],
      ] as const) {
        const answer = await api.server.inject({
          method,
          url,
          headers: { cookie, ...(origin === undefined ? {} : { origin }) },
          ...(method === 'POST' ? { payload: { reason: 'x' } } : {}),
        });
        expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([
          403,
          'ORIGIN_WRONG',
        ]);
      }
      expect(world.engine.updates).toEqual([]);
    },
  );

  it('ends when its person signs out', async () => {
    const api = await served(await anyBatch());
    const headers = await signIn(api);
    const other = await signIn(api);
    const out = await send(api, 'DELETE /v1/session', { headers });
    expect([out.status, out.headers['set-cookie']]).toEqual([
      204,
      expect.stringMatching(/^__Host-bursar_session=; .*Max-Age=0/),
    ]);
    for (const place of ['GET /v1/session', 'GET /v1/batches']) {
      const answer = await send(api, place, { headers });
      expect([answer.status, answer.code]).toEqual([401, 'SESSION_UNKNOWN']);
    }
    expect((await send(api, 'GET /v1/session', { headers: other })).status).toBe(200);
    expect((await send(api, 'DELETE /v1/session')).status).toBe(204);
  });

  it('is renewed by the passkey: the new one takes the place of the old one', async () => {
    const api = await served(await anyBatch());
    const headers = await signIn(api);
    const body = bodyOf('bob', await challengeFrom(api));
    const answer = await send(api, 'POST /v1/session', { body, headers });
    const renewed = { cookie: String(answer.headers['set-cookie']).split(';')[0] ?? '' };
    expect((await send(api, 'GET /v1/session', { headers })).code).toBe('SESSION_UNKNOWN');
    expect((await send(api, 'GET /v1/session', { headers: renewed })).status).toBe(200);
  });

  it('is none without a cookie, and none with an invented one', async () => {
    const api = await served(await anyBatch());
    expect((await send(api, 'GET /v1/session')).code).toBe('SESSION_UNKNOWN');
    expect((await send(api, 'GET /v1/batches')).code).toBe('TOKEN_MISSING');
    for (const secret of ['', 'A'.repeat(43), 'x'.repeat(5_000), tokenOf('read')]) {
      const headers = { cookie: `__Host-bursar_session=${secret}` };
      const answer = await send(api, 'GET /v1/batches', { headers });
      expect([answer.status, answer.code]).toEqual([401, 'SESSION_UNKNOWN']);
    }
    const { cookie = '' } = await signIn(api);
    const headers = { cookie: cookie.replace('__Host-', '') };
    expect((await send(api, 'GET /v1/batches', { headers })).code).toBe('TOKEN_MISSING');
  });

  it('has a number of requests a minute of its own', async () => {
    const api = await served(await anyBatch(), { requestsPerMinute: 2 });
    const headers = await signIn(api);
    const read = (by: Headers) => send(api, 'GET /v1/batches', { headers: by });
    expect([(await read(headers)).status, (await read(headers)).status]).toEqual([200, 200]);
    expect((await read(headers)).code).toBe('REQUESTS_TOO_MANY');
    expect((await read(await signIn(api))).status).toBe(200);
  });

  it('is named in the log by its person, and not by its secret', async () => {
    const api = await served(await anyBatch());
    const { cookie = '' } = await signIn(api);
    expect(api.logged).toContainEqual({ person: 'bob', way: 'passkey', message: 'signed in' });
    await send(api, 'GET /v1/batches', { headers: { cookie } });
    const [, secret = ''] = cookie.split('=');
    const hash = createHash('sha256').update(secret).digest('hex');
    const logged = JSON.stringify(api.logged);
    expect([logged.includes(secret), logged.includes(hash)]).toEqual([false, false]);
  });
});

describe('approving in the web app', () => {
  const policy = policyOf({
    people: [
      passkeyPerson('alice', ['finance']),
      passkeyPerson('bob', ['finance']),
      passkeyPerson('carol', ['finance']),
    ],
  });

  async function asked(mode: 'signed' | 'unsigned') {
    const world = await worldThatWaits({ policy: { ...policy, mode } });
    const api = await served(world);
    const headers = await signIn(api, 'bob');
    const answer = await send(api, 'POST /v1/batches/payroll/approval-question', {
      body: {},
      headers,
    });
    const { question } = answer.value as { question: { subject: string } };
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
    return { world, statement, decide };
  }

  it('counts with the signature of a passkey', async () => {
    const { world, statement, decide } = await asked('signed');
    const answer = await decide(approvedByPasskey(statement));
    expect([answer.status, answer.value]).toMatchObject([200, { person: 'bob', signed: true }]);
    expect(world.engine.updates).toHaveLength(1);
  });

  it.each([
    ['signed', 'APPROVAL_UNSIGNED'],
    ['unsigned', 'TOKEN_APPROVES_NOTHING'],
  ] as const)('takes more than a session where approvals are %s', async (mode, code) => {
    const { world, statement, decide } = await asked(mode);
    const answer = await decide({ ...statement, signature: null });
    expect([answer.code, world.engine.updates]).toEqual([code, []]);
  });

  it('takes no signature of a sign-in', async () => {
    const { statement, decide } = await asked('signed');
    const text = signInText({
      origin: ORIGIN,
      challenge: Buffer.from(challengeOf(statementText(statement))).toString('base64url'),
    });
    const answer = await decide({ ...statement, signature: signedByPasskey('bob', text) });
    expect([answer.status, answer.code]).toEqual([403, 'APPROVAL_FORGED']);
  });
});

describe('resuming in the web app', () => {
  it('takes more than a name, also where approvals are unsigned', async () => {
    const bob = { ...passkeyPerson('bob', ['finance']), webRole: 'operate', oidc: null } as const;
    const policy = policyOf({ mode: 'unsigned', tiers: [tier(1)], people: [person('alice'), bob] });
    const pause = {
      n: 1,
      kind: 'PAUSE',
      since: NOW,
      reason: 'lunch',
      by: 'alice',
      facts: {},
    } as const;
    const world = await worldThatWaits({ policy, status: { holds: [pause] } });
    const api = await served(world, { people: [bob] });
    const headers = await signIn(api, 'bob');
    const body = { reason: 'back again' };
    const answer = await send(api, 'POST /v1/batches/payroll/resume', { body, headers });
    expect([answer.status, answer.code]).toEqual([403, 'TOKEN_APPROVES_NOTHING']);
    expect(world.engine.updates).toEqual([]);
    const { code, value } = await world.json('resume', 'payroll', '--reason', 'back again');
    expect([code, value['hold']]).toMatchObject([0, { n: 1 }]);
  });
});

describe('the people of the settings', () => {
  it('are listed with their kinds of keys and what they may do', async () => {
    const world = await payrollWorld(async () => undefined, {
      env: {
        BURSAR_APPROVAL_TIERS: JSON.stringify([
          { above: '1000', approvals: 1, roles: ['finance'], must_include: ['cfo'] },
        ]),
        BURSAR_APPROVAL_PEOPLE: JSON.stringify([
          { name: 'bob', public_key: passkeyOf('bob'), roles: ['finance'], web_role: 'operate' },
          {
            name: 'carol',
            public_key: publicKeyOf('carol'),
            roles: ['cfo'],
            users: ['carol-at-work'],
          },
          { name: 'dave', public_key: publicKeyOf('dave'), roles: ['it'] },
        ]),
      },
    });
    const api = await served(world);
    const { value } = await api.call('read', 'GET /v1/people');
    const listed = { roles: ['it'], key: 'ed25519', webRole: 'read', users: [] };
    expect(value).toEqual({
      schema: 'bursar.people/v1',
      mode: 'signed',
      expiresAfterMs: 3 * 86_400_000,
      people: [
        { ...listed, name: 'bob', roles: ['finance'], key: 'passkey', webRole: 'operate' },
        { ...listed, name: 'carol', roles: ['cfo'], users: ['carol-at-work'] },
        { ...listed, name: 'dave' },
      ],
      tiers: [
        {
          currency: null,
          above: '1000',
          approvals: 1,
          roles: ['finance'],
          mustInclude: ['cfo'],
          mayApprove: ['bob', 'carol'],
        },
      ],
    });
  });
});

describe('the book of sessions', () => {
  const HOUR_MS = 3_600_000;
  const book = () => createSessions(PEOPLE, { lifeMs: HOUR_MS });

  const enter = (sessions: ReturnType<typeof book>, nowMs: number, delayMs = 0) => {
    const { challenge } = sessions.challenge(nowMs);
    return sessions.signIn(bodyOf('bob', challenge), { origin: ORIGIN, nowMs: nowMs + delayMs });
  };

  it('forgets a session at the end of its time', () => {
    const sessions = book();
    const { secret } = enter(sessions, 0);
    expect(sessions.find(secret, HOUR_MS - 1)?.person.name).toBe('bob');
    expect(sessions.find(secret, HOUR_MS)).toBeUndefined();
  });

  it('takes a challenge for five minutes', () => {
    const sessions = book();
    expect(() => enter(sessions, 0, 299_999)).not.toThrow();
    expect(() => enter(sessions, 0, 300_000)).toThrow('challenge');
  });

  it('keeps twenty sessions of a person: the oldest makes room', () => {
    const sessions = book();
    const secrets = Array.from({ length: 21 }, (_one, n) => enter(sessions, n).secret);
    expect(sessions.find(secrets[0] ?? '', 30)).toBeUndefined();
    expect(secrets.slice(1).every((secret) => sessions.find(secret, 30) !== undefined)).toBe(true);
  });

  it.each(['bob', 'carol', 'dave', 'erin', 'nobody', ''])(
    'compares one signature for the name %j, so that its time shows no name of the settings',
    (name) => {
      const keys: string[] = [];
      const sessions = createSessions(PEOPLE, {
        lifeMs: HOUR_MS,
        isSigned: (key) => keys.push(key) === 0,
      });
      const { challenge } = sessions.challenge(0);
      const body = { ...bodyOf('bob', challenge), person: name };
      expect(() => sessions.signIn(body, { origin: ORIGIN, nowMs: 0 })).toThrow(
        'The sign-in is refused.',
      );
      expect(keys).toEqual([expect.stringMatching(/^passkey:/)]);
    },
  );

  it.each(['dave', 'nobody', 'nobody-1', 'nobody-2'])(
    'refuses the name %j whoever has signed, also the owner of the key that is compared',
    (name) => {
      const sessions = createSessions(PEOPLE, { lifeMs: HOUR_MS, isSigned: () => true });
      const { challenge } = sessions.challenge(0);
      const body = { ...bodyOf('bob', challenge), person: name };
      expect(() => sessions.signIn(body, { origin: ORIGIN, nowMs: 0 })).toThrow();
    },
  );

  it('keeps ten thousand challenges: the oldest makes room', () => {
    const sessions = book();
    const first = sessions.challenge(0).challenge;
    const second = sessions.challenge(0).challenge;
    for (let n = 0; n < 9_999; n += 1) sessions.challenge(0);
    const at = { origin: ORIGIN, nowMs: 0 };
    expect(() => sessions.signIn(bodyOf('bob', first), at)).toThrow('challenge');
    expect(sessions.signIn(bodyOf('bob', second), at).session.person.name).toBe('bob');
  });
});
