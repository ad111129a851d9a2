import { AsyncLocalStorage } from 'node:async_hooks';
import { expect, it } from '@jest/globals';
import Environment from './environment.mjs';

const CONFIG = { globalConfig: {}, projectConfig: { testEnvironmentOptions: {}, globals: {} } };

it('the data that a test file stored for its promises end with it', async () => {
  const [ran, entered, kept] = [1, 2, 3].map(() => new AsyncLocalStorage<string>());
  kept?.enterWith('ours');
  const { run } = AsyncLocalStorage.prototype;
  const environment = new Environment(CONFIG, { console, docblockPragmas: {}, testPath: '' });
  await environment.setup();
  entered?.enterWith('theirs');
  await ran?.run('theirs', async () => {
    expect([ran, entered, kept].map((one) => one?.getStore())).toEqual([
      'theirs',
      'theirs',
      'ours',
    ]);
    await environment.teardown();
    expect([ran, entered, kept].map((one) => one?.getStore())).toEqual([
      undefined,
      undefined,
      'ours',
    ]);
  });
  expect(AsyncLocalStorage.prototype.run).toBe(run);
});
