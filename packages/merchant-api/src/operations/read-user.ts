import type { CallOptions, Send } from '../call.ts';
import { readUserRecord, type User } from '../records/user.ts';
import type { Answer } from '../response/conclude.ts';

/**
 * Reads the user of the API key, with its company, permissions and accounts. Spec: "User, company
 * and permissions"; its path is ASSUMED. ASSUMED: it has no payload; its request is not shown.
 */
export const readUser =
  (send: Send) =>
  (call: CallOptions = {}): Promise<Answer<User>> =>
    send({ operation: 'USER', read: readUserRecord }, call);
