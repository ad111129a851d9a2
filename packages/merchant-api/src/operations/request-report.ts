import { z } from 'zod';
import type { AccountCallOptions, Send } from '../call.ts';
import { writeJson } from '../json/write-json.ts';
import { type OpenValue, readOpenValue } from '../records/open-value.ts';
import { checkInput, requiredText } from '../request/check-input.ts';
import type { Answer } from '../response/conclude.ts';
import { parseOffset } from '../zone/offset.ts';
import { buildZoneOffset, type SpanS } from '../zone/zone-offset.ts';

/** What a report is to cover. Spec: "Report request". */
export type ReportInput = Readonly<{
  /** ISO 8601 date and time with an offset. */
  firstDate: string;
  /** ISO 8601 date and time with an offset; not before `firstDate`. */
  lastDate: string;
  /** One text; how several blockchains are written in it is not shown. */
  blockchainList: string;
  /**
   * An offset such as `+02:00` or `Z`, or an IANA zone such as `Europe/Berlin`; with a zone the two
   * dates are at most `REPORT_ZONE_DAYS_MAX` days apart.
   */
  zone: string;
}>;

/** ASSUMED: the answer is not shown; whatever comes is kept. Null when nothing came. */
export type Report = Readonly<{ content: OpenValue }>;

/**
 * Days between the dates of a report in an IANA zone.
 * The offset of each of them is looked up: 100 years take about a tenth of a second.
 */
export const REPORT_ZONE_DAYS_MAX = 36_525;

const dateTime = z.iso.datetime({ offset: true });

const ReportSchema = z
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

type Dates = Pick<ReportInput, 'firstDate' | 'lastDate'>;

function isInOrder({ firstDate, lastDate }: Dates): boolean {
  return Date.parse(firstDate) <= Date.parse(lastDate);
}

function isShortForItsZone({ zone, ...dates }: Dates & { zone: string }): boolean {
  const { firstS, lastS } = spanOf(dates);
  return parseOffset(zone) !== undefined || lastS - firstS <= REPORT_ZONE_DAYS_MAX * 86_400;
}

const spanOf = ({ firstDate, lastDate }: Dates): SpanS => ({
  firstS: Math.floor(Date.parse(firstDate) / 1_000),
  lastS: Math.floor(Date.parse(lastDate) / 1_000),
});

/** Asks for a report. Spec: "Report request"; its path and its answer are ASSUMED. */
export const requestReport =
  (send: Send) =>
  async (input: ReportInput, call: AccountCallOptions = {}): Promise<Answer<Report>> =>
    send(
      {
        operation: 'REPORT',
        payloadText: writeJson(checkInput('REPORT', ReportSchema, input)),
        anyShape: true,
        read: (json) => ({ content: readOpenValue(json) }),
      },
      call,
    );
