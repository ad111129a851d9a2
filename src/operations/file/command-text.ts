import { totalsText } from '../../domain/plan/control-totals.ts';
import { shellWord } from '../../domain/text/shell-word.ts';
import type { BatchFlags } from '../input/batch-choices.ts';
import { formWords, readFileForm } from '../input/file-form.ts';
import type { PlanView } from './plan-view.ts';
import { isStdin } from './source.ts';

/**
 * The command that submits a plan. It names each finding that must be accepted, so that a person accepts none unread.
 */
export function submitCommand(file: string, flags: BatchFlags, plan: PlanView): string {
  const accepted = flags.accept ?? [];
  // The rows and findings of a corrected file are not shown yet.
  const isSeen = plan.rows.refused === 0 || flags.skipInvalid === true;
  const open = plan.findings
    .filter(({ code, severity }) => severity === 'confirm' && !accepted.includes(code))
    // Without balances it is not known whether the service has the currency.
    .filter(({ code }) => code !== 'UNKNOWN_NETWORK' || plan.funds !== null)
    .map(({ code }) => code);
  const words = [
    ...['bursar', 'submit', file],
    ...(flags.id === undefined ? [] : ['--id', flags.id]),
    ...(flags.currency === undefined ? [] : ['--currency', flags.currency]),
    ...formWords(readFileForm(flags)),
    ...(plan.at === null ? [] : ['--at', plan.at]),
    ...(plan.executionDate === null ? [] : ['--execution-date', plan.executionDate]),
    ...(flags.skipInvalid ? ['--skip-invalid'] : []),
    ...(flags.expectCount === undefined ? [] : ['--expect-count', flags.expectCount]),
    ...(flags.expectTotal ?? []).flatMap((total) => ['--expect-total', total]),
    ...(flags.funds === undefined ? [] : ['--funds', flags.funds]),
    ...(flags.canary === undefined ? [] : ['--canary', flags.canary]),
    ...(flags.stopLoss === undefined ? [] : ['--stop-loss', flags.stopLoss]),
    ...(flags.beforeScheduled ? ['--before-scheduled'] : []),
    ...[...accepted, ...(isSeen ? open : [])].flatMap((code) => ['--accept', code]),
    ...(isSeen ? ['--confirm', totalsText(plan.currencies)] : []),
  ];
  return words.map(shellWord).join(' ');
}

/** The command that carries out a plan that was written down, and nothing else. */
export function applyCommand(planFile: string, file: string, plan: PlanView): string {
  const input = isStdin(file) ? [file] : [];
  const words = ['bursar', 'submit', '--plan', planFile, ...input];
  return [...words, '--confirm', totalsText(plan.currencies)].map(shellWord).join(' ');
}
