import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import pg from 'pg';
import { openLeadership } from '../../../../src/store/engine/leader.ts';
import { openConnection, openReader } from '../../../../src/store/engine/open.ts';
import { accessTo } from '../../../../src/store/database/decide.ts';
import { addressOf, createPool } from '../../../../src/store/engine/postgres/pool.ts';
import { onServer, testStoreUrl } from '../../../support/test-database.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const describeOnServer = onServer ? describe : describe.skip;

const slot = (account: string) => ({ account, slot_ms: 1 });

/** The address of a new store whose connections can be told from all others. */
async function namedUrl(): Promise<Readonly<{ url: string; name: string }>> {
  const name = `bursar-test-${randomUUID()}`;
  return { name, url: `${await testStoreUrl(temporaryFolder())}?application_name=${name}` };
}

/** Ends the connections of a store, as a restart of the server does. */
async function endConnections({ url, name }: Readonly<{ url: string; name: string }>) {
  const client = new pg.Client({ connectionString: url.replace(name, 'test') });
  await client.connect();
  await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1',
    [name],
  );
  await client.end();
}

/** The address of a store with the file of its password. */
const urlWithPassword = (file: string, host = 'db'): string =>
  `postgres://ann@${host}/bursar?password_file=${encodeURIComponent(file)}&sslmode=disable`;

it('the password comes from its file, and is read for each connection', async () => {
  const file = join(temporaryFolder(), 'password');
  writeFileSync(file, 'first\n', { mode: 0o600 });
  const { password, ...address } = addressOf(urlWithPassword(file));
  expect(address).toMatchObject({ user: 'ann', host: 'db', database: 'bursar', ssl: false });
  expect(address).not.toHaveProperty('password_file');
  const read = password as () => string;
  expect(read()).toBe('first');
  writeFileSync(file, 'second');
  expect(read()).toBe('second');
});

/** The messages of a server that wants a password in clear, and that refuses it. */
const WANTS_PASSWORD = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]);
const REFUSAL = Buffer.from('E\0\0\0\u0010C28P01\0Mno\0\0');

async function errorOf(refused: Promise<unknown>): Promise<NodeJS.ErrnoException> {
  try {
    await refused;
  } catch (error) {
    return error as NodeJS.ErrnoException;
  }
  throw new Error('a server without a password for us let us in');
}

/** The error of a connection to a server that asks for a password, and what that server receives. */
async function connect(file: string) {
  const received: Buffer[] = [];
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.once('data', () => {
      socket.on('data', (part) => {
        received.push(part);
        socket.end(REFUSAL);
      });
      socket.write(WANTS_PASSWORD);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = urlWithPassword(file, `127.0.0.1:${port}`);
  const pool = createPool(url, { max: 1, isReader: false, isPatient: false });
  const error = await errorOf(pool.connect());
  await pool.end();
  server.close();
  for (const socket of sockets) socket.destroy();
  return { code: error.code, received: Buffer.concat(received).toString('latin1') };
}

it('a server that asks for the password gets that of the file', async () => {
  const file = join(temporaryFolder(), 'password');
  writeFileSync(file, 'word\n', { mode: 0o400 });
  expect(await connect(file)).toEqual({ code: 'STORE_UNREACHABLE', received: 'p\0\0\0\tword\0' });
});

it.each`
  what                    | mode         | code
  ${'is open to others'}  | ${0o604}     | ${'STORE_PASSWORD_FILE_OPEN'}
  ${'is open to a group'} | ${0o640}     | ${'STORE_PASSWORD_FILE_OPEN'}
  ${'is not there'}       | ${undefined} | ${'STORE_PASSWORD_FILE_UNREADABLE'}
`('no password is sent when its file $what', async ({ mode, code }) => {
  const file = join(temporaryFolder(), 'password');
  if (mode !== undefined) {
    writeFileSync(file, 'word\n');
    chmodSync(file, mode);
  }
  expect(await connect(file)).toEqual({ code, received: '' });
});

describeOnServer('a store on a server', () => {
  it('keeps what is committed, in the isolation that its locks need', async () => {
    const db = await openConnection(await testStoreUrl(temporaryFolder()));
    const { rows } = await sql`
      select current_setting('synchronous_commit') as sync,
        current_setting('default_transaction_isolation') as isolation,
        current_setting('lock_timeout') as lock`.execute(db);
    expect(rows).toEqual([{ sync: 'on', isolation: 'read committed', lock: '10s' }]);
    await db.destroy();
  });

  it('refuses every write of a reader', async () => {
    const reader = await openReader(await testStoreUrl(temporaryFolder()));
    await expect(reader.insertInto('pace').values(slot('a')).execute()).rejects.toThrow(
      'read-only transaction',
    );
    await reader.destroy();
  });

  it('is reached again after every connection was lost', async () => {
    const named = await namedUrl();
    const db = await openConnection(named.url);
    await sql`select 1`.execute(db);
    await endConnections(named);
    await sql`select 1`.execute(db).catch(() => undefined);
    await sql`select 1`.execute(db);
    await db.destroy();
  });

  it('undoes a transaction whose connection is lost, and reports the store as unreachable', async () => {
    const named = await namedUrl();
    const db = await openConnection(named.url);
    const { decide } = accessTo(db);
    const write = decide([{ account: 'a' }], async (tx) => {
      await tx.insertInto('pace').values(slot('a')).execute();
      await endConnections(named);
      await tx.insertInto('pace').values(slot('b')).execute();
    });
    await expect(write).rejects.toMatchObject({ code: 'STORE_UNREACHABLE' });
    expect(await db.selectFrom('pace').selectAll().execute()).toEqual([]);
    await db.destroy();
  });

  it('reports a store that holds a lock for too long as busy', async () => {
    const url = await testStoreUrl(temporaryFolder());
    const [first, second] = [await openConnection(url), await openConnection(url)];
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const holding = accessTo(first).decide([{ account: 'a' }], () => held);
    const other = accessTo(second).decide([{ account: 'b' }], async () => 'beside it');
    expect(await other).toBe('beside it');
    const same = accessTo(second).decide([{ account: 'a' }], async () => 'never');
    await expect(same).rejects.toMatchObject({ code: 'STORE_BUSY' });
    release();
    await holding;
    await Promise.all([first.destroy(), second.destroy()]);
  }, 30_000);

  it('has one leader at a time, and another one once its connection is lost', async () => {
    const url = await testStoreUrl(temporaryFolder());
    const [first, second] = [await openLeadership(url, 'x'), await openLeadership(url, 'x')];
    expect([await first.leads(), await second.leads(), await first.leads()]).toEqual([
      true,
      false,
      true,
    ]);
    await first.close();
    expect([await second.leads(), await first.leads()]).toEqual([true, false]);
    await Promise.all([first.close(), second.close()]);
  });
});

it('a store in a file needs no leader', async () => {
  const leadership = await openLeadership('sqlite:x.db', 'x');
  expect(await leadership.leads()).toBe(true);
  await leadership.close();
});
