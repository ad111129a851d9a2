import { isPostgresUrl } from '../../domain/store/store-url.ts';
import type { Leadership } from './postgres/leader.ts';

/** `duty`: names the duty. A store in a file is used on one machine, where each program runs once. */
export async function openLeadership(url: string, duty: string): Promise<Leadership> {
  if (!isPostgresUrl(url)) return { leads: async () => true, close: async () => undefined };
  const { createPostgresLeadership } = await import('./postgres/leader.ts');
  return createPostgresLeadership(url, duty);
}
