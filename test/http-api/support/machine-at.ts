import { afterEach } from '@jest/globals';
import { type FakeWorld, fakeWorld } from '../../cli/support/fake-world.ts';
import { writeKeyFile } from '../../support/signing-people.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { apiOf, tokenOf } from './api.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

type Printed = Readonly<{ code: number; out: string; err: string }>;

export const worldOf = (env: Record<string, string> = {}): FakeWorld =>
  fakeWorld({ cwd: temporaryFolder(), env });

/** A machine without settings and store, at a server over this world. */
export async function machineAt(server: FakeWorld, key?: string): Promise<FakeWorld> {
  const api = await apiOf(server, { names: { submit: 'alice' } });
  closers.push(api.close);
  const url = await api.server.listen({ host: '127.0.0.1', port: 0 });
  const here = worldOf({ BURSAR_SERVER: url, BURSAR_SERVER_TOKEN: tokenOf('submit') });
  if (key !== undefined) writeKeyFile(here.world.cwd, key);
  return here;
}

/** A printout without the folder of its world. */
export const plain = ({ out, err, code }: Printed, { world }: FakeWorld): Printed => ({
  code,
  out: out.replaceAll(world.cwd, 'FOLDER'),
  err: err.replaceAll(world.cwd, 'FOLDER'),
});
