/** A server that peers keep their state in. */
export type ServerName = 'Redis' | 'PostgreSQL';

/** An engine that pays the same chunks at the same service. */
export type Peer = Readonly<{
  name: string;
  title: string;
  server: ServerName;
  /** What it guarantees in this bench, in plain words. */
  guarantees: string;
}>;

export const PEERS: readonly Peer[] = [
  {
    name: 'bullmq',
    title: 'BullMQ on Redis',
    server: 'Redis',
    guarantees:
      'at least once: the job of a lost worker sends its create again; a crash of Redis loses up to 1 s of jobs',
  },
  {
    name: 'pg-boss',
    title: 'pg-boss on PostgreSQL',
    server: 'PostgreSQL',
    guarantees: 'at least once: the job of a lost worker sends its create again',
  },
  {
    name: 'dbos',
    title: 'DBOS on PostgreSQL',
    server: 'PostgreSQL',
    guarantees:
      'steps at least once: a step without a stored result sends its create again after a crash',
  },
];

export const LOOP_GUARANTEES = 'none: a lost process leaves no record of its sends';

export const BURSAR_GUARANTEES =
  'at most one accepted create a chunk: stored and looked up before each send, proven by a report';
