import type { CompletionNode } from './tree.ts';

/** A completion script for zsh, as {@link bashScript} for bash. */
export const zshScript = (nodes: readonly CompletionNode[]): string =>
  [
    '#compdef bursar',
    '# zsh completion of bursar. Use it: source <(bursar completion zsh)',
    '_bursar() {',
    '  local path_of_command= word',
    '  local -a flags next values',
    '  for word in "${(@)words[2,CURRENT-1]}"; do',
    '    case "${path_of_command:+$path_of_command }$word" in',
    `      ${nodes
      .filter(({ path }) => path !== '')
      .map(({ path }) => `'${path}'`)
      .join('|')}) path_of_command="\${path_of_command:+$path_of_command }$word" ;;`,
    '    esac',
    '  done',
    '  case "$path_of_command:${words[CURRENT-1]}" in',
    ...nodes.flatMap(({ path, choices }) =>
      choices.map(
        ({ flags, choices: given }) =>
          `    ${flags.map((flag) => `'${path}:${flag}'`).join('|')}) values=(${given.join(' ')}) ;;`,
      ),
    ),
    '  esac',
    '  if (( $#values )); then compadd -- "${values[@]}"; return; fi',
    '  case "$path_of_command" in',
    ...nodes.map(
      ({ path, commands, options }) =>
        `    '${path}') next=(${wordsIn(commands)}); flags=(${wordsIn(options)}) ;;`,
    ),
    '  esac',
    '  if [[ $PREFIX == -* ]]; then compadd -- "${flags[@]}"; return; fi',
    '  if (( $#next )); then compadd -- "${next[@]}"; else _files; fi',
    '}',
    'compdef _bursar bursar',
  ].join('\n');

const wordsIn = (candidates: readonly Readonly<{ word: string }>[]): string =>
  [...new Set(candidates.map(({ word }) => word))].join(' ');
