import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { Stage } from '../stage.ts';
import { storeDatabase } from './database.ts';

/** A part of a stack that can be lost. */
export type Part = 'store' | 'Temporal' | 'files';

type Copy = Readonly<{ take(): Promise<void>; restore(): Promise<void> }>;

/** Copies of the parts of a stack whose store is a server. Each is taken once; a restore replaces everything. */
export function copiesOf(stage: Stage) {
  const place = join(stage.folder, 'copies');
  mkdirSync(place);
  const copies: Readonly<Record<Part, Copy>> = {
    store: storeCopy(stage, join(place, 'store.jsonl')),
    Temporal: temporalCopy(stage, join(place, 'temporal')),
    files: folderCopy(join(stage.volume.path, 'blobs'), join(place, 'blobs')),
  };
  return {
    take: (part: Part) => copies[part].take(),
    restore: (part: Part) => copies[part].restore(),
  };
}

/** The commands that a person has for it. */
function storeCopy({ commands, server }: Stage, file: string): Copy {
  const run = async (...args: readonly string[]): Promise<void> => {
    const { code, value } = await commands.run('store', ...args);
    if (code !== 0)
      throw new Error(`store ${args.join(' ')} ended with ${code}: ${JSON.stringify(value)}`);
  };
  return {
    take: () => run('backup', file),
    async restore() {
      if (server === undefined) throw new Error('the store is no server');
      const client = new pg.Client({ connectionString: server.urlOf(storeDatabase) });
      await client.connect();
      await client.query('drop schema public cascade; create schema public');
      await client.end();
      await run('migrate');
      await run('restore', file);
    },
  };
}

/** The database of the dev server, which stands still while it is copied. */
function temporalCopy({ folder, processes }: Stage, copy: string): Copy {
  const files = (): string[] =>
    readdirSync(folder).filter((name) => name.startsWith('temporal.db'));
  return {
    async take() {
      await processes.hold(['temporal']);
      mkdirSync(copy);
      for (const name of files()) cpSync(join(folder, name), join(copy, name));
      await processes.release(['temporal']);
    },
    async restore() {
      for (const name of files()) rmSync(join(folder, name));
      cpSync(copy, folder, { recursive: true });
    },
  };
}

const folderCopy = (folder: string, copy: string): Copy => ({
  take: async () => cpSync(folder, copy, { recursive: true }),
  async restore() {
    rmSync(folder, { recursive: true, force: true });
    cpSync(copy, folder, { recursive: true });
  },
});
