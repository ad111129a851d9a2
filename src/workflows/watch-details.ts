import type { WatchReport } from '../contract/housekeeping.ts';
import { table } from './details.ts';

/** How the last rounds went, as the web page of housekeeping shows it. */
export const watchDetails = ({ at, rounds }: WatchReport): string =>
  table([
    ['last rounds', at],
    ...rounds.map(({ name, ok, says }) => [name, ok ? says : `**failed**: ${says}`] as const),
  ]);
