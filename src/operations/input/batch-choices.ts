import { CHUNK_ROWS_MAX } from '../../domain/plan/limits.ts';
import { stopLossList } from '../../config/rules-schema.ts';
import { FINDINGS, isFindingCode } from '../../domain/plan/finding.ts';
import type { BatchOptions, SubmitterChoices } from '../../contract/batch.ts';
import type { Settings } from '../../config.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { statedForm } from '../../domain/rows/file-form.ts';
import { readBatchId } from '../../domain/batch/batch-id.ts';
import { readDurationMs } from './duration.ts';
import { type FormFlags, readFileForm } from './file-form.ts';
import { flagInvalid } from './flag-error.ts';
import { readInstantAhead } from './instant.ts';
import { readCurrency, readExpectedCount, readExpectedTotal } from './totals.ts';
import { withCommas } from '../../domain/text/counted.ts';

/** The flags that describe how any file is paid, as they were typed. */
export type PaymentFlags = FormFlags &
  Readonly<{
    currency?: string;
    skipInvalid?: boolean;
    expectCount?: string;
    expectTotal?: readonly string[];
    accept?: readonly string[];
    funds?: string;
    canary?: string;
    stopLoss?: string;
  }>;

/** The flags that describe a batch, as they were typed; `plan` and `submit` share them. */
export type BatchFlags = PaymentFlags &
  Readonly<{ id?: string; at?: string; executionDate?: string; beforeScheduled?: boolean }>;

/**
 * The choices of the submitter, checked; null where none was made. The other options of a batch come from the settings.
 */
export type BatchChoices = SubmitterChoices &
  Readonly<{
    id: string | null;
    canaryRows: number | null;
    stopLoss: readonly string[] | null;
  }>;

/** How long `--funds wait` waits for a top-up when it names no time: a day, in milliseconds. */
export const FUNDS_WAIT_MS_DEFAULT = 86_400_000;

/** Checks the flags of a batch. Throws the first usage error. */
export function readBatchChoices(flags: BatchFlags, nowMs: number): BatchChoices {
  if (flags.at !== undefined && flags.executionDate !== undefined) {
    throw new BursarError('AT_AND_EXECUTION_DATE', {});
  }
  const form = readFileForm(flags);
  return {
    id: flags.id === undefined ? null : readBatchId(flags.id),
    currency: flags.currency === undefined ? null : readCurrency(flags.currency),
    at: flags.at === undefined ? null : readInstantAhead('--at', flags.at, nowMs),
    executionDate:
      flags.executionDate === undefined
        ? null
        : readInstantAhead('--execution-date', flags.executionDate, nowMs),
    skipInvalid: flags.skipInvalid ?? false,
    expectCount: flags.expectCount === undefined ? null : readExpectedCount(flags.expectCount),
    expectTotals: (flags.expectTotal ?? []).map(readExpectedTotal),
    accept: readAccepted(flags.accept ?? []),
    fundsWaitMs: readFunds(flags.funds ?? 'fail'),
    canaryRows: flags.canary === undefined ? null : readCanaryRows(flags.canary),
    stopLoss: flags.stopLoss === undefined ? null : readStopLoss(flags.stopLoss),
    beforeScheduled: flags.beforeScheduled ?? false,
    ...(form === undefined ? {} : { form }),
  };
}

function readFunds(text: string): number | null {
  if (text === 'fail') return null;
  if (text === 'wait') return FUNDS_WAIT_MS_DEFAULT;
  const [, duration] = /^wait:(.*)$/.exec(text) ?? [];
  if (duration !== undefined) return readDurationMs('--funds', duration);
  throw flagInvalid('--funds', `"${text}" is not fail, wait or wait:DURATION`);
}

/** All options of a batch: the choices first, then the settings. */
export function batchOptionsOf(choices: BatchChoices, { batch, poll }: Settings): BatchOptions {
  const { id: _, canaryRows, stopLoss, form: given, ...chosen } = choices;
  const form = given === undefined ? undefined : statedForm(given);
  return {
    ...chosen,
    ...(form === undefined ? {} : { form }),
    ...batch,
    canaryRows: canaryRows ?? batch.canaryRows,
    stopLoss: stopLoss ?? batch.stopLoss,
    pollMinMs: poll.minMs,
    pollMaxMs: poll.maxMs,
    expectedDigest: null,
  };
}

/** Reads the codes of `--accept`, given several times or with commas. Throws FLAG_INVALID for one that is no finding. */
export function readAccepted(texts: readonly string[]): string[] {
  const codes = texts
    .flatMap((text) => text.split(','))
    .map((code) => code.trim())
    .filter((code) => code !== '');
  const unknown = codes.find((code) => !isFindingCode(code));
  if (unknown === undefined) return [...new Set(codes)];
  const known = Object.keys(FINDINGS).join(', ');
  throw flagInvalid('--accept', `"${unknown}" is no finding; known are ${known}`);
}

/** Reads `--canary`: the rows that must be paid before any other is sent, 0 for none. Throws FLAG_INVALID. */
function readCanaryRows(text: string): number {
  const rows = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (rows <= CHUNK_ROWS_MAX) return rows;
  throw flagInvalid(
    '--canary',
    `"${text}" is not a number of rows from 0 to ${withCommas(CHUNK_ROWS_MAX)}`,
  );
}

/** The value of `--stop-loss` that switches the stop loss of the settings off. */
const NO_STOP_LOSS = 'none';

/** Reads `--stop-loss`: `5%`, `1000:USDT_TRC20`, several with commas, or none; as the setting is read. Throws FLAG_INVALID. */
function readStopLoss(text: string): readonly string[] {
  if (text === NO_STOP_LOSS) return [];
  const { success, data } = stopLossList.safeParse(text);
  if (success && data.length > 0) return data;
  const rule = 'percentages such as 5% and amounts such as 1000:USDT_TRC20, with commas, or none';
  throw flagInvalid('--stop-loss', `"${text}" is not ${rule}`);
}
