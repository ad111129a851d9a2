import { join } from 'node:path';
import type { Store } from '../../../src/store/index.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type FakeWorld, fakeWorld, type WorldOptions } from './fake-world.ts';
import { GOOD, withFiles } from './files.ts';
import { playPlan } from './play.ts';

/** A world with the batch payroll of good.csv, submitted and planned; then `went` on. */
export async function payrollWorld(
  went: (store: Store) => Promise<void>,
  options: Partial<WorldOptions> = {},
): Promise<FakeWorld> {
  const made = fakeWorld({ cwd: withFiles(temporaryFolder(), { 'good.csv': GOOD }), ...options });
  await made.run('submit', 'good.csv', '--id', 'payroll', '--yes', '--detach');
  const [input] = made.engine.started;
  if (input === undefined) throw new Error('nothing was started');
  const store = await made.store();
  await playPlan(store, input, join(made.world.cwd, 'good.csv'));
  await went(store);
  await store.close();
  return made;
}
