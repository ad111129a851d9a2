import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import type { ApiAccess } from '../../src/config.ts';
import { CONNECTIONS_MAX_DEFAULT } from '@bursar/merchant-api';
import { KNOWN_ENDPOINTS } from '@bursar/merchant-api/spec';

/** Between two polls of one mass payout, in milliseconds; the instant service needs no second one. */
const POLL_DELAY_MS = 50;

type Access = ApiAccess & Readonly<{ secret: string }>;

type MassPayout = Readonly<{ id: string; state: string }>;

/** The least that can talk to the service: undici, with as many connections as the engine's client may have. */
export function createBareClient({ baseUrl, key, account, secret }: Access) {
  const pool = new Pool(baseUrl, { connections: CONNECTIONS_MAX_DEFAULT });

  const post = async (path: string, payload: string): Promise<MassPayout> => {
    const body = Buffer.from(
      `{"timestamp":${Date.now()},"account":"${account}","payload":${payload}}`,
      'utf8',
    );
    const sign = createHmac('sha512', secret).update(body).digest('hex');
    const headers = { Key: key, Sign: sign, 'Content-Type': 'application/json' };
    const answer = await pool.request({ method: 'POST', path, headers, body });
    if (answer.statusCode !== 200) throw new Error(`${path}: status ${answer.statusCode}`);
    return (await answer.body.json()) as MassPayout;
  };

  return {
    /** Creates a mass payout and returns its id. */
    async create(payload: string): Promise<string> {
      return (await post(KNOWN_ENDPOINTS.MASS_CREATE, payload)).id;
    },
    /** Reads a mass payout until it is COMPLETED. */
    async settle(id: string): Promise<void> {
      const read = () => post(KNOWN_ENDPOINTS.MASS_GET, `{"id":"${id}"}`);
      while ((await read()).state !== 'COMPLETED') await pause(POLL_DELAY_MS);
    },
    close: () => pool.close(),
  };
}

export type BareClient = ReturnType<typeof createBareClient>;
