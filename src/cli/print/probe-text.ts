import type { ProbeReport } from '@bursar/merchant-api';
import type { ChangedSetting } from '../../config.ts';
import { counted } from '../../domain/text/counted.ts';
import { shapeSetting } from '../../operations/service/probed-settings.ts';
import type { Context } from '../context.ts';
import { printable } from '../terminal/printable.ts';
import { wrappedLines } from '../terminal/wrapped-lines.ts';

type Probed = Readonly<{
  report: ProbeReport;
  /** Whether some read shows how a payment ended, perhaps because a person has set that one does. */
  canRead: boolean;
  changed: readonly ChangedSetting[];
  /** The variables of the environment that set another value than the probe found. */
  variables: readonly string[];
  /** The settings file, where it was to be written. */
  file: string | null;
  isWritten: boolean;
}>;

/** The most columns of a line. */
const COLUMNS = 80;

/** What a probe found, what stays open, and which settings follow, for people. */
export function probeText(probed: Probed, { colours }: Context): string {
  const { report } = probed;
  const found = report.findings.flatMap(({ point, value, by }) => [
    ...wrapped(
      `${nameOf(point).padEnd(NAME_WIDTH)}  ${printable(value).replaceAll(',', ', ')}`,
      '  ',
    ),
    ...wrapped(printable(by), '      '),
  ]);
  const open = report.open.flatMap(({ point, cost }) => [
    `  ${nameOf(point)}`,
    ...wrapped(cost, '      '),
  ]);
  const { forbidden } = report;
  const refused = `The service refuses for this key: ${forbidden.join(', ')}. If you need them, ask the service for the right.`;
  return [
    colours.bold(`Found, by ${counted(report.requests, 'request')}:`),
    ...found,
    ...(open.length === 0 ? [] : ['', colours.bold('Open, and what it costs:'), ...open]),
    ...(forbidden.length === 0 ? [] : ['', ...wrapped(refused, '')]),
    '',
    ...settingsText(probed, colours),
  ].join('\n');
}

const NAME_WIDTH = 16;

/** A shape has the name of its setting. An operation keeps its own. */
const nameOf = (point: string): string => (/^[A-Z_]+$/.test(point) ? point : shapeSetting(point));

function settingsText(
  { canRead, changed, variables, file, isWritten }: Probed,
  colours: Context['colours'],
): string[] {
  if (!canRead) {
    return wrapped(
      'The service accepted no read of a mass payout by id, and no read by key is proven. Give a mass payout of the account (--mass-payout ID --key UUID), or a description of the service (--openapi FILE).',
      '',
    );
  }
  const winning = variables.map(
    (variable) => `  ${variable} has another value and overrides the file: unset it.`,
  );
  if (changed.length === 0) {
    return winning.length === 0
      ? ['The settings have these values already.']
      : ['The file has these values already.', ...winning];
  }
  const lines = changed.map(({ setting, before, after }) =>
    before === null ? `  ${setting} = ${after}` : `  ${setting} = ${after}  (was ${before})`,
  );
  const where = file === null ? [] : [file];
  const title = isWritten
    ? 'Written:'
    : file === null
      ? 'Settings for this service ("bursar probe --write" writes them):'
      : 'Would be written:';
  return [colours.bold([title, ...where].join(' ')), ...lines, ...winning];
}

const wrapped = (text: string, indent: string): string[] => wrappedLines(text, indent, COLUMNS);
