import { once } from 'node:events';
import { createServer } from 'node:net';

/** Linux gives ports from 32,768 on to outgoing connections, so no connection takes one of these between its choice and its use. */
const FIRST = 12_000;
/** Each process of jest has ports of its own, so that two tests side by side never choose the same one. */
const PORTS_PER_PROCESS = 1_000;
const PROCESSES_MAX = 10;
const first =
  FIRST + (Number(process.env['JEST_WORKER_ID'] ?? 1) % PROCESSES_MAX) * PORTS_PER_PROCESS;

let chosen = Math.floor(Math.random() * PORTS_PER_PROCESS);

/** A port of this machine on which no program listens, and which no other test is given. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < PORTS_PER_PROCESS; tries++) {
    chosen = (chosen + 1) % PORTS_PER_PROCESS;
    const port = first + chosen;
    if (await isFree(port)) return port;
  }
  throw new Error(`no port from ${first} to ${first + PORTS_PER_PROCESS - 1} is free`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
