import { type Command, Option } from 'commander';
import type { z } from 'zod';
import type { Context } from '../context.ts';
import { collect, type RunCommand } from '../program/add-commands.ts';
import { formOf, isOption, type OperationCommand, type OperationSection } from './operation.ts';
import { render } from './printout.ts';
import { PAYLOAD, readFields, type Typed } from './read-fields.ts';

/** Adds the operations of a table to a group of commands, each with its arguments, options and help. */
export function addOperations(
  group: Command,
  sections: readonly OperationSection[],
  run: RunCommand,
): void {
  for (const { heading, subgroups = {}, operations } of sections) {
    group.commandsGroup(heading);
    for (const operation of operations) {
      const command = addCommand(group, subgroups, operation);
      const valuesOf = addFlags(command, operation);
      command.action(() =>
        run(async () => (typed: Typed, context) => runOperation(operation, typed, context), {
          ...group.opts<Typed>(),
          ...valuesOf(),
        }),
      );
    }
  }
}

async function runOperation(
  operation: OperationCommand,
  typed: Typed,
  context: Context,
): Promise<number> {
  const given = await readFields(operation, typed, context);
  return render(await operation.run(given, context), context);
}

function addCommand(
  group: Command,
  subgroups: Readonly<Record<string, string>>,
  operation: OperationCommand,
): Command {
  const { name, summary, description = summary, isDefault, takesDashes = false } = operation;
  const [first = '', second] = name.split(' ');
  const command =
    second === undefined
      ? group.command(first)
      : addToSubgroup(subgroupOf(group, first, subgroups[first]), second, isDefault);
  return command.summary(summary).description(description).allowUnknownOption(takesDashes);
}

const subgroupOf = (group: Command, name: string, description = ''): Command =>
  group.commands.find((command) => command.name() === name) ??
  group.command(name).helpCommand(false).description(description);

/** The default command of a subgroup also receives words that are no command; it refuses them. */
function addToSubgroup(subgroup: Command, name: string, isDefault = false): Command {
  const command = subgroup.command(name, { isDefault });
  if (!isDefault) return command;
  return command.allowExcessArguments().hook('preAction', (_, { args: [word] }) => {
    if (word === undefined) return;
    const known = subgroup.commands.map((each) => each.name()).join(', ');
    subgroup.error(`error: "${subgroup.name()}" has no command "${word}"; known are ${known}`);
  });
}

/** Adds arguments and options. Returns a function that reads the typed text of each field. */
function addFlags(command: Command, operation: OperationCommand): () => Record<string, unknown> {
  const { fields, payload } = operation;
  const needed = neededFields(operation);
  const readers: (readonly [field: string, read: () => unknown])[] = [];
  const addArgument = (field: string, form: string, description: string): void => {
    const index = command.registeredArguments.length;
    command.argument(form, description);
    readers.push([field, () => command.processedArgs[index]]);
  };
  if (payload !== undefined) addArgument(PAYLOAD, PAYLOAD, payload);
  for (const [field, schema] of Object.entries(fields.shape)) {
    const flag = formOf(schema);
    if (flag === undefined) continue;
    const { form, isRepeated = false } = flag;
    const { description = '' } = schema as z.ZodType;
    if (!isOption(form)) addArgument(field, form, description);
    else {
      const option = new Option(form, description);
      if (isRepeated) option.argParser(collect);
      command.addOption(option.makeOptionMandatory(needed.has(field)));
      readers.push([field, () => command.opts()[option.attributeName()]]);
    }
  }
  return () => Object.fromEntries(readers.map(([field, read]) => [field, read()]));
}

/** The fields that must be typed. None must where a payload may hold them instead. */
function neededFields({ fields, payload, payloadIn }: OperationCommand): ReadonlySet<unknown> {
  if (payload !== undefined || payloadIn !== undefined) return new Set();
  return new Set(fields.safeParse({}).error?.issues.map(({ path: [field] }) => field));
}
