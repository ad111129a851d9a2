import { settingsInUse, type SettingInUse } from '../../config.ts';
import { EXIT } from '../../domain/errors/exit-codes.ts';
import { loadSettings } from '../../operations/batch/sources.ts';
import { flagInvalid } from '../../operations/input/flag-error.ts';
import { shownPath } from '../../operations/text/shown-path.ts';
import type { Context } from '../context.ts';
import { printList } from '../print/output.ts';
import { printable } from '../terminal/printable.ts';
import { createTable } from '../terminal/table.ts';

type ShowFlags = Readonly<{ name?: string; origin?: boolean }>;

/** `bursar config show [NAME]`: the settings that programs use here, and with `--origin` where each comes from. */
export async function showSettings({ name, origin }: ShowFlags, context: Context): Promise<number> {
  await loadSettings(context);
  const { file, settings } = settingsInUse(context);
  const wanted = settings.filter((one) => isWanted(one, name));
  if (wanted.length === 0) throw flagInvalid('NAME', `there is no setting or section "${name}"`);
  await printList(context, wanted, {
    schema: 'bursar.config/v1',
    about: { file },
    array: 'settings',
    lineSchema: 'bursar.config-setting/v1',
    ...tableOf(wanted, { withOrigin: origin === true, cwd: context.cwd }),
  });
  return EXIT.done;
}

const isWanted = ({ name }: SettingInUse, wanted: string | undefined): boolean =>
  wanted === undefined || name === wanted || name.startsWith(`${wanted}.`);

const VALUE_WIDTH_MAX = 60;

function tableOf(
  settings: readonly SettingInUse[],
  { withOrigin, cwd }: Readonly<{ withOrigin: boolean; cwd: string }>,
) {
  const widest = (texts: readonly string[]): number =>
    Math.max(...texts.map((text) => text.length));
  const values = settings.map(valueText).filter((text) => text.length <= VALUE_WIDTH_MAX);
  const table = createTable([
    { title: 'SETTING', width: widest(settings.map(({ name }) => name)) },
    { title: 'VALUE', width: withOrigin ? widest(['VALUE', ...values]) : 0 },
    ...(withOrigin ? [{ title: 'ORIGIN', width: 0 }] : []),
  ]);
  return {
    header: table.header(),
    textOf: (one: SettingInUse) =>
      table.row([one.name, valueText(one), ...(withOrigin ? [originText(one, cwd)] : [])]),
  };
}

const valueText = ({ value }: SettingInUse): string =>
  value === null ? '-' : value === '' ? '(empty)' : printable(value);

function originText({ origin, place }: SettingInUse, cwd: string): string {
  if (place === null) return origin;
  if (origin === 'environment') return `variable ${place}`;
  const line = printable(shownPath(place, cwd));
  return origin === 'profile' ? `${line} (profile)` : line;
}
