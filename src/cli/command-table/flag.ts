import { Option } from 'commander';
import { z } from 'zod';

/** How a field is typed. */
export type FlagForm = Readonly<{
  /** An argument (`<id>`, `[id]`), or an option (`--tail <number>`). */
  form: string;
  /** Makes the value of the field from the typed text. The schema checks that value. */
  read?: (text: string) => unknown;
  /** The option may be given several times. The field is the list of its values. */
  isRepeated?: true;
  /** The field is no part of a JSON payload. */
  isTypedOnly?: true;
}>;

const FORMS = z.registry<FlagForm>();

/** A field with the flag by which it is typed, and the line of that flag in the help. */
export function flag<Schema extends z.ZodType>(
  form: string | FlagForm,
  help: string,
  schema: Schema,
): Schema {
  const field = schema.describe(help);
  FORMS.add(field, typeof form === 'string' ? { form } : form);
  return field;
}

/** A field that may be left out. */
export const optionalFlag = <Schema extends z.ZodType>(
  form: string | FlagForm,
  help: string,
  schema: Schema,
): z.ZodExactOptional<Schema> => flag(form, help, schema.exactOptional());

/** The flag of a field; undefined for a field that is not typed. */
export const formOf = (field: z.core.$ZodType | undefined): FlagForm | undefined =>
  field === undefined ? undefined : FORMS.get(field);

/** Whether a form is an option; otherwise it is an argument. */
export const isOption = (form: string): boolean => form.startsWith('-');

/** The name of a flag in an error: `--tail` for an option, `REQUEST_ID` for an argument. */
export function labelOf(form: string): string {
  if (isOption(form)) return new Option(form).long ?? form;
  return form
    .replaceAll(/[<>[\]]|\.\.\./g, '')
    .replaceAll('-', '_')
    .toUpperCase();
}
