import type { AdminFates } from '@bursar/sandbox/admin';
import { flag } from '../../operation-table/operation.ts';
import { list, type ListPrintout, type ListView } from '../../operation-table/printout.ts';
import { readJsonFile } from '../../sandbox/json-file.ts';
import { text } from './fields.ts';
import { sandboxOperation } from './operations.ts';

const FATE_VIEW: ListView<AdminFates['fates'][number]> = {
  schema: 'bursar.sandbox-fates/v1',
  array: 'fates',
  lineSchema: 'bursar.sandbox-fate/v1',
  columns: [
    { title: 'FATE', width: 22, cell: (of) => of.fate },
    { title: 'MATCH', width: 0, cell: (of) => JSON.stringify(of.match) },
  ],
};

const fatesList = ({ fates, ...about }: AdminFates): ListPrintout<object> =>
  list(FATE_VIEW, fates, { about });

/** A list of rules, as in the setting, or the JSON of `fates list`. */
const rulesIn = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'fates' in value ? value.fates : value;

/** The rules that decide the results of withdrawals. */
export const FATE_OPERATIONS = [
  sandboxOperation({
    name: 'fates list',
    isDefault: true,
    summary: 'list the rules in force (the default)',
    run: async (_given, sandbox) => fatesList(await sandbox.call('GET /fates')),
  }),
  sandboxOperation({
    name: 'fates set',
    summary: 'replace the rules by those of a file',
    fields: {
      file: flag('<file>', 'JSON: [{"match":{"position":5},"fate":"fee-too-low"}]; or -', text),
    },
    run: async ({ file }, sandbox, context) => {
      const fates = rulesIn(await readJsonFile(file, context));
      return fatesList(await sandbox.call('PUT /fates', { fates }));
    },
  }),
  sandboxOperation({
    name: 'fates reset',
    summary: 'give the rules back to the settings',
    run: async (_given, sandbox) => fatesList(await sandbox.call('PUT /fates', { fates: null })),
  }),
];
