import type { Hold, HoldKind } from '../../domain/holds/hold.ts';
import { ENGINE } from '../../store/audit/audited.ts';
import type { Store } from '../../store/index.ts';

type HoldDeps = Readonly<{ store: Store; nowMs(): number }>;

/** Holds a batch in Bursar's own name until a person decides. An open hold of the same kind stays, and is returned. */
export const putHold = (
  { store, nowMs }: HoldDeps,
  batchId: string,
  { kind, reason, facts = {} }: Readonly<{ kind: HoldKind; reason: string; facts?: Hold['facts'] }>,
): Promise<Hold> =>
  store.holds.put(batchId, { kind, reason, by: ENGINE, actor: ENGINE, facts }, nowMs());
