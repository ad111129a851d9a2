import { type Access, accessTo } from '../database/decide.ts';
import { openConnection } from './open.ts';

/** Opens a database as `openStore` does, for a program that uses few parts of it. Throws STORE_UNUSABLE. */
export async function openDatabase(
  url: string,
): Promise<Access & Readonly<{ close(): Promise<void> }>> {
  const connection = await openConnection(url);
  return { ...accessTo(connection), close: () => connection.destroy() };
}
