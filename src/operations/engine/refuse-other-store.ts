import { BursarError } from '../../domain/errors/bursar-error.ts';
import { isStore, type StoreIdentity, type StoreRef } from '../../domain/store/identity.ts';

/** @throws STORE_IS_ANOTHER */
export function refuseOtherStore(
  store: StoreIdentity,
  served: StoreRef | undefined,
  taskQueue: string,
): void {
  if (served === undefined || isStore(store, served.id)) return;
  throw new BursarError('STORE_IS_ANOTHER', { store: store.id, served: served.id, taskQueue });
}
