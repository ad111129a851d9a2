import { WALLET_NAME_LENGTH_MAX } from '../spec/limits.ts';
import { anyText } from './check-input.ts';

/**
 * A wallet's name, which may be empty. Spec: "Limits".
 * ASSUMED: characters are counted as UTF-16 code units, so that an emoji counts twice. It is the
 * strictest way to count: a name that passes here passes a service that counts code points, too.
 */
export const walletName = anyText.refine(
  // Not `max`, which counts code points.
  (name) => name.length <= WALLET_NAME_LENGTH_MAX,
  `longer than ${WALLET_NAME_LENGTH_MAX} characters`,
);
