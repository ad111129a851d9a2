import type { AdminFault } from '@bursar/sandbox/admin';
import { counted, withCommas } from '../../domain/text/counted.ts';
import { batchStateWords } from '../../domain/text/state-words.ts';
import type { BatchView } from '../../domain/report/report.ts';
import type { SendFigures } from '../../operations/drill/send-figures.ts';
import type { Context } from '../context.ts';
import { printable } from '../terminal/printable.ts';
import { factLines } from '../terminal/table.ts';
import { DRILL_FAULTS, type DrillFaultName } from './faults.ts';
import type { PaidByService } from './paid-by-service.ts';

/** The result of a drill. `seconds`: from the submit to the end of the batch. */
export type DrillReport = SendFigures &
  Readonly<{
    schema: 'bursar.drill/v1';
    file: string;
    batchId: string;
    state: BatchView['state'];
    rows: BatchView['rows'];
    faults: readonly Readonly<{ name: DrillFaultName; happened: number }>[];
    /** Withdrawals that the sandbox paid. */
    paidByService: number;
    paidTwice: number;
    seconds: number;
    /** Whether the end of every row is known, the sandbox paid the same rows, and none of them twice. */
    accounted: boolean;
  }>;

export type DrillFacts = Readonly<{
  file: string;
  view: BatchView;
  sends: SendFigures;
  service: PaidByService;
  names: readonly DrillFaultName[];
  fired: readonly AdminFault[];
  seconds: number;
}>;

/** Puts engine and sandbox side by side. */
export function drillReport(facts: DrillFacts): DrillReport {
  const { file, view, sends, service, names, fired, seconds } = facts;
  const { total, paid, failed, notSent } = view.rows;
  return {
    schema: 'bursar.drill/v1',
    file,
    batchId: view.batchId,
    state: view.state,
    rows: view.rows,
    faults: names.map((name) => ({ name, happened: happened(name, fired) })),
    ...sends,
    paidByService: service.paid,
    paidTwice: service.twice,
    seconds,
    accounted: paid + failed + notSent === total && service.paid === paid && service.twice === 0,
  };
}

const happened = (name: DrillFaultName, fired: readonly AdminFault[]): number =>
  fired
    .filter(({ target, kind }) =>
      DRILL_FAULTS[name].rules.some((rule) => rule.target === target && rule.kind === kind),
    )
    .reduce((sum, fault) => sum + fault.fired, 0);

/** The result of a drill on one page. */
export function drillText(report: DrillReport, { colours }: Context): string {
  const { rows, chunks, sends, inDoubt, adopted, paidByService, paidTwice, faults } = report;
  const title = report.accounted
    ? colours.green('every row is accounted for')
    : colours.red('NOT every row is accounted for');
  const open = rows.unknown + rows.inFlight + (rows.notSentYet ?? 0);
  return [
    colours.bold(`Drill of ${printable(report.file)}: ${title}`),
    ...factLines([
      ['batch', `${report.batchId}: ${batchStateWords(report.state)}`],
      ['rows', withCommas(rows.total)],
      [
        'paid',
        `${withCommas(rows.paid)}; by the record of the sandbox ${withCommas(paidByService)}`,
      ],
      ['failed', withCommas(rows.failed)],
      ['not sent', withCommas(rows.notSent)],
      ['unknown', withCommas(open)],
      ['paid twice', withCommas(paidTwice)],
      ['sends', `${counted(sends, 'request')} for ${counted(chunks, 'payment request')}`],
      ['in doubt', `${withCommas(inDoubt)} without a clear answer`],
      ['adopted', `${withCommas(adopted)} found again instead of sent again`],
      ['time', `${withCommas(report.seconds)} s`],
    ]),
    '',
    'Faults:',
    ...factLines(
      faults.map(({ name, happened: times }) => [
        `${withCommas(times).padStart(4)}  ${name}`,
        times === 0 ? 'did not happen: the file has too few rows for it' : DRILL_FAULTS[name].means,
      ]),
    ),
  ].join('\n');
}
