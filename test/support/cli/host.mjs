/**
 * A process that has loaded the command line once and runs one command after another, each as a process of its own would:
 * with its own arguments, environment and folder. To load it takes most of the time of a command, and the suite has hundreds.
 */
import { fileURLToPath } from 'node:url';

const STARTER = new URL('../../../build/src/starter.js', import.meta.url).href;
let commands = 0;

// Each command listens for signals, and for readers that stop reading, for as long as its process lives.
process.setMaxListeners(0);
process.stdout.setMaxListeners(0);

process.on('message', ({ args, env, cwd }) => void answer({ args, env, cwd }));
process.on('disconnect', () => process.exit());

async function answer({ args, env, cwd }) {
  const printed = { out: '', err: '' };
  const restore = [
    capture(process.stdout, printed, 'out'),
    capture(process.stderr, printed, 'err'),
  ];
  process.argv = [process.execPath, fileURLToPath(STARTER), ...args];
  process.env = env;
  process.chdir(cwd);
  process.exitCode = undefined;
  commands += 1;
  try {
    // Another query, another run of the module; all that it imports is there already.
    await import(`${STARTER}?command=${commands}`);
  } catch (error) {
    printed.err += error.stack;
    process.exitCode = 1;
  }
  for (const one of restore) one();
  process.send({ code: process.exitCode ?? 0, ...printed });
}

function capture(stream, printed, name) {
  const write = stream.write;
  stream.write = (text, ...rest) => {
    printed[name] += String(text);
    rest.find((one) => typeof one === 'function')?.();
    return true;
  };
  return () => {
    stream.write = write;
  };
}
