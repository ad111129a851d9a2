import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from '@jest/globals';
import { runCommand } from '../../mutants/run-command.ts';
import { eventually } from '../support/eventually.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const SERVER = `const server = require('node:net').createServer();
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));`;

/** Starts a server of its own, tells its port, and then does what `last` says. */
const startsAServer = (last: string): readonly string[] => [
  ...[process.execPath, '-e'],
  `const { spawn } = require('node:child_process');
   const stdio = ['ignore', 'pipe', 'inherit'];
   const server = spawn(process.execPath, ['-e', ${JSON.stringify(SERVER)}], { stdio });
   server.stdout.on('data', (port) => process.stdout.write(port, () => { ${last} }));`,
];

async function isServing(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED') throw error;
    return false;
  } finally {
    socket.destroy();
  }
}

it.each([
  ['fails', 'process.exit(1)', { isGood: false, isTimeOut: false }],
  ['succeeds', 'process.exit(0)', { isGood: true, isTimeOut: false }],
  ['takes longer than it may', '', { isGood: false, isTimeOut: true }],
])('a command that %s leaves no server behind', async (_, last, expected) => {
  const msMax = expected.isTimeOut ? 2000 : 60_000;
  const { talk, ...ending } = await runCommand(startsAServer(last), {
    cwd: temporaryFolder(),
    msMax,
  });
  expect(ending).toEqual(expected);
  expect(talk).toMatch(/^\d+\n$/);
  await eventually('its server has ended', async () =>
    (await isServing(Number(talk))) ? undefined : true,
  );
});
