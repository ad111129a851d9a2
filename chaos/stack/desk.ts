import type { Balance, LedgerRow, SeenCreate } from '../evidence/evidence.ts';

export type SandboxDesk = ReturnType<typeof createSandboxDesk>;

const PAGE = 1_000;
const ANSWER_MS_MAX = 20_000;

type FaultState = Readonly<{ id: number; fired: number }>;
type LoggedCreate = Readonly<{
  n: number;
  time: string;
  timestampMs: number | null;
  idempotencyKey: string | null;
  status: number | null;
}>;

/** What people see and do in the interface of the service; not through the spoiled network. Throws while the service is down. */
export function createSandboxDesk(url: string) {
  const ask = async (path: string, init: RequestInit = {}): Promise<string> => {
    const signal = AbortSignal.timeout(ANSWER_MS_MAX);
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
      const lines = (await ask('payouts')).split('\n').filter((line) => line !== '');
      return lines.map((line) => JSON.parse(line) as LedgerRow);
    },
    async balances(): Promise<Balance[]> {
      return (JSON.parse(await ask('ledger?limit=1')) as { balances: Balance[] }).balances;
    },
    async hasCreates(): Promise<boolean> {
      const page = await ask('requests?operation=MASS_CREATE&limit=1');
      return (JSON.parse(page) as { requests: readonly unknown[] }).requests.length > 0;
    },
    /** Create requests with a key and a timestamp, in the order in which they came. */
    async creates(): Promise<SeenCreate[]> {
      const seen: SeenCreate[] = [];
      for (let after: number | null = 0; after !== null; ) {
        const path: string = `requests?operation=MASS_CREATE&after=${after}&limit=${PAGE}`;
        const page = JSON.parse(await ask(path)) as {
          requests: LoggedCreate[];
          next: number | null;
        };
        for (const { time, timestampMs, idempotencyKey, status } of page.requests) {
          if (timestampMs === null || idempotencyKey === null) continue;
          seen.push({ atMs: Date.parse(time), timestampMs, idempotencyKey, status });
        }
        after = page.next;
      }
      return seen;
    },
    /** How many requests the service decided in a way since an instant (Unix milliseconds); a page of them at most. */
    async decided(status: number, sinceMs: number): Promise<number> {
      const since = encodeURIComponent(new Date(sinceMs).toISOString());
      const page = await ask(`requests?status=${status}&since=${since}&limit=${PAGE}`);
      return (JSON.parse(page) as { requests: readonly unknown[] }).requests.length;
    },
  };
}
