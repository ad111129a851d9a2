import type { Command } from 'commander';

const loaders = new WeakMap<Command, () => Promise<void>>();

/** Adds the subcommands of a group only when the command line names the group: other help loads none of them. */
export function addLater(group: Command, load: () => Promise<void>): void {
  loaders.set(group, load);
  group.parent?.hook('preSubcommand', async (_, named) => {
    if (named === group) await loadSubcommands(group);
  });
}

/** Adds the subcommands of a group that are not there yet. */
export async function loadSubcommands(group: Command): Promise<void> {
  const load = loaders.get(group);
  loaders.delete(group);
  await load?.();
}
