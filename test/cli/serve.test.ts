import { expect, it } from '@jest/globals';
import type { RunningApi } from '../../src/cli/context.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { fakeWorld } from './support/fake-world.ts';

const API_URL = 'http://127.0.0.1:8790';

/** The lines of `bursar serve` until it is interrupted. */
async function said(api: Readonly<{ webUrl: RunningApi['webUrl'] }>, env = {}): Promise<string> {
  const { run } = fakeWorld({
    cwd: temporaryFolder(),
    env,
    interrupted: AbortSignal.abort(),
    open: { httpApi: async () => ({ url: API_URL, close: async () => {}, ...api }) },
  });
  return (await run('serve')).err;
}

it('names the address of the web app, where passkeys work', async () => {
  const text = await said({ webUrl: 'http://localhost:8790' });
  expect(text).toContain('The web app for people: http://localhost:8790\n');
  expect(text).not.toContain('NO SERVICE');
});

it('says that nobody can sign in without an address of the web app', async () => {
  expect(await said({ webUrl: null })).toContain('set serve.origin');
});

it('says first that it can pay nothing, where no service is set', async () => {
  const text = await said({ webUrl: 'http://localhost:8790' }, { BURSAR_API_BASE_URL: '' });
  expect(text).toMatch(/^NO SERVICE IS SET \(api\.base_url\).*eval "\$\(bursar env\)"/);
});
