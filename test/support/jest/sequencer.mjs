import Sequencer from '@jest/test-sequencer';

/**
 * The files of both layers that take longest, the longest first: the slow layer from about 70 seconds, the fast one from 25.
 * jest begins with large files where it has not seen a run yet, as in CI, and these are small: one that began last would run
 * alone for minutes.
 */
export const LONGEST = [
  'test/scenarios/kill-points',
  'test/scenarios/service-modes',
  'packages/merchant-api/test/installed',
  'test/docs/run-book',
  'test/scenarios/restored-store',
  'test/scenarios/schedules-down',
  'packages/conformance/test/wrong-services',
  'test/scenarios/recover',
  'test/scenarios/garbage',
  'test/scenarios/lost-store',
  'test/scenarios/ambiguous-creates',
  'test/scenarios/repeated-keys',
  'test/scenarios/schedules-due',
  'test/sim/laws',
  'test/scenarios/other-store',
  'test/scenarios/recover-older-copy',
  'test/scenarios/service-clocks',
  'test/scenarios/stop-and-wait',
  'test/scenarios/broken-assumptions',
  'test/scenarios/idempotency-modes',
  'test/scenarios/holds',
  'test/scenarios/forged-webhooks',
  'test/scenarios/partitions',
  'test/scenarios/network-faults',
  'test/scenarios/canaries',
  'test/ingest/large-file',
  'test/scenarios/matrix',
  'test/scenarios/other-servers',
  'test/scenarios/kill',
  'test/scenarios/approvals',
  'test/scenarios/resend',
  'packages/sandbox/test/commands',
  'test/replay/replay',
  'test/operations/engine/temporal-engine',
  'test/ingest/hostile/bounds',
  'test/bridge/main',
  'test/cli/schedule',
].map((name) => `${name}.test.ts`);

const rankOf = ({ path }) => {
  const rank = LONGEST.findIndex((name) => path.endsWith(`/${name}`));
  return rank === -1 ? LONGEST.length : rank;
};

export default class LongestFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}
