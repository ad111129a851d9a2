import type { Stage } from '../stage.ts';
import { UsageError } from '../options.ts';
import { clusterLists } from './cluster.ts';
import { planDrill } from './drill.ts';
import type { FaultCounts, FaultList } from './fault.ts';
import { networkFaults } from './network.ts';
import { freezes, killOnAndOn, killsOf } from './processes.ts';
import { serviceFaults } from './service.ts';
import { serverFaults } from './server.ts';
import { storageFaults } from './storage.ts';
import { runTrack } from './tracks.ts';

/** Between two faults of one list, in milliseconds. Who is frozen or cut off too often never gets to what could go wrong. */
const PEACE_MS = {
  network: [2_000, 4_000],
  freezes: [6_000, 10_000],
  service: [200, 600],
  server: [7_000, 10_000],
} as const;

/** In a cluster one of each kind is lost once a minute; elsewhere everything goes wrong as often as a run can bear. */
const listsOf = (stage: Stage): readonly FaultList[] => {
  const { network, processes, random, server } = stage;
  if (stage.options.stack !== 'cluster') return chaosLists(stage);
  if (server === undefined || network.files === undefined) {
    throw new Error('a cluster has a database server and an object store');
  }
  const { service, files } = network;
  return clusterLists({ processes, random, server, service, files });
};

/** A fault of each list happens at a time, and something is killed now and then. */
const chaosLists = ({
  network,
  processes,
  names,
  desk,
  volume,
  server,
}: Stage): readonly FaultList[] => [
  {
    peaceMs: PEACE_MS.network,
    faults: [
      ...networkFaults('the service', network.service),
      ...networkFaults('Temporal', network.temporal, ['refuse', 'cut-answer', 'slow']),
      ...(network.store === undefined
        ? []
        : networkFaults('the store', network.store, [
            'refuse',
            'cut-answer',
            'cut-commit',
            'slow',
          ])),
    ],
  },
  { peaceMs: PEACE_MS.freezes, faults: freezes({ processes, names }) },
  ...(server === undefined ? [] : [{ peaceMs: PEACE_MS.server, faults: serverFaults(server) }]),
  {
    peaceMs: PEACE_MS.service,
    faults: [...serviceFaults(desk), ...(server === undefined ? storageFaults(volume) : [])],
  },
];

/** How much longer what has not happened yet is tried at most, in milliseconds. */
const LONGER_MS_MAX = 300_000;

/** A fault that is left out under a wrong name would happen all the same. Throws UsageError. */
function refuseUnknown(without: readonly string[], lists: readonly FaultList[]): void {
  const names = lists.flatMap(({ faults }) => faults.map(({ name }) => name));
  const unknown = without.find((name) => !names.includes(name));
  if (unknown === undefined) return;
  throw new UsageError(`--without: there is no "${unknown}", but ${names.join(', ')}`);
}

export type FaultPlan = Readonly<{ counts: FaultCounts; happen(): Promise<void> }>;

/** The faults of a run: how often each has happened so far, and what lets them happen. Throws UsageError. */
export function planFaults(stage: Stage): FaultPlan {
  const { options, random, say } = stage;
  if (options.drill !== undefined) return planDrill(stage, options.drill);
  const lists = listsOf(stage);
  refuseUnknown(options.without, lists);
  const tracks = lists.map(({ peaceMs, faults }) => ({
    peaceMs,
    faults: faults.filter(({ name }) => !options.without.includes(name)),
  }));
  const killsOnAndOn = options.stack !== 'cluster';
  const kills = killsOnAndOn ? killsOf(stage.names) : [];
  const names = [...tracks.flatMap(({ faults }) => faults.map(({ name }) => name)), ...kills];
  const counts: FaultCounts = Object.fromEntries(names.map((name) => [name, 0]));
  return {
    counts,
    /** Lasts until its time is over, and longer for what has not happened by then. */
    async happen(): Promise<void> {
      const startMs = performance.now();
      const isOver = (ofTrack: readonly string[]) => (): boolean => {
        const isMissing = ofTrack.some((name) => counts[name] === 0);
        const lateMs = performance.now() - startMs - options.minutes * 60_000;
        return lateMs > (isMissing ? LONGER_MS_MAX : 0);
      };
      await Promise.all([
        ...tracks.map((track) => {
          const ofTrack = track.faults.map(({ name }) => name);
          return runTrack({ ...track, random, counts, say }, isOver(ofTrack));
        }),
        killsOnAndOn ? killOnAndOn(stage, counts, isOver(kills)) : undefined,
      ]);
    },
  };
}
