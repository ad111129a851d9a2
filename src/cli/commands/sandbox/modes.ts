import type { AdminModes, AdminModeValue, AdminModeValues } from '@bursar/sandbox/admin';
import { flagInvalid } from '../../../operations/input/flag-error.ts';
import { flag } from '../../operation-table/operation.ts';
import type { Printout } from '../../operation-table/printout.ts';
import type { SandboxClient } from '../../sandbox/client.ts';
import { printable } from '../../terminal/printable.ts';
import { factLines } from '../../terminal/table.ts';
import { readPairs, text } from './fields.ts';
import { sandboxOperation, sandboxRecord } from './operations.ts';

const SCHEMA = 'bursar.sandbox-modes/v1';

const modeText = (value: AdminModeValue | undefined): string => printable(String(value ?? 'none'));

/** Every mode on a line, for people. */
export const modeLines = ({ modes, overrides }: AdminModes): string[] =>
  factLines(
    Object.entries(modes).map(([name, value]) => {
      const shown = modeText(value);
      return [printable(name), Object.hasOwn(overrides, name) ? `${shown}  (set here)` : shown];
    }),
  );

/** Changes some modes and keeps the others. */
export async function setModes(
  sandbox: SandboxClient,
  changes: AdminModeValues,
): Promise<AdminModes> {
  const { overrides } = await sandbox.call('GET /modes');
  return sandbox.call('PUT /modes', { ...overrides, ...changes });
}

const unknownMode = (name: string, modes: AdminModeValues) =>
  flagInvalid(name, `there is no such mode; known are ${Object.keys(modes).join(', ')}`);

/** The present value of a mode gives its type: a word, or a number that may be without a limit (`none`). */
function modeOfText(typed: string, now: AdminModeValue): AdminModeValue {
  if (typeof now === 'string') return typed;
  if (typed === 'none') return null;
  return /^\d{1,12}$/.test(typed) ? Number(typed) : typed;
}

type Changes = Readonly<{ before: AdminModeValues; shown: AdminModes; names: readonly string[] }>;

/** For people, the modes that they named; for programs, all of them. */
function changesPrintout({ before, shown, names }: Changes): Printout {
  const changes = names.map((name) => {
    const [was, is] = [before[name], shown.modes[name]].map(modeText);
    return [printable(name), was === is ? `${is}, as before` : `${is}, was ${was}`] as const;
  });
  const lines = changes.length === 0 ? ['No mode was set here.'] : factLines(changes);
  const shownText = [...lines, 'All modes: bursar sandbox modes show'].join('\n');
  return { schema: SCHEMA, record: shown, text: shownText };
}

/** The modes of the sandbox. */
export const MODE_OPERATIONS = [
  sandboxRecord({
    name: 'modes show',
    isDefault: true,
    summary: 'show every mode (the default)',
    endpoint: 'GET /modes',
    schema: SCHEMA,
    text: (record) => modeLines(record).join('\n'),
  }),
  sandboxOperation({
    name: 'modes set',
    summary: 'change some modes and leave the others',
    fields: {
      pairs: flag(
        '<name=value...>',
        'such as idempotency=reject-409 lookupLagMs=5000',
        text.array(),
      ),
    },
    async run({ pairs }, sandbox) {
      const given = readPairs('NAME=VALUE', pairs);
      const { modes } = await sandbox.call('GET /modes');
      const changes = Object.entries(given).map(([name, value]) => {
        const now = modes[name];
        if (now === undefined) throw unknownMode(name, modes);
        return [name, modeOfText(value, now)] as const;
      });
      const shown = await setModes(sandbox, Object.fromEntries(changes));
      return changesPrintout({ before: modes, shown, names: Object.keys(given) });
    },
  }),
  sandboxOperation({
    name: 'modes reset',
    summary: 'give modes back to the settings',
    fields: { names: flag('[name...]', 'some modes; without them all of them', text.array()) },
    async run({ names }, sandbox) {
      const { modes, overrides } = await sandbox.call('GET /modes');
      if (names.length === 0) {
        const shown = await sandbox.call('PUT /modes', {});
        return changesPrintout({ before: modes, shown, names: Object.keys(overrides) });
      }
      const unknown = names.find((name) => modes[name] === undefined);
      if (unknown !== undefined) throw unknownMode(unknown, modes);
      const left = Object.entries(overrides).filter(([name]) => !names.includes(name));
      const shown = await sandbox.call('PUT /modes', Object.fromEntries(left));
      return changesPrintout({ before: modes, shown, names });
    },
  }),
];
