import type { BenchContext } from '../support/context.ts';
import { type Aim, type Figure, medianFigure } from '../support/figure.ts';
import { compiled, runModule } from '../support/run-module.ts';
import { askForBalances } from './ask-for-balances.ts';
import type { Sent } from './sent.ts';
import { type Server, withServers } from './servers.ts';

const AIM: Aim = { kind: 'at least', value: 0.7 };
/** Turns that each server has in a run, so that what else the machine does hits both alike. */
const TURNS_PER_RUN = 5;

const SENDER = compiled('../sandbox/send-account.js');

/** How many signed reads a second the sandbox answers, beside a server that only checks the signature. */
export async function accountFigures(context: BenchContext, requests: number): Promise<Figure[]> {
  return withServers(context, async (servers) => {
    const sandbox = await servers.sandbox('account');
    const bare = await servers.bare(await askForBalances(sandbox.url));
    const send = ({ url }: Server): Promise<Sent> => sendTo(context, url, requests);
    await send(bare);
    await send(sandbox);
    const [bareTurns, sandboxTurns]: [Sent[], Sent[]] = [[], []];
    for (let turn = 0; turn < context.runs * TURNS_PER_RUN; turn += 1) {
      context.say(`sandbox, account: turn ${turn + 1} of ${context.runs * TURNS_PER_RUN}`);
      bareTurns.push(await send(bare));
      sandboxTurns.push(await send(sandbox));
    }
    return figuresOf(bareTurns, sandboxTurns);
  });
}

/** The sender is a process of its own, so that it has a core of its own. */
function sendTo(
  { folder, env, signal }: BenchContext,
  url: string,
  requests: number,
): Promise<Sent> {
  const args = [url, String(requests)];
  return runModule<Sent>({ module: SENDER, args, env, cwd: folder, signal });
}

function figuresOf(bareTurns: readonly Sent[], sandboxTurns: readonly Sent[]): Figure[] {
  const rates = (name: string, turns: readonly Sent[]) =>
    medianFigure(`account: ${name}`, 'requests/s', turns.map(rateOf));
  const bare = rates('bare Fastify handler', bareTurns);
  const sandbox = rates('sandbox', sandboxTurns);
  // Of each turn for itself: what else the machine does comes and goes, and hits two neighbours alike.
  const ratios = sandbox.runs.map((rate, turn) => rate / (bare.runs[turn] ?? Number.NaN));
  const busiest = Math.max(...[...bareTurns, ...sandboxTurns].map((each) => each.senderShare));
  return [
    bare,
    sandbox,
    { ...medianFigure('account: sandbox / bare handler', 'times', ratios), aim: AIM },
    { name: 'account: how busy the sender was, of one core', unit: 'times', value: busiest },
  ];
}

const rateOf = ({ count, elapsedMs }: Sent): number => (count / elapsedMs) * 1_000;
