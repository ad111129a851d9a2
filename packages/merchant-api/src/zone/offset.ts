/** An offset as `java.time.ZoneOffset` writes it. */
const OFFSET = /^([+-])(\d{2}):([0-5]\d)(?::([0-5]\d))?$/;

/** Java's bound of an offset, in both directions, in seconds: 18 hours. */
const OFFSET_S_MAX = 64_800;

/** Reads `Z`, `+02:00` or `-00:44:30` as seconds east of UTC; undefined for anything else. */
export function parseOffset(text: string): number | undefined {
  if (text === 'Z') return 0;
  const [, sign, hours, minutes, seconds = '00'] = OFFSET.exec(text) ?? [];
  if (hours === undefined || minutes === undefined) return undefined;
  const totalS = toInt(hours) * 3_600 + toInt(minutes) * 60 + toInt(seconds);
  if (totalS > OFFSET_S_MAX) return undefined;
  return sign === '-' && totalS !== 0 ? -totalS : totalS;
}

/** Writes seconds east of UTC as `java.time.ZoneOffset` does: `Z`, `+02:00`, `-00:44:30`. */
export function formatOffset(offsetS: number): string {
  if (offsetS === 0) return 'Z';
  const totalS = Math.abs(offsetS);
  const parts = [Math.floor(totalS / 3_600), Math.floor(totalS / 60) % 60];
  if (totalS % 60 !== 0) parts.push(totalS % 60);
  return (offsetS < 0 ? '-' : '+') + parts.map((part) => String(part).padStart(2, '0')).join(':');
}

const toInt = (digits: string): number => Number.parseInt(digits, 10);
