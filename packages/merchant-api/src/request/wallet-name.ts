import { WALLET_NAME_LENGTH_MAX } from '../spec/limits.ts';
import { anyText } from './check-input.ts';

/**
 * A wallet's name, which may be empty. Spec: "Limits".
 * ASSUMED: the service counts UTF-16 code units, so an emoji counts twice. This is the strictest
 * count: a name that passes here also passes a service that counts code points.
 */
export const walletName = anyText.refine(
  // Not `max`, which counts code points.
  (name) => name.length <= WALLET_NAME_LENGTH_MAX,
  `longer than ${WALLET_NAME_LENGTH_MAX} characters`,
);
