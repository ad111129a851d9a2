import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ChildSpec, startChild } from '../../../src/local-stack/processes/child.ts';
import { untilPrinted } from '../../../src/local-stack/processes/ready.ts';
import { fixture, newFolder } from '../support/folders.ts';
import { isAlive } from '../support/processes.ts';

const script = (text: string): ChildSpec['command'] => [process.execPath, '-e', text];

function specOf(command: ChildSpec['command'], folder = newFolder()): ChildSpec {
  return {
    name: 'probe',
    command,
    env: process.env,
    cwd: folder,
    log: join(folder, 'logs/probe.log'),
  };
}

describe('a child', () => {
  it('runs in its folder, with its environment, and writes to its log', async () => {
    const spec = specOf(script('console.log(process.cwd(), process.env.GREETING)'));
    const child = await startChild({ ...spec, env: { ...process.env, GREETING: 'hello' } });
    expect(await child.ended).toBe('exit code 0');
    expect(readFileSync(child.log, 'utf8')).toBe(`${spec.cwd} hello\n`);
  });

  it('keeps the log of the run before', async () => {
    const folder = newFolder();
    await (await startChild(specOf(script('console.log("first")'), folder))).ended;
    const second = await startChild(specOf(script('console.error("second")'), folder));
    await second.ended;
    expect(readFileSync(second.log, 'utf8')).toBe('second\n');
    expect(readFileSync(`${second.log}.previous`, 'utf8')).toBe('first\n');
  });

  it.each([
    ['exit code 7', 'process.exit(7)'],
    ['signal SIGKILL', 'process.kill(process.pid, "SIGKILL")'],
  ])('reports that it ended with %s', async (how, text) => {
    const child = await startChild(specOf(script(text)));
    expect(await child.ended).toBe(how);
  });

  it('is stopped by SIGTERM, and stop waits for its end', async () => {
    const child = await startChild(
      specOf(script('process.on("SIGTERM", () => process.exit(9)); setInterval(() => {}, 1e5)')),
    );
    expect(isAlive(child.pid)).toBe(true);
    await child.stop();
    expect(isAlive(child.pid)).toBe(false);
    await child.stop();
  });

  it('is killed when it does not end within the grace period', async () => {
    const child = await startChild({
      ...specOf([process.execPath, fixture('stubborn.mjs')]),
      graceMs: 50,
    });
    await untilPrinted(child, 'stubborn ready');
    await child.stop();
    expect(isAlive(child.pid)).toBe(false);
    expect(readFileSync(child.log, 'utf8')).toContain('asked to end');
  });

  it('cannot be started from a program that does not exist', async () => {
    const spec = specOf(['/no/such/program']);
    await expect(startChild(spec)).rejects.toMatchObject({
      code: 'PROCESS_DIED',
      facts: { name: 'probe', log: spec.log, code: expect.stringContaining('ENOENT') },
    });
  });
});

describe('waiting for a line', () => {
  it('ends with PROCESS_DIED when the program ends without it', async () => {
    const child = await startChild(specOf(script('console.log("other"); process.exit(4)')));
    await expect(untilPrinted(child, 'ready')).rejects.toMatchObject({
      code: 'PROCESS_DIED',
      facts: { name: 'probe', code: 'exit code 4', log: child.log },
    });
  });

  it('ignores the words in the middle of a line', async () => {
    const child = await startChild(specOf(script('console.log("not ready")')));
    await expect(untilPrinted(child, 'ready')).rejects.toMatchObject({ code: 'PROCESS_DIED' });
  });
});
