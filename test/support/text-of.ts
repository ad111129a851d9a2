import type { OpenObject } from '../../src/files/objects.ts';

/** Reads an open file to its end as text, and closes it. */
export async function textOf({ blocks, close }: OpenObject): Promise<string> {
  const parts: Buffer[] = [];
  try {
    for await (const block of blocks) parts.push(block);
  } finally {
    await close();
  }
  return Buffer.concat(parts).toString();
}
