import type { Database } from './database.ts';

/** A request to the admin API that changed something. */
export type AdminChange = Readonly<{
  atMs: number;
  /** The number of the last request in the log before it. */
  afterRequest: number;
  /** Method and path below /sandbox. */
  endpoint: string;
  input: unknown;
}>;

/** Changes by the admin API, which are kept together with the bodies of requests. */
export type AdminChanges = Readonly<{
  append(change: AdminChange): void;
  /** Oldest first. */
  all(): AdminChange[];
}>;

export function createAdminChanges(db: Database): AdminChanges {
  const insert = db.prepare('INSERT INTO admin_change VALUES (NULL, ?, ?, ?, ?)');
  const list = db.prepare('SELECT * FROM admin_change ORDER BY n');
  return {
    append: ({ atMs, afterRequest, endpoint, input }) =>
      void insert.run(atMs, afterRequest, endpoint, JSON.stringify(input)),
    all: () =>
      (list.all() as Row[]).map(
        ({ at_ms: atMs, after_request: afterRequest, endpoint, input }) => ({
          atMs,
          afterRequest,
          endpoint,
          input: JSON.parse(input) as unknown,
        }),
      ),
  };
}

type Row = { at_ms: number; after_request: number; endpoint: string; input: string };
