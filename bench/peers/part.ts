import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CHUNK_ROWS, runLoop, warmUp } from '../batch/measure.ts';
import { loopFigure, stageFigure } from '../batch/figures.ts';
import type { BareRun } from '../batch/bare-run.ts';
import { workOf } from '../batch/work.ts';
import { UsageError } from '../options.ts';
import type { BenchContext, Part } from '../support/context.ts';
import type { Figure } from '../support/figure.ts';
import { writeSampleFile } from '../support/sample-file.ts';
import { type BenchStack, withStack } from '../support/stack.ts';
import { type PaidBatch, payFile } from '../support/submit.ts';
import { installPeers, peersFolder } from './install.ts';
import { BURSAR_GUARANTEES, LOOP_GUARANTEES, type Peer, PEERS, type ServerName } from './peers.ts';
import { MissingServerError, type Server, startServer } from './servers.ts';

export const PEERS_ROWS = 100_000;
const DELAYS_MS = [0, 300];

/** Engines that send the same chunks to the same service, and Bursar, all beside the bare loop. */
export const peersPart: Part = async (context) => {
  const chosen = choosePeers(context.peers);
  await installPeers(context);
  const servers = new Map<ServerName, Server>();
  try {
    const peers: Peer[] = [];
    for (const peer of chosen) {
      if (await isServed(context, peer, servers)) peers.push(peer);
    }
    const delays = context.delayMs === undefined ? DELAYS_MS : [context.delayMs];
    const figures: Figure[] = [];
    for (const createDelayMs of delays) {
      const options = { name: `peers-${createDelayMs}`, chunkRows: CHUNK_ROWS, createDelayMs };
      const measured = await withStack(context, options, (stack) =>
        measure(context, stack, { peers, servers }),
      );
      figures.push(...figuresOf(measured, createDelayMs));
    }
    return figures;
  } finally {
    for (const { child } of servers.values()) await child.stop();
  }
};

function choosePeers(names: readonly string[]): readonly Peer[] {
  const unknown = names.find((name) => !PEERS.some((peer) => peer.name === name));
  if (unknown !== undefined) throw new UsageError(`There is no peer "${unknown}".`);
  return names.length === 0 ? PEERS : PEERS.filter(({ name }) => names.includes(name));
}

/** Starts the server of a peer. Returns false, with a line to the person who waits, when the server cannot run here. */
async function isServed(
  context: BenchContext,
  { title, server }: Peer,
  servers: Map<ServerName, Server>,
): Promise<boolean> {
  try {
    if (!servers.has(server)) servers.set(server, await startServer(context, server));
    return true;
  } catch (error) {
    if (!(error instanceof MissingServerError)) throw error;
    context.say(`peers: ${title} is left out: ${error.message}`);
    return false;
  }
}

type Setting = Readonly<{ peers: readonly Peer[]; servers: ReadonlyMap<ServerName, Server> }>;

type Measured = Readonly<{
  bare: BareRun[];
  peers: readonly Readonly<{ peer: Peer; runs: BareRun[] }>[];
  paid: PaidBatch[];
}>;

/** All of them take turns. Each round has a file of its own. */
async function measure(
  context: BenchContext,
  stack: BenchStack,
  { peers, servers }: Setting,
): Promise<Measured> {
  const { rows = PEERS_ROWS, runs, say, signal } = context;
  const measured: Measured = {
    bare: [],
    peers: peers.map((peer) => ({ peer, runs: [] })),
    paid: [],
  };
  const file = join(stack.folder, 'peers.csv');
  await warmUp(context, stack, rows);
  for (let run = 0; run < runs; run += 1) {
    say(`peers: round ${run + 1} of ${runs}`);
    await writeSampleFile({ path: file, rows, seed: run + 1, signal });
    // Ids of one length make requests of one length.
    const batchId = (index: number): string => `peer-${run}-${index}`;
    measured.bare.push(await runLoop(context, stack, { file, batchId: batchId(0) }));
    for (const [index, { peer, runs: done }] of measured.peers.entries()) {
      const server = servers.get(peer.server);
      if (server === undefined) throw new Error(`${peer.server} does not run`);
      const module = join(peersFolder(), `${peer.name}.mjs`);
      const args = ['--server-url', server.url, '--server-pid', String(server.child.pid)];
      const id = batchId(index + 1);
      done.push(await runLoop(context, stack, { file, batchId: id, module, args }));
    }
    const bursarId = batchId(peers.length + 1);
    measured.paid.push(await payFile(context, stack, { file, batchId: bursarId, rows }));
    const sent = await stack.seen();
    const works = [...peers, 'loop', 'Bursar'].map((_name, index) => workOf(sent[batchId(index)]));
    if (new Set(works).size > 1) throw new Error(`not all sent the same: ${works.join(' ')}`);
    await rm(file);
  }
  return measured;
}

function figuresOf({ bare, peers, paid }: Measured, delayMs: number): Figure[] {
  const loop = loopFigure('bare loop', bare);
  const scenario = delayMs === 0 ? 'service at once' : `service in ${delayMs} ms`;
  const beside = (figure: Figure, guarantees: string): Figure[] => [
    { ...figure, name: `${scenario}: ${figure.name}` },
    {
      name: `${scenario}: ${figure.name} / bare loop`,
      unit: 'times',
      value: figure.value / loop.value,
      note: guarantees,
      bar: { group: scenario, name: figure.name },
    },
  ];
  return [
    ...beside(loop, LOOP_GUARANTEES),
    ...peers.flatMap(({ peer, runs }) => beside(loopFigure(peer.title, runs), peer.guarantees)),
    ...beside(stageFigure('Bursar, from file to report', paid, 'submit'), BURSAR_GUARANTEES),
  ];
}
