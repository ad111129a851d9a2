import type { Command as Program } from 'commander';
import { EXIT } from '../../domain/errors/exit-codes.ts';
import { bashScript } from '../completion/bash.ts';
import { fishScript } from '../completion/fish.ts';
import { completionTree } from '../completion/tree.ts';
import { zshScript } from '../completion/zsh.ts';
import type { Command } from '../context.ts';
import type { Shell } from '../program/shells.ts';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

/** `bursar completion SHELL`: a script by which a shell completes commands and flags. It follows from the program itself. */
export const completionOf =
  (program: Program): Command<Readonly<{ shell: Shell }>> =>
  async ({ shell }, context) => {
    context.print(SCRIPTS[shell](await completionTree(program)));
    return EXIT.done;
  };
