import { expect, it } from '@jest/globals';
import {
  askedHoldOf,
  type Hold,
  type HoldKind,
  waitsForPerson,
} from '../../../src/domain/holds/hold.ts';

const holdOf = (kind: HoldKind, n: number): Hold => ({
  n,
  kind,
  reason: 'because',
  by: 'Bursar',
  facts: {},
  since: '2026-11-21T08:00:00.000Z',
});

it.each<[HoldKind[], boolean, HoldKind | undefined, boolean]>([
  [[], false, undefined, false],
  [['PAUSE'], false, undefined, false],
  [['PAUSE', 'CANARY', 'BALANCE'], false, 'CANARY', true],
  [['CANARY'], true, 'CANARY', false],
  [['BALANCE'], true, 'BALANCE', true],
  [['PAUSE', 'CANARY', 'BALANCE'], true, 'BALANCE', true],
])(
  'of the holds %j of a batch (stopped: %s) people decide about %s first',
  (kinds, isStopped, asked, waits) => {
    const holds = kinds.map((kind, i) => holdOf(kind, i + 1));
    expect(askedHoldOf(holds, isStopped)?.kind).toBe(asked);
    expect(waitsForPerson(holds, isStopped)).toBe(waits);
  },
);
