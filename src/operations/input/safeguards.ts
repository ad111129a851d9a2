import { stopLossList } from '../../config/rules-schema.ts';
import { CHUNK_ROWS_MAX } from '../../domain/plan/limits.ts';
import { flagInvalid } from './flag-error.ts';

/** Reads `--canary`: the rows that must be paid before any other is sent, 0 for none. Throws FLAG_INVALID. */
export function readCanaryRows(text: string): number {
  const rows = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (rows <= CHUNK_ROWS_MAX) return rows;
  throw flagInvalid('--canary', `"${text}" is not a number of rows from 0 to ${CHUNK_ROWS_MAX}`);
}

/** The value of `--stop-loss` that switches the stop loss of the settings off. */
const NO_STOP_LOSS = 'none';

/** Reads `--stop-loss`: `5%`, `1000:USDT_TRC20`, several with commas, or none; as the setting is read. Throws FLAG_INVALID. */
export function readStopLoss(text: string): readonly string[] {
  if (text === NO_STOP_LOSS) return [];
  const { success, data } = stopLossList.safeParse(text);
  if (success && data.length > 0) return data;
  const rule = 'percentages such as 5% and amounts such as 1000:USDT_TRC20, with commas, or none';
  throw flagInvalid('--stop-loss', `"${text}" is not ${rule}`);
}
