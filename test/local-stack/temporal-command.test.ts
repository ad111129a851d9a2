import { describe, expect, it } from '@jest/globals';
import { nativeArguments, readTemporalCommand } from '../../src/local-stack/temporal/command.ts';

const place = { ports: { grpc: 17233, ui: 18233 }, dbFile: '/tmp/a b/temporal.db' };
const yml = (lines: readonly string[]) =>
  `services:\n  temporal:\n    command:\n${lines.map((line) => `      - ${line}\n`).join('')}`;

describe('the command of temporal-dev.yml', () => {
  it('declares the search attributes that batches carry', () => {
    expect(Object.fromEntries(readTemporalCommand().searchAttributes)).toEqual({
      BursarBatch: 'Keyword',
      BursarState: 'Keyword',
      BursarCurrency: 'KeywordList',
      BursarRows: 'Int',
      BursarFailedRows: 'Int',
      BursarNeedsOperator: 'Bool',
      BursarHeld: 'Bool',
      BursarDueTime: 'Datetime',
    });
  });

  it('is the same for a native process, but for address, ports and database file', () => {
    const command = readTemporalCommand();
    const native = nativeArguments(command, place);
    expect(native.slice(0, 2)).toEqual(['server', 'start-dev']);
    expect(native).toHaveLength(command.arguments.length);
    const replaced = native.filter((argument, index) => argument !== command.arguments[index]);
    expect(replaced).toEqual([
      '--ip=127.0.0.1',
      '--port=17233',
      '--ui-port=18233',
      '--db-filename=/tmp/a b/temporal.db',
    ]);
  });

  it.each(['--ip=', '--port=', '--ui-port=', '--db-filename='])(
    'cannot be used natively without %s',
    (flag) => {
      const lines = readTemporalCommand().arguments.filter(
        (argument) => !argument.startsWith(flag),
      );
      const command = readTemporalCommand(yml(lines));
      expect(() => nativeArguments(command, place)).toThrow(`lacks ${flag}`);
    },
  );

  it('is refused when it is one text, which a shell would have to split', () => {
    expect(() =>
      readTemporalCommand('services: { temporal: { command: server start-dev } }'),
    ).toThrow();
  });
});
