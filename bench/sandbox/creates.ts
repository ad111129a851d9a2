import type { BenchContext } from '../support/context.ts';
import type { Aim, Figure } from '../support/figure.ts';
import { peakMemoryMib } from '../support/peak-memory.ts';
import { compiled, runModule } from '../support/run-module.ts';
import { CURRENCY } from './access.ts';
import { CREATE_ROWS } from './create-rows.ts';
import type { Sent } from './sent.ts';
import { type Server, withServers } from './servers.ts';

const SPEED_AIM: Aim = { kind: 'at least', value: 40 };
const MEMORY_AIM: Aim = { kind: 'at most', value: 1.3 };
/** The share of the creates after which memory is looked at first. */
const FIRST_SHARE = 0.1;

const SENDER = compiled('../sandbox/send-creates.js');
/** Both sandboxes work in one folder, the second with the store of the first. */
const NAME = 'creates';
/** Enough for every row, fees included. */
const BALANCES = { BURSAR_SANDBOX_BALANCES: JSON.stringify({ [CURRENCY]: '1000000000000' }) };

type Stage = Readonly<{ creates: number; elapsedMs: number; peakMib: number | undefined }>;

/**
 * How quickly mass payouts become durable, and what memory it takes to keep them. At the end the sandbox is killed;
 * throws unless another one finds every withdrawal.
 */
export async function createFigures(context: BenchContext, creates: number): Promise<Figure[]> {
  return withServers(context, async (servers) => {
    const sandbox = await servers.sandbox(NAME, BALANCES);
    const few = Math.ceil(creates * FIRST_SHARE);
    const first = await sendCreates(context, sandbox, few);
    const rest = await sendCreates(context, sandbox, creates - few);
    // A profile is written by a program that ends in order.
    process.kill(sandbox.child.pid, context.profileDir === undefined ? 'SIGKILL' : 'SIGTERM');
    await sandbox.child.ended;
    const { url } = await servers.sandbox(NAME);
    await demandWithdrawals(context, url, creates * CREATE_ROWS);
    return figuresOf(first, { ...rest, creates, elapsedMs: first.elapsedMs + rest.elapsedMs });
  });
}

async function sendCreates(
  { folder, env, signal, say }: BenchContext,
  { url, child }: Server,
  creates: number,
): Promise<Stage> {
  say(`sandbox, creates: sending ${creates}`);
  const args = [url, String(creates)];
  const { elapsedMs } = await runModule<Sent>({ module: SENDER, args, env, cwd: folder, signal });
  return { creates, elapsedMs, peakMib: await peakMemoryMib(child.pid) };
}

/** Every withdrawal is one line. */
async function demandWithdrawals({ say, signal }: BenchContext, url: string, expected: number) {
  say('sandbox, creates: reading every withdrawal after a restart');
  const { body } = await fetch(`${url}/sandbox/payouts`, { signal });
  let found = 0;
  const parts = (body ?? []) as AsyncIterable<Uint8Array>;
  for await (const bytes of parts) found += bytes.filter((byte) => byte === NEWLINE).length;
  if (found !== expected) throw new Error(`${found} of ${expected} withdrawals were found`);
}

const NEWLINE = 0x0a;

function figuresOf(few: Stage, all: Stage): Figure[] {
  const speed: Figure = {
    name: `creates of ${CREATE_ROWS.toLocaleString('en-US')} rows, durable`,
    unit: 'requests/s',
    value: (all.creates / all.elapsedMs) * 1_000,
    aim: SPEED_AIM,
  };
  if (few.peakMib === undefined || all.peakMib === undefined) return [speed];
  const peak = ({ creates, peakMib = 0 }: Stage): Figure => ({
    name: `${(creates * CREATE_ROWS).toLocaleString('en-US')} withdrawals: the sandbox's peak memory`,
    unit: 'MiB',
    value: peakMib,
  });
  const name = 'many / few withdrawals, peak memory';
  const times = all.peakMib / few.peakMib;
  return [speed, peak(few), peak(all), { name, unit: 'times', value: times, aim: MEMORY_AIM }];
}
