import {
  type ChangedSetting,
  planSettings,
  type SettingsChange,
  variablesOf,
} from '../../config.ts';
import { EXIT } from '../../domain/errors/exit-codes.ts';
import { loadSettings } from '../../operations/batch/sources.ts';
import { flagInvalid } from '../../operations/input/flag-error.ts';
import { probe as probeService, type ProbeRequest } from '../../operations/service/probe.ts';
import {
  isReadable,
  isReadableAsSet,
  settingsFound,
} from '../../operations/service/probed-settings.ts';
import { unwritable } from '../../operations/text/unwritable.ts';
import type { Context } from '../context.ts';
import { printResult } from '../print/output.ts';
import { probeText } from '../print/probe-text.ts';

type ProbeFlags = ProbeRequest & Readonly<{ write?: boolean; dryRun?: boolean }>;

/** `bursar probe`: finds out by reads alone how the service behaves, and writes it into the settings. */
export async function probe(flags: ProbeFlags, context: Context): Promise<number> {
  const { write = false, dryRun = false, ...request } = flags;
  const settings = await loadSettings(context);
  const report = await probeService(settings, request, context);
  const canRead = isReadable(report) || isReadableAsSet(report, settings);
  if (write && !canRead) {
    throw flagInvalid(
      '--write',
      'the service accepted no read of a mass payout, and none is proven, so there is nothing to write',
    );
  }
  const found = settingsFound(report, settings);
  const change = write
    ? planSettings({ env: context.env, cwd: () => context.cwd }, found)
    : undefined;
  const isWritten = change !== undefined && !dryRun && change.changed.length > 0;
  if (isWritten) writeChange(change);
  const { baseUrl = '', account = '' } = settings.api;
  const changed: readonly ChangedSetting[] =
    change?.changed ??
    [...found].map(([setting, value]) => ({ setting, before: null, after: JSON.stringify(value) }));
  const variables = variablesOf(found.keys(), context.env);
  const result = { report, canRead, changed, variables, file: change?.path ?? null, isWritten };
  printResult(context, {
    json: {
      schema: 'bursar.probe/v1',
      baseUrl,
      account,
      ...report,
      changed,
      variables,
      file: result.file,
      isWritten,
    },
    text: probeText(result, context),
  });
  return canRead ? EXIT.done : EXIT.needsOperator;
}

function writeChange({ path, write }: SettingsChange): void {
  try {
    write();
  } catch (error) {
    throw unwritable(path, error);
  }
}
