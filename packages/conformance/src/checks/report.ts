import { type ConformanceCheck, notShown } from '../check.ts';
import { demandFor, namesIn, own } from '../expect.ts';
import * as kinds from '../kinds.ts';
import { type Json, requestFields } from '../request-fields.ts';
import type { CheckRun } from '../run.ts';
import { someBlockchain } from '../scenarios/lists.ts';
import type { ServiceAnswer } from '../service.ts';

const ABOUT = { section: 'Report request', id: 'report.request' } as const;

const REPORT = { words: 'a report', checkedBy: 'report.answer' };

const MONTHS = [
  ...['JANUARY', 'FEBRUARY', 'MARCH', 'APRIL', 'MAY', 'JUNE'],
  ...['JULY', 'AUGUST', 'SEPTEMBER', 'OCTOBER', 'NOVEMBER', 'DECEMBER'],
];
const DAYS = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'];
const TIME_DEFINITIONS = ['UTC', 'WALL', 'STANDARD'];

/** The end of summer time, with every documented field. */
const TRANSITION = {
  overlap: true,
  gap: false,
  dateTimeAfter: '2026-10-25T02:00:00Z',
  dateTimeBefore: '2026-10-25T03:00:00Z',
  instant: '2026-10-25T01:00:00Z',
  duration: {
    seconds: -3600,
    nano: 0,
    zero: false,
    negative: true,
    units: [{ durationEstimated: false, timeBased: true, dateBased: false }],
  },
};

const RULE = {
  month: 'OCTOBER',
  timeDefinition: 'UTC',
  dayOfWeek: 'SUNDAY',
  dayOfMonthIndicator: -1,
  localTime: { hour: 1, minute: 0, second: 0, nano: 0 },
  midnightEndOfDay: false,
};

const sample = async (run: CheckRun): Promise<Json> => ({
  firstDate: '2026-10-01T00:00:00Z',
  lastDate: '2026-11-01T00:00:00Z',
  blockchainList: await someBlockchain(run),
  zoneOffset: {
    totalSeconds: 7_200,
    id: '+02:00',
    rules: {
      fixedOffset: false,
      transitions: [TRANSITION],
      transitionRules: [RULE],
    },
  },
});

const ask = async ({ service }: CheckRun, payload: Json): Promise<ServiceAnswer> =>
  demandFor(await service.send('REPORT', { payload }), REPORT);

const under = (path: string, fields: Readonly<Record<string, kinds.FieldKind>>) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, kind]) => [`${path}.${name}`, kinds.optional(kind)]),
  );

const RULES = 'zoneOffset.rules';
const TRANSITIONS = `${RULES}.transitions.0`;
const TRANSITION_RULES = `${RULES}.transitionRules.0`;

const FIELDS: Readonly<Record<string, kinds.FieldKind>> = {
  firstDate: kinds.dateTime,
  lastDate: kinds.dateTime,
  blockchainList: kinds.text,
  zoneOffset: kinds.object,
  ...under('zoneOffset', {
    totalSeconds: kinds.integer,
    id: kinds.text,
    rules: kinds.object,
  }),
  ...under(RULES, {
    fixedOffset: kinds.boolean,
    transitions: kinds.list,
    transitionRules: kinds.list,
  }),
  ...under(TRANSITIONS, {
    overlap: kinds.boolean,
    gap: kinds.boolean,
    dateTimeAfter: kinds.dateTime,
    dateTimeBefore: kinds.dateTime,
    instant: kinds.dateTime,
    duration: kinds.object,
  }),
  ...under(`${TRANSITIONS}.duration`, {
    seconds: kinds.integer,
    nano: kinds.integer,
    zero: kinds.boolean,
    negative: kinds.boolean,
    units: kinds.list,
  }),
  ...under(`${TRANSITIONS}.duration.units.0`, {
    durationEstimated: kinds.boolean,
    timeBased: kinds.boolean,
    dateBased: kinds.boolean,
  }),
  ...under(TRANSITION_RULES, {
    month: kinds.oneOf('JANUARY to DECEMBER', MONTHS),
    timeDefinition: kinds.oneOf(TIME_DEFINITIONS.join(', '), TIME_DEFINITIONS),
    dayOfWeek: kinds.oneOf('MONDAY to SUNDAY', DAYS),
    dayOfMonthIndicator: kinds.integer,
    localTime: kinds.object,
    midnightEndOfDay: kinds.boolean,
  }),
  ...under(`${TRANSITION_RULES}.localTime`, {
    hour: kinds.integer,
    minute: kinds.integer,
    second: kinds.integer,
    nano: kinds.integer,
  }),
};

export const reportChecks: readonly ConformanceCheck[] = [
  ...requestFields({
    ...ABOUT,
    checkedBy: REPORT.checkedBy,
    request: 'Report request',
    operation: 'REPORT',
    needs: [],
    sample,
    fields: FIELDS,
  }),
  {
    ...ABOUT,
    id: 'report.zoneOffset.values',
    sentence: 'Every month, day of week and time definition is accepted.',
    needs: ['REPORT'],
    try: async (run) => {
      const payload = await sample(run);
      const rules = [
        ...MONTHS.map((month) => ({ ...RULE, month })),
        ...DAYS.map((dayOfWeek) => ({ ...RULE, dayOfWeek })),
        ...TIME_DEFINITIONS.map((timeDefinition) => ({
          ...RULE,
          timeDefinition,
        })),
      ];
      const asked = ask(run, {
        ...payload,
        zoneOffset: {
          ...(payload['zoneOffset'] as Json),
          rules: {
            fixedOffset: false,
            transitions: [],
            transitionRules: rules,
          },
        },
      });
      await own(asked);
      return { kind: 'met' };
    },
  },
  {
    ...ABOUT,
    id: 'report.answer',
    section: 'Endpoints',
    sentence: 'A report can be requested. (Its response: not shown.)',
    needs: ['REPORT'],
    try: async (run) => notShown(`it has ${namesIn((await ask(run, await sample(run))).json)}`),
  },
];
