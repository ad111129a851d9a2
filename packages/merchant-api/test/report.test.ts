import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { formatOffset, parseOffset } from '../src/zone/offset.ts';
import { openZone } from '../src/zone/zone-clock.ts';
import { openClient, openServer } from './support/fixtures.ts';
import { answering, type RawServer } from './support/raw-server.ts';

/**
 * What `java.time` says, of OpenJDK 17.0.15 with the zones of 2025a: `ZoneRules.nextTransition`
 * from the first date to the last. Only zones and years that have not been revised since.
 */
const FIXTURE = new URL('support/zone-transitions.json', import.meta.url);

type Span = Readonly<{ zone: string; firstDate: string; lastDate: string }>;
type Expected = Span & Readonly<{ totalSeconds: number; id: string; transitions: string[] }>;

const EXACT = { durationEstimated: false, timeBased: true, dateBased: false };

type Transition = Readonly<{
  overlap: boolean;
  gap: boolean;
  dateTimeAfter: string;
  dateTimeBefore: string;
  instant: string;
  duration: { seconds: number; negative: boolean };
}>;
type ZoneOffset = Readonly<{
  totalSeconds: number;
  id: string;
  rules: { fixedOffset: boolean; transitions: Transition[]; transitionRules: unknown[] };
}>;

/** The `zoneOffset` that goes over the wire. */
async function sentFor(server: RawServer, span: Span): Promise<ZoneOffset> {
  await openClient(server.url).requestReport({ ...span, blockchainList: 'TRON' });
  return JSON.parse(server.requests.at(-1)?.body ?? '').payload.zoneOffset;
}

const openReports = (): Promise<RawServer> => openServer({ onRequest: answering({}) });

const written = ({ gap, overlap, ...transition }: Transition): string => {
  const { dateTimeBefore, dateTimeAfter, instant, duration } = transition;
  const kind = `${gap ? 'gap' : ''}${overlap ? 'overlap' : ''}`;
  const sign = duration.negative ? ' negative' : '';
  return `${kind} ${dateTimeBefore} ${dateTimeAfter} ${instant} ${duration.seconds}${sign}`;
};

describe('the zone of a report', () => {
  let expected: Expected[] = [];
  beforeAll(async () => {
    expected = JSON.parse(await readFile(FIXTURE, 'utf8'));
  });

  it('is what java.time makes of it', async () => {
    const server = await openReports();
    const sent: Expected[] = [];
    for (const { zone, firstDate, lastDate } of expected) {
      const span = { zone, firstDate, lastDate };
      const { totalSeconds, id, rules } = await sentFor(server, span);
      sent.push({ ...span, totalSeconds, id, transitions: rules.transitions.map(written) });
    }
    expect(sent).toEqual(expected);
    expect(expected.flatMap(({ transitions }) => transitions).length).toBeGreaterThan(100);
  });

  it('is sent with every field that is documented', async () => {
    const zoneOffset = await sentFor(await openReports(), {
      zone: 'Europe/Berlin',
      firstDate: '2024-01-01T00:00:00+01:00',
      lastDate: '2024-12-31T23:59:59.999+01:00',
    });
    expect(zoneOffset).toEqual({
      totalSeconds: 3_600,
      id: '+01:00',
      rules: {
        fixedOffset: false,
        transitions: [
          {
            overlap: false,
            gap: true,
            dateTimeAfter: '2024-03-31T03:00:00',
            dateTimeBefore: '2024-03-31T02:00:00',
            instant: '2024-03-31T01:00:00Z',
            duration: {
              seconds: 3_600,
              nano: 0,
              zero: false,
              negative: false,
              units: [EXACT, EXACT],
            },
          },
          {
            overlap: true,
            gap: false,
            dateTimeAfter: '2024-10-27T02:00:00',
            dateTimeBefore: '2024-10-27T03:00:00',
            instant: '2024-10-27T01:00:00Z',
            duration: {
              seconds: -3_600,
              nano: 0,
              zero: false,
              negative: true,
              units: [EXACT, EXACT],
            },
          },
        ],
        transitionRules: [],
      },
    });
  });

  it.each([
    ['Z', 0, 'Z'],
    ['+00:00', 0, 'Z'],
    ['-00:00', 0, 'Z'],
    ['+02:00', 7_200, '+02:00'],
    ['-00:30', -1_800, '-00:30'],
    ['+05:45', 20_700, '+05:45'],
    ['-00:44:30', -2_670, '-00:44:30'],
    ['+18:00', 64_800, '+18:00'],
    ['UTC', 0, 'Z'],
    ['Asia/Kolkata', 19_800, '+05:30'],
    ['Etc/GMT+5', -18_000, '-05:00'],
  ])('%s has a fixed offset', async (zone, totalSeconds, id) => {
    const dates = { firstDate: '2024-01-01T00:00:00Z', lastDate: '2024-12-31T00:00:00Z' };
    expect(await sentFor(await openReports(), { zone, ...dates })).toEqual({
      totalSeconds,
      id,
      rules: { fixedOffset: true, transitions: [], transitionRules: [] },
    });
  });

  it('goes from offset to offset and leaves out no transition', async () => {
    const server = await openReports();
    const zone = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Africa/Casablanca');
    const at = fc.integer({ min: 0, max: Date.parse('2060-01-01T00:00:00Z') / 1_000 });
    await fc.assert(
      fc.asyncProperty(zone, at, fc.nat(5 * 366 * 86_400), async (name, firstS, lengthS) => {
        const [firstDate, lastDate] = [isoOf(firstS), isoOf(firstS + lengthS)];
        const { totalSeconds, rules } = await sentFor(server, { zone: name, firstDate, lastDate });
        const offsetAt = openZone(name);
        expect(totalSeconds).toBe(offsetAt?.(firstS));
        let offsetS = totalSeconds;
        for (const { instant, duration, gap, overlap } of rules.transitions) {
          const atS = Date.parse(instant) / 1_000;
          expect(offsetAt?.(atS - 1)).toBe(offsetS);
          offsetS += duration.seconds;
          expect(offsetAt?.(atS)).toBe(offsetS);
          expect([gap, overlap]).toEqual([duration.seconds > 0, duration.seconds < 0]);
        }
        expect(offsetAt?.(firstS + lengthS)).toBe(offsetS);
        expect(rules.fixedOffset).toBe(rules.transitions.length === 0);
      }),
    );
  });
});

const isoOf = (atS: number): string => new Date(atS * 1_000).toISOString();

describe('an offset', () => {
  it('is written as it was read', () => {
    fc.assert(
      fc.property(fc.integer({ min: -64_800, max: 64_800 }), (offsetS) => {
        expect(parseOffset(formatOffset(offsetS))).toBe(offsetS === 0 ? 0 : offsetS);
      }),
    );
  });

  it.each(['', 'z', '+2:00', '02:00', '+02:00:60', '+18:01', '-19:00', '+02:00 ', '−02:00', 'UTC'])(
    'is not %j',
    (text) => {
      expect(parseOffset(text)).toBeUndefined();
    },
  );
});
