import { DEFAULT_SHAPES } from '../../packages/merchant-api/src/spec/shapes.ts';
import { shapeSetting } from '../../src/operations/service/probed-settings.ts';
import type { TestStack } from './test-stack.ts';

const DEFAULTS: ReadonlySet<string> = new Set(
  Object.entries(DEFAULT_SHAPES).map(
    ([name, value]) => `api.shapes.${shapeSetting(name)} = ${JSON.stringify(value)}`,
  ),
);

/**
 * Runs `bursar probe --write` in the folder of a stack, whose worker has not started yet. Returns the lines that it wrote, apart
 * from those of defaults. Fails when nothing was written.
 */
export async function probeAndWrite(
  { json }: TestStack,
  ...flags: readonly string[]
): Promise<readonly string[]> {
  const { code, value } = await json('probe', '--write', ...flags);
  const { isWritten, changed } = value as Readonly<{
    isWritten: boolean;
    changed: readonly Readonly<{ setting: string; after: string }>[];
  }>;
  if (code !== 0 || !isWritten) throw new Error(`the probe wrote nothing, and ended with ${code}`);
  return changed
    .map(({ setting, after }) => `${setting} = ${after}`)
    .filter((line) => !DEFAULTS.has(line));
}
