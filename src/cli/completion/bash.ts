import type { CompletionNode } from './tree.ts';

/**
 * A completion script for bash. It follows the words of the line down to a command, and offers what can follow. Names of files
 * are offered where nothing else fits.
 */
export const bashScript = (nodes: readonly CompletionNode[]): string =>
  [
    '# bash completion of bursar. Use it: source <(bursar completion bash)',
    '_bursar() {',
    '  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}',
    '  local path= words= at',
    '  for ((at = 1; at < COMP_CWORD; at++)); do',
    '    case "${path:+$path }${COMP_WORDS[at]}" in',
    `      ${pathsOf(nodes)}) path="\${path:+$path }\${COMP_WORDS[at]}" ;;`,
    '    esac',
    '  done',
    '  case "$path:$previous" in',
    ...nodes.flatMap(choiceCases),
    '  esac',
    '  if [[ -z $words ]]; then',
    '    case "$path" in',
    ...nodes.map(
      ({ path, commands, options }) =>
        `      '${path}') if [[ $current == -* ]]; then words='${wordList(options)}'; else words='${wordList(commands)}'; fi ;;`,
    ),
    '    esac',
    '  fi',
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    '}',
    'complete -o default -F _bursar bursar',
  ].join('\n');

const pathsOf = (nodes: readonly CompletionNode[]): string =>
  nodes
    .filter(({ path }) => path !== '')
    .map(({ path }) => `'${path}'`)
    .join('|');

const choiceCases = ({ path, choices }: CompletionNode): string[] =>
  choices.map(
    ({ flags, choices: values }) =>
      `    ${flags.map((flag) => `'${path}:${flag}'`).join('|')}) words='${values.join(' ')}' ;;`,
  );

const wordList = (candidates: readonly Readonly<{ word: string }>[]): string =>
  [...new Set(candidates.map(({ word }) => word))].join(' ');
