import type { Store } from '../../../src/store/index.ts';
import type { FakeWorld } from './fake-world.ts';

/** Does something with the store of a world while no command has it open. */
export async function inStore<Result>(
  made: FakeWorld,
  use: (store: Store) => Promise<Result>,
): Promise<Result> {
  const store = await made.store();
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}
