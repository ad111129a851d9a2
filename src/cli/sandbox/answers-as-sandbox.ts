import { isBursarError } from '../../domain/errors/bursar-error.ts';
import type { Context } from '../context.ts';
import { createSandboxClient } from './client.ts';

/** Whether the server at an address is a sandbox of Bursar, by one read of its health. */
export async function answersAsSandbox(url: string, { interrupted }: Context): Promise<boolean> {
  try {
    await createSandboxClient({ url, interrupted }).call('GET /health');
    return true;
  } catch (error) {
    if (isBursarError(error)) return false;
    throw error;
  }
}
