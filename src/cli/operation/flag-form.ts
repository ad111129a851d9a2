import { Option } from 'commander';
import type { FlagForm } from './operation-command.ts';

/** The parts of a flag form; a form that is a text has the form alone. */
export const partsOf = (flag: FlagForm): Exclude<FlagForm, string> =>
  typeof flag === 'string' ? { form: flag } : flag;

/** Whether a form is an option; otherwise it is an argument. */
export const isOption = (form: string): boolean => form.startsWith('-');

/** The name of a flag in an error: `--tail` for an option, `REQUEST_ID` for an argument. */
export function labelOf(flag: FlagForm): string {
  const { form } = partsOf(flag);
  if (isOption(form)) return new Option(form).long ?? form;
  return form
    .replaceAll(/[<>[\]]|\.\.\./g, '')
    .replaceAll('-', '_')
    .toUpperCase();
}
