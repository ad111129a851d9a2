/** A text of a file that is replaced; it must stand there exactly once. */
export type Edit = Readonly<{ file: string; find: string; replace: string }>;

/** An engine with one rule left out, as somebody could have written it. */
export type Mutant = Readonly<{
  name: string;
  /** What it does instead. */
  does: string;
  edits: readonly Edit[];
  /** Scenarios that meet the rule, as names of files in test/scenarios. */
  scenarios: readonly string[];
}>;

/** A file with an edit in it. Throws when the text to replace does not stand there once. */
export function applyEdit(text: string, { file, find, replace }: Edit): string {
  const times = text.split(find).length - 1;
  if (times !== 1) throw new Error(`${file} has ${times} times what a mutant replaces: ${find}`);
  return text.replace(find, () => replace);
}
