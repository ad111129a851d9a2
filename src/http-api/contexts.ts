import { Readable } from 'node:stream';
import { ACCOUNT_VARIABLE, OWN_VARIABLES } from '../config.ts';
import type { OperationContext, Openers, Surroundings } from '../operations/context.ts';
import type { OperationCall } from './server.ts';

/** The contexts of operations that callers ask for. `surroundings`: those of the server's process. */
export function createContexts(
  surroundings: Surroundings,
): (call: OperationCall) => OperationContext {
  const places = new Map<string | null, Surroundings['env']>();
  /** One for each account, so that its settings are read once. */
  const envOf = (account: string | null): Surroundings['env'] => {
    const known =
      places.get(account) ??
      (account === null ? surroundings.env : envOfAccount(surroundings.env, account));
    places.set(account, known);
    return known;
  };
  return ({ caller: { name, account }, progress, left }) => ({
    ...surroundings,
    ...progress,
    env: envOf(account),
    user: name,
    overHttp: true,
    interrupted: AbortSignal.any([surroundings.interrupted, left]),
    open: inTheNameOf(name, surroundings.open),
    mayAsk: false,
    ask: async () => undefined,
    askSecret: async () => undefined,
    stdin: { stream: Readable.from([]), isTty: false },
  });
}

/**
 * The environment of the server for one account. What each account has for itself comes from its table alone: with
 * `BURSAR_STORE_URL` set for the server, a caller of `emea` would else see the batches of every account in that store.
 */
function envOfAccount(env: Surroundings['env'], account: string): Surroundings['env'] {
  const shared = Object.entries(env).filter(([name]) => !OWN_VARIABLES.includes(name));
  return { ...Object.fromEntries(shared), [ACCOUNT_VARIABLE]: account };
}

/** The settings of the server name a person of its machine. A caller acts in its own name, and the key of the machine is not its own. */
const inTheNameOf = (name: string, open: Openers): Openers => ({
  ...open,
  async settings(place) {
    const { operator, ...settings } = await open.settings(place);
    const { keyFile: _, ...rest } = operator;
    return { ...settings, operator: { ...rest, name } };
  },
});
