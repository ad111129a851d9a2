import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { checkStore } from '../../../src/store/engine/check.ts';
import { migrate } from '../../../src/store/engine/open.ts';
import { openStore, openStoreReader } from '../../../src/store/index.ts';
import { writableDb } from '../../../src/store/database/writable.ts';
import { onServer, openTestStore, testStoreUrl } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A store with its list of changes changed by a statement. */
async function storeAfter(statement: string): Promise<string> {
  const folder = temporaryFolder();
  const store = await openTestStore(folder);
  await sql.raw(statement).execute(writableDb(store));
  await store.close();
  return testStoreUrl(folder);
}

const adding = (name: string): string =>
  `insert into kysely_migration (name, timestamp) values ('${name}', '2030-01-01T00:00:00.000Z')`;

describe('a store of a newer version', () => {
  it('is refused by name, and is not changed', async () => {
    const url = await storeAfter(adding('900-drops-a-column'));
    const error = { code: 'STORE_TOO_NEW', facts: { has: '900-drops-a-column' } };
    await expect(openStore(url)).rejects.toMatchObject(error);
    await expect(openStoreReader(url)).rejects.toMatchObject(error);
    await expect(migrate(url)).rejects.toMatchObject(error);
    expect(await checkStore(url, Date.now)).toMatchObject({ tooNew: ['900-drops-a-column'] });
  });

  it('is used while it has more columns only', async () => {
    const url = await storeAfter(adding('900-new-column-expand'));
    const store = await openStore(url);
    await store.pace.takeSlot('a', 1, Date.now());
    await store.close();
    expect(await migrate(url)).toEqual([]);
  });
});

describe('a store of an older version', () => {
  const older = "delete from kysely_migration where name = '020-lookup-numbers'";

  it('is refused by a reader, by name', async () => {
    const url = await storeAfter(older);
    await expect(openStoreReader(url)).rejects.toMatchObject({
      code: 'STORE_TOO_OLD',
      facts: { lacks: '020-lookup-numbers' },
    });
    expect(await checkStore(url, Date.now)).toMatchObject({ missing: ['020-lookup-numbers'] });
  });

  (onServer ? it : it.skip)('is refused by every program but migrate on a server', async () => {
    await expect(openStore(await storeAfter(older))).rejects.toMatchObject({
      code: 'STORE_TOO_OLD',
    });
  });
});

it('a new store has nothing to change, and no fault', async () => {
  const url = await storeAfter('select 1');
  expect(await migrate(url)).toEqual([]);
  const { changes, ...rest } = await checkStore(url, Date.now);
  expect(changes).toBeGreaterThan(19);
  expect(rest).toEqual({ missing: [], tooNew: [], faults: [] });
});
