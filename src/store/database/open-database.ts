import { type Access, accessTo } from './decide.ts';
import { openSqlite } from './sqlite.ts';

/** Opens a database as `openStore` does, for a program that uses few parts of it. Throws STORE_UNUSABLE. */
export async function openDatabase(
  url: string,
): Promise<Access & Readonly<{ close(): Promise<void> }>> {
  const connection = await openSqlite(url);
  return { ...accessTo(connection), close: () => connection.destroy() };
}
