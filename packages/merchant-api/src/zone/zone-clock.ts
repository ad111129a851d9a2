import { parseOffset } from './offset.ts';

/** The offset of a zone at an instant: both in seconds, of Unix time and east of UTC. */
export type OffsetAt = (atS: number) => number;

/**
 * Reads the offsets of an IANA zone such as `Europe/Berlin` from the zone data of Node.js. Undefined
 * for a zone that is not in it.
 */
export function openZone(zone: string): OffsetAt | undefined {
  // From Node.js 22 on, `Intl` reads `+02` and `+0200` too, which are offsets in a form that the
  // service does not use.
  if (/^[+-]/.test(zone)) return undefined;
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  } catch {
    // A RangeError: with these options only the zone can be wrong.
    return undefined;
  }
  return (atS) => readOffset(format.format(atS * 1_000));
}

/** Written as in `12/31/1969, GMT-00:44:30`, where `GMT+00:00` may be `GMT`. */
function readOffset(text: string): number {
  const name = text.slice(text.indexOf('GMT') + 'GMT'.length);
  const offsetS = parseOffset(name === '' ? 'Z' : name);
  if (offsetS === undefined) throw new Error('Intl writes an offset in an unknown way');
  return offsetS;
}
