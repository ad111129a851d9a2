import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { tokensText } from '../../src/app/tokens/tokens.ts';
import { BursarError } from '../../src/domain/errors/bursar-error.ts';
import { eventsOf } from '../../src/http-api/replies.ts';
import type { FakeWorld } from '../cli/support/fake-world.ts';
import { payrollWorld } from '../cli/support/payroll-world.ts';
import { ORIGIN, passkeyPerson } from '../support/passkeys.ts';
import { type Api, apiOf, tokenOf } from './support/api.ts';
import { type Headers, send, signIn } from './support/web.ts';

const HOUR_MS = 3_600_000;
const PEOPLE = [{ ...passkeyPerson('bob'), webRole: 'read', oidc: null }] as const;

const open: Api[] = [];
afterEach(async () => {
  for (const api of open.splice(0)) await api.close();
});

/** A server with a batch that goes on. At the third look at it `happens` comes about. */
async function served(
  happens: (world: FakeWorld, api: Api) => Promise<unknown>,
  expiresAt: string | null = null,
) {
  let api: Api | undefined;
  let looks = 0;
  const world: FakeWorld = await payrollWorld(async () => undefined, {
    onPause: async () => {
      looks += 1;
      if (looks === 3 && api !== undefined) await happens(world, api);
    },
  });
  api = await apiOf(world, { people: PEOPLE, origin: ORIGIN, expiresAt });
  open.push(api);
  return { api, looks: () => looks };
}

const revoke = async ({ world }: FakeWorld): Promise<void> =>
  writeFileSync(join(world.cwd, 'tokens.json'), tokensText([]), { mode: 0o600 });

const passTime = async ({ world }: FakeWorld, delayMs: number): Promise<void> =>
  world.clock.pause(delayMs, new AbortController().signal);

/** Follows the batch. Returns everything that came. */
async function follow({ server }: Api, headers: Headers, accept: string) {
  const { body } = await server.inject({
    method: 'GET',
    url: '/v1/batches/payroll/events',
    headers: { ...headers, accept },
  });
  return body.trim();
}

const bearer = { authorization: `Bearer ${tokenOf('read')}` };

describe('the events of a batch', () => {
  it('end when the token was revoked, and say so', async () => {
    const { api, looks } = await served(revoke);
    const events = (await follow(api, bearer, 'text/event-stream')).split('\n\n');
    // The operation reads a standing ahead. None comes after the third one, which was before the end.
    expect(events.length).toBeLessThanOrEqual(4);
    expect(events[0]).toContain('data: {"schema":"bursar.batch/v1"');
    const [, data = ''] = (events.at(-1) ?? '').split('\ndata: ');
    expect(JSON.parse(data)).toMatchObject({ code: 'TOKEN_UNKNOWN' });
    expect(looks()).toBeLessThan(6);
  });

  it('end when the token has expired', async () => {
    const expiresAt = '2026-11-22T09:00:00.000Z';
    const { api } = await served((world) => passTime(world, 24 * HOUR_MS), expiresAt);
    expect(await follow(api, bearer, 'text/event-stream')).toMatch(
      /\n\nevent: refused\ndata: \{"code":"TOKEN_UNKNOWN"/,
    );
  });

  it('end when the session has ended', async () => {
    const { api } = await served((world) => passTime(world, 8 * HOUR_MS));
    const headers = await signIn(api);
    const events = await follow(api, headers, 'text/event-stream');
    expect(events.split('\n\n').length).toBeLessThanOrEqual(4);
    expect(events).toMatch(/\n\nevent: refused\ndata: \{"code":"SESSION_UNKNOWN"[^\n]+$/);
  });

  it('end when the person signs out', async () => {
    let headers: Headers = {};
    const { api } = await served((_world, at) => send(at, 'DELETE /v1/session', { headers }));
    headers = await signIn(api);
    expect(await follow(api, headers, 'text/event-stream')).toMatch(
      /\n\nevent: refused\ndata: \{"code":"SESSION_UNKNOWN"/,
    );
  });

  it('end in a silence too', async () => {
    const never: AsyncIterable<object> = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise(() => undefined),
        return: async () => ({ done: true, value: undefined }),
      }),
    };
    let looks = 0;
    const stillIn = (): void => {
      looks += 1;
      if (looks === 2) throw new BursarError('SESSION_UNKNOWN', {});
    };
    const events = eventsOf(never, { stillIn, silenceMs: 1 });
    expect((await events.next()).value).toBe(': still here\n\n');
    expect((await events.next()).value).toMatch(
      /^event: refused\ndata: \{"code":"SESSION_UNKNOWN"/,
    );
  });
});

describe('the other forms of a long answer', () => {
  it('as lines end with the error', async () => {
    const { api } = await served(revoke);
    const lines = (await follow(api, bearer, 'application/jsonl')).split('\n');
    expect(lines.filter((line) => line.startsWith('{"item"'))).toHaveLength(3);
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ error: { code: 'TOKEN_UNKNOWN' } });
  });

  it('as one object are cut off, so that no program takes them for whole', async () => {
    const { api, looks } = await served(revoke);
    await expect(follow(api, bearer, 'application/json')).rejects.toThrow();
    expect(looks()).toBeLessThan(6);
  });
});
