import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { lockFolder } from '../../src/local-stack/lock.ts';
import { dropSharedEnv, keepSharedEnv } from '../../src/local-stack/stack-env.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { fakeWorld } from './support/fake-world.ts';

const HOSTILE = `it's "$HOME" \`id\` \\ a`;
const ENV = {
  TEMPORAL_ADDRESS: '127.0.0.1:7233',
  BURSAR_API_SECRET_FILE: `/a folder/${HOSTILE}`,
  BURSAR_API_SECRET: 'never shown',
  PATH: '/bin',
};

/** A folder in which a stack runs, or ran. */
function folderOfStack() {
  const cwd = temporaryFolder();
  const data = join(cwd, '.bursar');
  mkdirSync(data, { recursive: true });
  const lock = lockFolder(data);
  keepSharedEnv(data, ENV);
  return { ...fakeWorld({ cwd }), data, lock };
}

describe('bursar env', () => {
  it('prints the variables of the stack that runs here, none of them a secret', async () => {
    const { json, lock } = folderOfStack();
    expect(await json('env')).toEqual({
      code: 0,
      value: {
        schema: 'bursar.env/v1',
        env: {
          TEMPORAL_ADDRESS: '127.0.0.1:7233',
          BURSAR_API_SECRET_FILE: `/a folder/${HOSTILE}`,
        },
      },
    });
    lock.release();
  });

  it('quotes them so that a shell runs nothing of them', async () => {
    const { run, lock } = folderOfStack();
    const { out } = await run('env');
    lock.release();
    const shell = spawnSync(
      'sh',
      ['-c', 'eval "$1"; printf %s "$BURSAR_API_SECRET_FILE"', 'sh', out],
      {
        encoding: 'utf8',
      },
    );
    expect(shell.stdout).toBe(`/a folder/${HOSTILE}`);
  });

  it.each<[string, (made: ReturnType<typeof folderOfStack>) => void]>([
    ['was killed', ({ lock }) => lock.release()],
    ['has stopped', ({ data }) => dropSharedEnv(data)],
  ])('prints nothing for a stack that %s', async (_what, end) => {
    const made = folderOfStack();
    end(made);
    const { code, out, err } = await made.run('env');
    made.lock.release();
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain('STACK_NOT_RUNNING');
  });
});
