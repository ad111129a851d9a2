import { createHmac } from 'node:crypto';
import { KNOWN_ENDPOINTS } from '@bursar/merchant-api/spec';
import { ACCOUNT, KEY, SECRET } from './access.ts';

/** What a sandbox answers to a signed request for the balances of our account. */
export async function askForBalances(url: string): Promise<string> {
  const body = JSON.stringify({ timestamp: Date.now(), account: ACCOUNT });
  const answer = await fetch(url + KNOWN_ENDPOINTS.ACCOUNT, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Key: KEY,
      Sign: createHmac('sha512', SECRET).update(body).digest('hex'),
    },
    body,
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`status ${answer.status}: ${text}`);
  return text;
}
