import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkAddress } from '../../../src/domain/addresses/check-address.ts';
import { networkNamed } from '../../../src/domain/currencies/network.ts';
import {
  addressOf,
  BLOCKCHAINS,
  type Blockchain,
  blockchainOf,
  isToken,
} from '../src/core/blockchains.ts';
import { firstWallets, walletAddress } from '../src/core/wallets.ts';
import { ACCOUNT } from './support/client.ts';

function check(blockchain: Blockchain, address: string) {
  const network = networkNamed(blockchain);
  if (network === undefined) throw new Error(`The engine does not know ${blockchain}.`);
  return checkAddress(address, network);
}

describe('addresses', () => {
  it.each(BLOCKCHAINS)('of %s are accepted by the engine as addresses of it', (blockchain) => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        fc.pre(bytes.slice(0, 20).some((byte) => byte !== 0));
        const address = addressOf(blockchain, Buffer.from(bytes));
        expect(check(blockchain, address)).toMatchObject({ ok: true });
      }),
      { numRuns: 50 },
    );
  });

  it('of wallets are the same for the same account, and differ otherwise', () => {
    const other = `0x${'b'.repeat(40)}`;
    const all = [ACCOUNT, other].flatMap((account) =>
      BLOCKCHAINS.flatMap((blockchain) =>
        [1, 2].map((ordinal) => walletAddress(account, blockchain, ordinal)),
      ),
    );
    expect(new Set(all).size).toBe(all.length);
    expect(walletAddress(ACCOUNT, 'TRON', 1)).toBe(walletAddress(ACCOUNT, 'TRON', 1));
    expect(firstWallets(ACCOUNT).map(({ blockchain }) => blockchain)).toEqual(BLOCKCHAINS);
  });

  it('that begin with zeros keep them', () => {
    const zeros = Buffer.concat([Buffer.alloc(3), createHash('sha256').update('x').digest()]);
    for (const blockchain of BLOCKCHAINS) {
      const address = addressOf(blockchain, zeros.subarray(0, 32));
      expect(check(blockchain, address)).toMatchObject({ ok: true });
    }
  });
});

describe('currencies', () => {
  it.each([
    ['BTC', 'BITCOIN', false],
    ['ETH', 'ETHEREUM', false],
    ['SOL', 'SOLANA', false],
    ['TRX', 'TRON', false],
    ['DOGE', 'DOGECOIN', false],
    ['USDT_TRC20', 'TRON', true],
    ['USDT_ERC20', 'ETHEREUM', true],
    ['USDC_ERC20', 'ETHEREUM', true],
    ['ETH_BEP20', 'BSC', true],
    ['USDC_SPL', 'SOLANA', true],
    ['USDT_NOWHERE', 'ETHEREUM', true],
    ['EUR', 'ETHEREUM', true],
    ['', 'ETHEREUM', true],
    ['__proto__', 'ETHEREUM', true],
  ])('%s is on %s (a token: %s)', (currency, blockchain, token) => {
    expect([blockchainOf(currency), isToken(currency)]).toEqual([blockchain, token]);
  });
});
