import { setTimeout as pause } from 'node:timers/promises';
import type { Balance, LedgerRow, SeenCreate } from '../evidence/evidence.ts';

export type SandboxDesk = ReturnType<typeof createSandboxDesk>;

const PAGE = 1_000;
const ANSWER_MS_MAX = 20_000;
/** The ledger of a long run has hundreds of thousands of lines. */
const LEDGER_MS_MAX = 300_000;
/** What is read at the end is worth the whole run: so often it is tried, with so many milliseconds in between. */
const TRIES = 5;
const TRY_AGAIN_MS = 5_000;

type FaultState = Readonly<{ id: number; fired: number }>;
type LoggedRequest = Readonly<{
  n: number;
  time: string;
  timestampMs: number | null;
  idempotencyKey: string | null;
  status: number | null;
}>;
/** Requests that fit the query of the service's log, and `isMet`. */
export type RequestKind = Readonly<{ query: string; isMet?: (request: LoggedRequest) => boolean }>;
type Page = Readonly<{ requests: readonly LoggedRequest[]; next: number | null }>;

async function patiently<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries === TRIES) throw error;
      await pause(TRY_AGAIN_MS);
    }
  }
}

/** What people see and do in the interface of the service; not through the spoiled network. Throws while the service is down. */
export function createSandboxDesk(url: string) {
  const ask = async (
    path: string,
    init: RequestInit = {},
    waitMs = ANSWER_MS_MAX,
  ): Promise<string> => {
    const signal = AbortSignal.timeout(waitMs);
    const answer = await fetch(`${url}/sandbox/${path}`, { ...init, signal });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
    return text;
  };
  const send = (method: string, path: string, body: object): Promise<string> =>
    ask(path, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const requests = async (query: string): Promise<Page> =>
    JSON.parse(await ask(`requests?${query}`)) as Page;
  const firedOf = async (id: number): Promise<number> => {
    const { faults } = JSON.parse(await ask('faults')) as { faults: readonly FaultState[] };
    return faults.find((fault) => fault.id === id)?.fired ?? 0;
  };

  return {
    /** Ids of the mass payouts with this external id. */
    async massPayoutsNamed(externalId: string): Promise<string[]> {
      const page = await ask(`mass-payouts?search=${encodeURIComponent(externalId)}&limit=100`);
      const { massPayouts } = JSON.parse(page) as {
        massPayouts: readonly Readonly<{ id: string; externalId: string | null }>[];
      };
      return massPayouts.filter((one) => one.externalId === externalId).map(({ id }) => id);
    },
    async addFault(rule: object): Promise<number> {
      const { id } = JSON.parse(await send('POST', 'faults', rule)) as FaultState;
      return id;
    },
    firedOf,
    /** Ends a fault; answers how often it fired. */
    async endFault(id: number): Promise<number> {
      const fired = await firedOf(id);
      await ask(`faults?id=${id}`, { method: 'DELETE' });
      return fired;
    },
    play: (modes: object) => send('PUT', 'modes', modes),
    setClock: (offsetMs: number | null) => send('PUT', 'clock', { offsetMs }),
    async ledger(): Promise<LedgerRow[]> {
      const text = await patiently(() => ask('payouts', {}, LEDGER_MS_MAX));
      const lines = text.split('\n').filter((line) => line !== '');
      return lines.map((line) => JSON.parse(line) as LedgerRow);
    },
    async balances(): Promise<Balance[]> {
      const text = await patiently(() => ask('ledger?limit=1'));
      return (JSON.parse(text) as { balances: Balance[] }).balances;
    },
    async hasCreates(): Promise<boolean> {
      return (await requests('operation=MASS_CREATE&limit=1')).requests.length > 0;
    },
    /** Create requests with a key and a timestamp, in the order in which they came. */
    async creates(): Promise<SeenCreate[]> {
      const seen: SeenCreate[] = [];
      for (let after: number | null = 0; after !== null; ) {
        const path: string = `operation=MASS_CREATE&after=${after}&limit=${PAGE}`;
        const page: Page = await patiently(() => requests(path));
        for (const { time, timestampMs, idempotencyKey, status } of page.requests) {
          if (timestampMs === null || idempotencyKey === null) continue;
          seen.push({ atMs: Date.parse(time), timestampMs, idempotencyKey, status });
        }
        after = page.next;
      }
      return seen;
    },
    /** Number of the last request that the service has seen; 0: there was none. */
    async lastRequest(): Promise<number> {
      return (await requests('order=newest&limit=1')).requests[0]?.n ?? 0;
    },
    /** How many requests of a kind it has seen after one; counts in a page of them at most. */
    async requestsAfter(n: number, { query, isMet = () => true }: RequestKind): Promise<number> {
      const page = await requests(`${query}&after=${n}&limit=${PAGE}`);
      return page.requests.filter(isMet).length;
    },
  };
}
