import { sql } from 'kysely';
import type { Connection } from '../../database/db.ts';
import type { StoreFault } from '../words.ts';

/** The oldest version of the server that Bursar is tested with, as the server names it. */
const VERSION_MIN = 150_000;
/** How far the clocks of server and machine may differ, in milliseconds. Pace and due times go by that of the server. */
const CLOCK_MS_MAX = 1_000;

type Server = Readonly<{
  version: number;
  fsync: string;
  pages: string;
  encoding: string;
  nowMs: number;
}>;

/** Settings of the server that can lose what was committed, and others that Bursar cannot work with. */
export async function faultsOfServer(
  db: Connection,
  nowMs: () => number,
): Promise<readonly StoreFault[]> {
  const before = nowMs();
  const { rows } = await sql<Server>`
    select cast(current_setting('server_version_num') as integer) as version,
      current_setting('fsync') as fsync, current_setting('full_page_writes') as pages,
      current_setting('server_encoding') as encoding,
      cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as "nowMs"`.execute(db);
  const after = nowMs();
  const [server] = rows;
  if (server === undefined) return [];
  // The server read its clock between the two.
  const aheadMs = Math.max(server.nowMs - after, before - server.nowMs, 0);
  return [
    ...(server.version < VERSION_MIN
      ? [
          fault(
            `The server is PostgreSQL ${Math.trunc(server.version / 10_000)}.`,
            'Use version 15 or newer.',
          ),
        ]
      : []),
    ...(server.fsync === 'on' && server.pages === 'on'
      ? []
      : [
          fault(
            'The server can lose what was committed (fsync or full_page_writes is off).',
            'Set both to on, and restart the server. A lost attempt is a chunk that is sent twice.',
          ),
        ]),
    ...(server.encoding === 'UTF8'
      ? []
      : [fault(`The database has the encoding ${server.encoding}.`, 'Make a database with UTF8.')]),
    ...(aheadMs > CLOCK_MS_MAX
      ? [
          fault(
            `The clocks of this machine and of the server differ by ${aheadMs.toLocaleString('en')} ms.`,
            'Set both by NTP.',
          ),
        ]
      : []),
  ];
}

const fault = (what: string, fix: string): StoreFault => ({ what, fix });
