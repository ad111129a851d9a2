import { fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const HOST = fileURLToPath(new URL('host.mjs', import.meta.url));

/**
 * Takes commands of the command line on a socket, one a connection, and gives each to a host that has nothing to do; there
 * are as many hosts as commands at the same time. Answers with how to end them.
 */
export async function startCliHosts(folder) {
  const idle = [];
  const all = new Set();
  const path = join(folder, 'cli.sock');

  const newHost = () => {
    const host = fork(HOST, {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: { NO_COLOR: '1' },
    });
    all.add(host);
    host.once('exit', () => {
      all.delete(host);
      if (idle.includes(host)) idle.splice(idle.indexOf(host), 1);
    });
    return host;
  };

  async function run(command) {
    const host = idle.pop() ?? newHost();
    host.send(command);
    const ended = await Promise.race([
      once(host, 'message').then(([answer]) => answer),
      once(host, 'exit').then(([code]) => ({ code, out: '', err: 'the process ended' })),
    ]);
    if (all.has(host)) idle.push(host);
    return ended;
  }

  const server = createServer({ allowHalfOpen: true }, (socket) => {
    let command = '';
    socket.setEncoding('utf8');
    socket.on('data', (part) => {
      command += part;
    });
    socket.on('end', () => {
      void run(JSON.parse(command)).then((ended) => socket.end(JSON.stringify(ended)));
    });
    // A test that failed waits for no answer any more.
    socket.on('error', () => socket.destroy());
  });
  server.listen(path);
  await once(server, 'listening');
  process.env.BURSAR_TEST_CLI_SOCKET = path;
  return () => {
    server.close();
    // Commands listen for the milder signals.
    for (const host of all) host.kill('SIGKILL');
    rmSync(path, { force: true });
  };
}
