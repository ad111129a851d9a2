import type { Settings } from '../../../config.ts';
import { EXIT } from '../../../domain/errors/exit-codes.ts';
import { loadSettings, withSources } from '../../../operations/batch/sources.ts';
import type { Context } from '../../context.ts';
import { flagInvalid } from '../../../operations/input/flag-error.ts';
import { readCount } from '../../../operations/input/lists.ts';
import { readLocalDate } from '../../../operations/input/local-date.ts';
import { printResult } from '../../print/output.ts';
import {
  type DefinitionFlags,
  defineSchedule,
  defineTiming,
} from '../../../operations/schedule/define.ts';
import { findSchedule } from '../../../operations/schedule/find.ts';
import { PREVIEW_RUNS, previewOf, runSettings } from '../../print/schedule-preview.ts';
import type { ScheduleDefinition } from '../../../contract/schedule.ts';
import type { Timing } from '../../../domain/schedule/timing.ts';

type PreviewFlags = DefinitionFlags &
  Readonly<{ schedule?: string; count?: string; from?: string }>;

/** Runs that are shown at most. */
const COUNT_MAX = 400;

/** The name of a schedule that has no name yet. */
const UNNAMED = 'preview';

/** `bursar schedule preview [ID]`: the next runs of a schedule, or of one that is made of these flags. */
export async function previewSchedule(flags: PreviewFlags, context: Context): Promise<number> {
  const count = flags.count === undefined ? PREVIEW_RUNS : readCount('--count', flags.count);
  if (count > COUNT_MAX) throw flagInvalid('--count', `is above ${COUNT_MAX}`);
  const settings = await loadSettings(context);
  const timing = await readTiming(flags, settings, context);
  const afterMs =
    flags.from === undefined
      ? context.clock.nowMs()
      : readLocalDate('--from', flags.from, timing.timezone) - 1;
  printResult(context, previewOf(timing, { afterMs, count, settings: runSettings(settings) }));
  return EXIT.done;
}

async function readTiming(
  { schedule, count: _count, from: _from, ...flags }: PreviewFlags,
  settings: Settings,
  context: Context,
): Promise<Timing | ScheduleDefinition> {
  const isDefined = Object.keys(flags).length > 0;
  if (!isDefined && schedule !== undefined) {
    return withSources(context, async ({ store }) => {
      const { definition } = await findSchedule(store, schedule);
      return definition;
    });
  }
  const define = flags.file === undefined ? defineTiming : defineSchedule;
  return define(schedule ?? UNNAMED, flags, { settings, context });
}
