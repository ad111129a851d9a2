import { testAddress, type TestAddressCode } from '../../packages/sandbox/src/test-addresses.ts';
import type { SampleRow } from './sample-file.ts';

const NETWORKS = { USDT_TRC20: 'TRON', USDC_ERC20: 'EVM', BTC: 'BITCOIN' } as const;

/** Makes rows that have the given fates at the sandbox; no two of them have the same address or amount. */
export function fatedRowMaker(
  currency: keyof typeof NETWORKS = 'USDT_TRC20',
): (fates: readonly TestAddressCode[]) => SampleRow[] {
  let made = 0;
  return (fates) =>
    fates.map((code) => {
      made += 1;
      return {
        address: testAddress(code, made, NETWORKS[currency]),
        amount: `${made}.5`,
        currency,
      };
    });
}
