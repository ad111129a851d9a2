import { Option } from 'commander';
import { z } from 'zod';
import type { Context } from '../context.ts';
import type { Printout } from './printout.ts';

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

/** The parts of every command of a table, independent of its fields. */
type CommandParts = Readonly<{
  /** Words after the group, such as `wallets` or `faults add`. */
  name: string;
  /** The line in the list of commands, and the help of the command unless it has a description. */
  summary: string;
  description?: string;
  /** The command runs when its subgroup is named alone, as `faults list` does for `faults`. */
  isDefault?: true;
  /** An argument may begin with a dash, such as -90s. */
  takesDashes?: true;
  /** Help of the argument `[json]`, which may hold all fields as JSON. */
  payload?: string;
  /** The field whose argument may hold all fields as JSON instead. */
  payloadIn?: string;
  /** The form of a JSON payload where it differs from the fields. */
  payloadSchema?: z.ZodObject;
}>;

/** One command of a table. The table has all that its help, its flags and its output need. */
export type OperationCommand = CommandParts &
  Readonly<{
    /** The fields; `flag` sets how each is typed, and its line in the help. */
    fields: z.ZodObject;
    run(given: Readonly<Record<string, unknown>>, context: Context): Promise<Printout>;
  }>;

/** Commands that stand under one heading in the help of their group. */
export type OperationSection = Readonly<{
  heading: string;
  /** Help of the subgroups, by their names. */
  subgroups?: Readonly<Record<string, string>>;
  operations: readonly OperationCommand[];
}>;

/** The values of the fields of a shape. */
export type Given<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>;

/** The parts of a command, with its fields where it has any. */
export type FieldParts<Shape extends z.ZodRawShape> = CommandParts & Readonly<{ fields?: Shape }>;

/** A command as it stands in a table: `run` receives the values of its fields. */
export type OperationDefinition<Shape extends z.ZodRawShape> = FieldParts<Shape> &
  Readonly<{ run(given: Given<Shape>, context: Context): Promise<Printout> }>;

/** Makes a command of a table from its definition. */
export const operation = <Shape extends z.ZodRawShape>({
  fields,
  ...rest
}: OperationDefinition<Shape>): OperationCommand => ({
  ...rest,
  fields: z.strictObject({ ...fields }),
});
