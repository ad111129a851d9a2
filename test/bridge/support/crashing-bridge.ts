/**
 * A bridge with the real server, spool and forwarder. Its Temporal is a fake that prints signals.
 * At `point` it stops and prints "held", so that the test can kill it there.
 * Arguments: the url of the store, the token, the point.
 */
import type { AddressInfo } from 'node:net';
import { systemClock as clock } from '../../../src/bridge/clock.ts';
import { createForwarder } from '../../../src/bridge/forwarder.ts';
import { createBridgeServer } from '../../../src/bridge/server.ts';
import { createTokens } from '../../../src/config/token-files.ts';
import { createFundStore } from '../../../src/store/funds/claims.ts';
import { createRoutes } from '../../../src/store/webhooks/routes.ts';
import { createSpool, type Spool } from '../../../src/store/webhooks/spool.ts';
import { openSqlite } from '../../../src/store/engine/sqlite/sqlite.ts';
import { accessTo } from '../../../src/store/database/decide.ts';

export type Point = 'bodyRead' | 'spooled' | 'acked' | 'signalled' | 'none';

const [url = '', token = '', point = 'none'] = process.argv.slice(2);
const print = (line: string): void => void process.stdout.write(`${line}\n`);

async function holdAt(here: Point): Promise<void> {
  if (here !== point) return;
  print('held');
  await new Promise(() => {});
}

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const db = await openSqlite(url);
const realSpool = createSpool(accessTo(db));
const spool: Spool = {
  ...realSpool,
  async append(body, receivedAtMs) {
    await holdAt('bodyRead');
    const seq = await realSpool.append(body, receivedAtMs);
    await holdAt('spooled');
    return seq;
  },
  async settle(seqs, settlement) {
    await holdAt('signalled');
    await realSpool.settle(seqs, settlement);
    for (const _seq of seqs) print(`settled ${settlement.state}`);
  },
};
const forwarder = createForwarder({
  spool,
  routes: createRoutes(db),
  claims: createFundStore(accessTo(db)),
  clock,
  log,
  temporal: {
    async signal(workflowId, hint) {
      await holdAt('acked');
      print(`signal ${workflowId} ${hint?.chunks.join() ?? 'funds'}`);
      return 'delivered';
    },
    ping: () => Promise.resolve(),
  },
});
const server = createBridgeServer({
  spool,
  tokens: createTokens([token]),
  forwarding: forwarder.status,
  clock,
  log,
});
await server.listen({ host: '127.0.0.1', port: 0 });
forwarder.start();
print(`listening ${(server.server.address() as AddressInfo).port}`);
