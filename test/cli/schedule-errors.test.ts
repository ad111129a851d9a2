import { describe, expect, it } from '@jest/globals';
import { createProgram } from '../../src/cli/program/program.ts';
import { noteOf } from '../../src/domain/errors/bursar-error.ts';
import type { ErrorCode } from '../../src/domain/errors/catalogue.ts';
import { SCHEDULE_ERRORS } from '../../src/domain/errors/schedule-errors.ts';
import { fakeWorld } from './support/fake-world.ts';

const FACTS = { scheduleId: 'rent', nominal: '2026-11-21T09:00', batchId: 'rent-2026-11-21' };

/** Facts with which an error says all that it can say. */
const factsWith = (more: object) =>
  new Proxy(
    { ...FACTS, mayRepeat: true, ...more },
    { get: (facts, name) => (name in facts ? facts[name as keyof typeof facts] : 'x') },
  );

/** The commands that a text tells: in quotation marks, or to its end. */
const commandsIn = (text: string): string[] => [
  ...[...text.matchAll(/"(bursar [^"]+)"/g)].map(([, command = '']) => command),
  ...[...text.matchAll(/: (bursar .+)$/g)].map(([, command = '']) => command),
];

/** Reads a command line as the program does; throws what it finds wrong. */
async function parse(command: string): Promise<number> {
  const { world } = fakeWorld({ cwd: '/nowhere' });
  let ran = 0;
  const program = createProgram(world, async () => void (ran += 1));
  await program.parseAsync(command.split(' ').slice(1), { from: 'user' });
  return ran;
}

const codes = Object.keys(SCHEDULE_ERRORS) as ErrorCode[];

describe('the commands in errors of schedules', () => {
  const told = codes.flatMap((code) =>
    // Only a run that is taken may have no batch.
    [
      {},
      { mayRepeat: false },
      ...(code === 'SCHEDULE_RUN_TAKEN' ? [{ batchId: null }] : []),
    ].flatMap((more) => {
      const { what, why, fix } = noteOf(code, factsWith(more) as never);
      return [what, why, fix].flatMap(commandsIn).map((command) => ({ code, command }));
    }),
  );
  const each = [...new Map(told.map((one) => [`${one.code} ${one.command}`, one])).values()];

  it.each(each)('are valid as printed: $code, $command', async ({ command }) => {
    // TIME, TEXT and FILE are for whoever reads it to choose.
    expect(command).not.toMatch(/\b(?:ID|BATCH)\b|undefined|null/);
    expect(await parse(command)).toBe(1);
  });

  it('are those of every run that may be started again', () => {
    const trigger = 'bursar schedule trigger rent --run 2026-11-21T09:00 --reason TEXT';
    const again = new Set(
      each.filter(({ command }) => command === trigger).map(({ code }) => code),
    );
    expect(again).toEqual(
      new Set([
        ...['SCHEDULE_FILE_MISSING', 'SCHEDULE_FILE_SEVERAL', 'SCHEDULE_FILE_OUTSIDE'],
        ...['SCHEDULE_FILE_UNCHANGED', 'SCHEDULE_RUN_EARLY', 'SCHEDULE_RUN_MISSED'],
        ...['SCHEDULE_RUN_STOPPED', 'SCHEDULE_BATCH_REJECTED'],
      ]),
    );
  });
});
