import { isPostgresUrl } from '../../domain/store/store-url.ts';

/** Whether this process does a duty that one process does at a time. */
export type Leadership = Readonly<{
  /** Two processes may lead for a moment after a lost connection, so the duty must bear that. */
  leads(): Promise<boolean>;
  close(): Promise<void>;
}>;

/** `duty`: names the duty. A store in a file is used on one machine, where each program runs once. */
export async function openLeadership(url: string, duty: string): Promise<Leadership> {
  if (!isPostgresUrl(url)) return { leads: async () => true, close: async () => undefined };
  const { createPostgresLeadership } = await import('./postgres/leader.ts');
  return createPostgresLeadership(url, duty);
}
