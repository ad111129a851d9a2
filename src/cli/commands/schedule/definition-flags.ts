import { type Shift, SHIFTS } from '../../../domain/schedule/timing.ts';
import {
  type BatchFlags,
  type PaymentFlags,
  readBatchChoices,
} from '../../../operations/input/batch-choices.ts';
import { readDurationMs } from '../../../operations/input/duration.ts';
import { flagInvalid } from '../../../operations/input/flag-error.ts';
import {
  contradictionIn,
  type DefinitionField,
  type DefinitionWish,
  type DraftWish,
} from '../../../operations/schedule/define.ts';
import type { Context } from '../../context.ts';
import { readHolidayFile } from './holiday-file.ts';

/** The flags of a schedule, as they were typed. */
export type DefinitionFlags = PaymentFlags &
  Readonly<{
    cron?: string;
    calendar?: string;
    timezone?: string;
    shift?: string;
    weekend?: string;
    holidays?: string;
    lead?: string;
    catchUp?: string;
    file?: string;
    allowUnchanged?: boolean;
  }>;

const FLAGS: Readonly<Record<DefinitionField, string>> = {
  cron: '--cron',
  calendar: '--calendar',
  weekend: '--weekend',
  holidays: '--holidays',
  shift: '--shift',
  catchUpMs: '--catch-up',
  allowUnchanged: '--allow-unchanged',
  accept: '--accept',
};

/** Reads the flags of a schedule. Throws the first usage error. */
export async function readDefinition(
  flags: DefinitionFlags,
  context: Context,
): Promise<DefinitionWish> {
  const { file, ...draft } = await readDraft(flags, context);
  if (file === undefined) throw flagInvalid('--file', 'is missing');
  return { ...draft, file };
}

/** {@link readDefinition} of a schedule that may have no file yet. */
export async function readDraft(flags: DefinitionFlags, context: Context): Promise<DraftWish> {
  const { cron, calendar, timezone, holidays, file } = flags;
  const given = { cron, calendar, weekend: flags.weekend?.split(','), file };
  const shift = readShift(flags.shift ?? 'none');
  if (timezone === undefined) {
    throw flagInvalid('--timezone', 'is missing; 09:00 is another moment in each zone');
  }
  const wish: DraftWish = {
    ...present(given),
    timezone,
    shift,
    leadMs: flags.lead === undefined ? 0 : readDurationMs('--lead', flags.lead),
    ...(flags.catchUp === undefined
      ? {}
      : { catchUpMs: readDurationMs('--catch-up', flags.catchUp) }),
    ...(holidays === undefined ? {} : { holidays: await readHolidayFile(holidays, context.cwd) }),
    allowUnchanged: flags.allowUnchanged ?? false,
    choices: readRunChoices(flags, context.clock.nowMs()),
  };
  const found = contradictionIn(wish, (field) => FLAGS[field]);
  if (found === null) return wish;
  const [field, problem] = found;
  throw flagInvalid(FLAGS[field], problem);
}

/** The fields that have a value. */
const present = <Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } =>
  // oxlint-disable-next-line no-unsafe-type-assertion
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>;
  };

/** A file's own flags, and none that would fix one batch: neither id nor time. */
function readRunChoices(flags: DefinitionFlags, nowMs: number) {
  const { currency, skipInvalid, expectCount, expectTotal, accept } = flags;
  const { funds, canary, stopLoss, sheet, decimalComma, column, ignoreColumn } = flags;
  const payment = { currency, skipInvalid, expectCount, expectTotal, accept };
  const more = { funds, canary, stopLoss, sheet, decimalComma, column, ignoreColumn };
  const batchFlags: BatchFlags = present({ ...payment, ...more });
  const all = readBatchChoices(batchFlags, nowMs);
  const { id: _id, at: _at, executionDate: _date, beforeScheduled: _before, ...choices } = all;
  return choices;
}

function readShift(text: string): Shift {
  const shift = SHIFTS.find((one) => one === text);
  if (shift !== undefined) return shift;
  throw flagInvalid('--shift', `"${text}" is none of ${SHIFTS.join(', ')}`);
}
