/** What the reader of a run book does, in order. */
export type Step = FileStep | CommandStep | ActStep;

/** Makes a file. */
export type FileStep = Readonly<{ kind: 'file'; line: number; path: string; text: string }>;

/** Types a command. */
export type CommandStep = Readonly<{
  kind: 'command';
  line: number;
  command: string;
  /** The exit code that the book promises. */
  code: number;
  /** What the book says is printed; null when it shows nothing. */
  shown: string | null;
}>;

/** Does something that is not typed: a line of a `sh` block that is a comment. */
export type ActStep = Readonly<{ kind: 'act'; line: number; act: string }>;

export type Chapter = Readonly<{ title: string; steps: readonly Step[] }>;

type Block = Readonly<{ line: number; language: string; name: string; lines: readonly string[] }>;

/** Languages whose blocks are files that the reader makes. */
const FILE_LANGUAGES = ['toml', 'csv'];

const ENDS_WITH = /\s+# ends with (\d+)$/;

/**
 * Reads a run book: every fenced block is a step, and nothing else is. A `text` block shows what the command before it prints.
 * Throws on a block that is neither, so that no step can be passed over.
 */
export function readBook(markdown: string): Chapter[] {
  const [, ...chapters] = `\n${markdown}`.split('\n## ');
  let line = 1 + linesIn(markdown.slice(0, markdown.indexOf('\n## ') + 1));
  return chapters.map((chapter) => {
    const blocks = blocksOf(chapter, line);
    line += linesIn(chapter) + 1;
    return { title: chapter.split('\n')[0] ?? '', steps: stepsOf(blocks) };
  });
}

const linesIn = (text: string): number => text.split('\n').length - 1;

function blocksOf(chapter: string, firstLine: number): Block[] {
  const fenced = /^```(\w*) ?(.*)\n([\s\S]*?)^```$/gm;
  return [...chapter.matchAll(fenced)].map((found) => {
    const [, language = '', name = '', body = ''] = found;
    const line = firstLine + linesIn(chapter.slice(0, found.index));
    return { line, language, name, lines: body.trimEnd().split('\n') };
  });
}

function stepsOf(blocks: readonly Block[]): Step[] {
  return blocks.flatMap((block, i) => {
    const { line, language, name, lines } = block;
    if (FILE_LANGUAGES.includes(language) && name !== '') {
      return [{ kind: 'file', line, path: name, text: `${lines.join('\n')}\n` }];
    }
    if (language === 'sh') return typed(block, blocks[i + 1]);
    if (language === 'text' && blocks[i - 1]?.language === 'sh') return [];
    throw new Error(`line ${line} of the run book: a block that is no step: ${language} ${name}`);
  });
}

/** The lines of a `sh` block. Where the book shows an output, the block has one command, so that it is clear whose it is. */
function typed({ line: blockLine, lines }: Block, next: Block | undefined): Step[] {
  const shown = next?.language === 'text' ? next.lines.join('\n') : null;
  if (shown !== null && lines.length > 1) {
    throw new Error(`line ${blockLine} of the run book: of which command is the output shown?`);
  }
  return lines.map((text, i): Step => {
    const line = blockLine + 1 + i;
    if (text.startsWith('# ')) return { kind: 'act', line, act: text.slice(2) };
    const code = Number(ENDS_WITH.exec(text)?.[1] ?? 0);
    return { kind: 'command', line, command: text.replace(ENDS_WITH, ''), code, shown };
  });
}
