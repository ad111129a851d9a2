import { loadSettings } from '../../../operations/batch/sources.ts';
import type { ServiceAccess } from '../../../operations/context.ts';
import { withService } from '../../../operations/service/preflight.ts';
import type { Context } from '../../context.ts';

/** Opens the service that the settings name, and closes it. */
export async function withApi<Result>(
  context: Context,
  use: (service: ServiceAccess) => Promise<Result>,
): Promise<Result> {
  return withService(await loadSettings(context), context, use);
}
