import { z } from 'zod';
import { parseOffset } from '../zone/offset.ts';
import { buildZoneOffset, type SpanS } from '../zone/zone-offset.ts';
import { type InputSchema, requiredText } from './check-input.ts';

/** Range and blockchains of a report. Spec: "Report request". */
export type ReportInput = {
  /** Start of the range: ISO 8601 date and time with an offset, such as `2026-10-01T00:00:00Z`. */
  readonly firstDate: string;
  /** End of the range: ISO 8601 date and time with an offset; not before `firstDate`. */
  readonly lastDate: string;
  /** Blockchains of the report, in one text. The spec does not show how to write several. */
  readonly blockchainList: string;
  /**
   * An offset such as `+02:00` or `Z`, or an IANA zone such as `Europe/Berlin`. The client makes
   * `zoneOffset` of the spec from it. With a zone, the two dates are at most
   * `REPORT_ZONE_DAYS_MAX` days apart.
   */
  readonly zone: string;
};

/**
 * Largest number of days between the dates of a report in an IANA zone.
 * The client computes the offset of each day: 100 years take about a tenth of a second.
 */
export const REPORT_ZONE_DAYS_MAX = 36_525;

const dateTime = z.iso.datetime({ offset: true });

export const ReportSchema: InputSchema<ReportInput> = z
  .strictObject({
    firstDate: dateTime,
    lastDate: dateTime,
    blockchainList: requiredText,
    zone: z.string(),
  })
  .refine(isInOrder, 'lastDate is before firstDate')
  .refine(isShortForItsZone, `a zone takes dates at most ${REPORT_ZONE_DAYS_MAX} days apart`)
  .transform(({ zone, ...dates }, context) => {
    const zoneOffset = buildZoneOffset(zone, spanOf(dates));
    if (zoneOffset !== undefined) return { ...dates, zoneOffset };
    context.addIssue({ code: 'custom', path: ['zone'], message: 'neither an offset nor a zone' });
    return z.NEVER;
  });

type ReportDates = Readonly<{ firstDate: string; lastDate: string }>;

function isInOrder({ firstDate, lastDate }: ReportDates): boolean {
  return Date.parse(firstDate) <= Date.parse(lastDate);
}

function isShortForItsZone({ zone, ...dates }: ReportDates & { zone: string }): boolean {
  const { firstS, lastS } = spanOf(dates);
  return parseOffset(zone) !== undefined || lastS - firstS <= REPORT_ZONE_DAYS_MAX * 86_400;
}

const spanOf = ({ firstDate, lastDate }: ReportDates): SpanS => ({
  firstS: Math.floor(Date.parse(firstDate) / 1_000),
  lastS: Math.floor(Date.parse(lastDate) / 1_000),
});
