import { type JsonValue, jsonInteger } from '../json/write-json.ts';
import { formatOffset, parseOffset } from './offset.ts';
import { findTransitions, type Transition } from './transitions.ts';
import { openZone } from './zone-clock.ts';

/** A span of Unix time in whole seconds. */
export type SpanS = Readonly<{ firstS: number; lastS: number }>;

/**
 * Builds the `zoneOffset` of a report request, as Java writes a `ZoneOffset` with its rules:
 * undefined for a text that is neither an offset nor a zone. Spec: "Report request".
 *
 * ASSUMED: for a zone, whose offset moves, `totalSeconds` and `id` are the offset at the first
 * date, and the rules hold the transitions after it up to the last date.
 */
export function buildZoneOffset(zone: string, span: SpanS): JsonValue | undefined {
  const fixedS = parseOffset(zone);
  if (fixedS !== undefined) return zoneOffsetOf(fixedS, []);
  const offsetAt = openZone(zone);
  if (offsetAt === undefined) return undefined;
  return zoneOffsetOf(offsetAt(span.firstS), findTransitions(offsetAt, span));
}

const zoneOffsetOf = (totalSeconds: number, transitions: readonly Transition[]): JsonValue => ({
  totalSeconds: jsonInteger(totalSeconds),
  id: formatOffset(totalSeconds),
  rules: {
    // As Java defines it: rules without a transition are those of a fixed offset.
    fixedOffset: transitions.length === 0,
    transitions: transitions.map(transitionOf),
    // ASSUMED: rules are about the years after the last listed transition. The report ends before,
    // so it needs none.
    transitionRules: [],
  },
});

function transitionOf({ atS, beforeS, afterS }: Transition): JsonValue {
  return {
    overlap: afterS < beforeS,
    gap: afterS > beforeS,
    dateTimeAfter: localText(atS + afterS),
    dateTimeBefore: localText(atS + beforeS),
    instant: `${localText(atS)}Z`,
    duration: {
      seconds: jsonInteger(afterS - beforeS),
      nano: jsonInteger(0),
      zero: false,
      negative: afterS < beforeS,
      units: DURATION_UNITS,
    },
  };
}

const EXACT_TIME_UNIT = { durationEstimated: false, timeBased: true, dateBased: false };

/** Of every `java.time.Duration`: seconds and nanoseconds. */
const DURATION_UNITS = [EXACT_TIME_UNIT, EXACT_TIME_UNIT];

/** ASSUMED: local dates and times are written as Java does, without an offset. */
const localText = (localS: number): string =>
  new Date(localS * 1_000).toISOString().slice(0, 'YYYY-MM-DDThh:mm:ss'.length);
