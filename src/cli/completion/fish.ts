import type { CompletionWord, CompletionNode } from './tree.ts';

/** A completion script for fish. Each command and each option has its help. */
export const fishScript = (nodes: readonly CompletionNode[]): string =>
  [
    '# fish completion of bursar. Use it: bursar completion fish | source',
    'function __bursar_at',
    '  set -l path',
    '  for word in (commandline -opc)[2..]',
    '    set -l longer (string trim -- "$path $word")',
    `    if contains -- "$longer" ${nodes
      .filter(({ path }) => path !== '')
      .map(({ path }) => quoted(path))
      .join(' ')}`,
    '      set path $longer',
    '    end',
    '  end',
    '  test "$path" = "$argv[1]"',
    'end',
    ...nodes.flatMap(linesOf),
  ].join('\n');

function linesOf({ path, commands, options, choices }: CompletionNode): string[] {
  const begin = `complete -c bursar -n ${quoted(`__bursar_at ${quoted(path)}`)}`;
  return [
    ...commands.map((one) => `${begin} -f -a ${quoted(one.word)}${helpOf(one)}`),
    ...options.map((one) => `${begin} ${flagOf(one.word)}${helpOf(one)}`),
    ...choices.flatMap(({ flags, choices: values }) =>
      flags.map((flag) => `${begin} ${flagOf(flag)} -x -a ${quoted(values.join(' '))}`),
    ),
  ];
}

const flagOf = (word: string): string =>
  word.startsWith('--') ? `-l ${word.slice(2)}` : `-s ${word.slice(1)}`;

const helpOf = ({ help }: CompletionWord): string => (help === '' ? '' : ` -d ${quoted(help)}`);

/** A text in single quotes, as fish reads it. */
const quoted = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', ' ')}'`;
