import { describe, expect, it } from '@jest/globals';
import { REASONS } from '../../../src/domain/addresses/address-check.ts';
import { checkAddress } from '../../../src/domain/addresses/check-address.ts';
import { NOTABLE_ADDRESSES } from '../../../src/domain/addresses/notable-addresses.ts';
import type { Network } from '../../../src/domain/currencies/network.ts';

const reasonOf = (address: string, network: Network): string => {
  const check = checkAddress(address, network);
  return check.ok ? 'accepted' : check.reason;
};

const canonicalOf = (address: string, network: Network): string => {
  const check = checkAddress(address, network);
  return check.ok ? check.canonical : check.reason;
};

describe('addresses of Ethereum and its relatives', () => {
  it.each([
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  ])('verifies the vector %s of EIP-55', (address) => {
    const canonical = address.toLowerCase();
    expect(checkAddress(address, 'ethereum')).toEqual({
      ok: true,
      checksum: 'verified',
      canonical,
    });
    expect(checkAddress(address, 'bsc')).toEqual({ ok: true, checksum: 'verified', canonical });
  });

  it.each([
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
    '0xde709f2102306220921060314715629080e2fb77',
    '0x27b1fdb04752bbc536007a920d24acb045561c26',
    '0x1234567890123456789012345678901234567890',
  ])('accepts %s, whose letters have one case, without a checksum', (address) => {
    const canonical = address.toLowerCase();
    expect(checkAddress(address, 'polygon')).toEqual({ ok: true, checksum: 'none', canonical });
  });

  it.each<{ address: string; reason: string }>`
    address                                          | reason
    ${'0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD'}  | ${REASONS.checksum}
    ${'0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe'}   | ${'it has 39 digits instead of 40: it was cut off, or zeros at its start were lost'}
    ${'0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed0'} | ${REASONS.length}
    ${'0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeg'}  | ${REASONS.character}
    ${'0X5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'}  | ${'its 0x has a capital X'}
    ${'5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'}    | ${'the 0x at its start is missing'}
    ${'0x5aAe...BeAed'}                              | ${'it is shortened'}
    ${'5.19E+47'}                                    | ${'a spreadsheet turned it into a number'}
    ${'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'}          | ${'this is a TRON address'}
    ${'1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2'}          | ${'this is a Bitcoin address'}
    ${'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn'}          | ${'this is a testnet address'}
    ${`0x${'a'.repeat(5_000)}`}                      | ${REASONS.length}
  `('refuses $address: $reason', ({ address, reason }) => {
    expect(reasonOf(address, 'ethereum')).toBe(reason);
  });
});

describe('addresses of TRON', () => {
  it.each(['TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', 'TN3W4H6rK2ce4vX9YnFQHwKENnHjoxb3m9'])(
    'verifies %s',
    (address) => {
      expect(checkAddress(address, 'tron')).toEqual({
        ok: true,
        checksum: 'verified',
        canonical: address,
      });
    },
  );

  it.each<{ address: string; reason: string }>`
    address                                           | reason
    ${'TJRabPrwbZy45sbavfcjinPJC18kjpRTv9'}           | ${REASONS.checksum}
    ${'TJRabPrwbZy45sbavfcjinPJC18kjpRTv'}            | ${REASONS.length}
    ${'TJRabPrwbZy45sbavfcjinPJC18kjpRTv0'}           | ${'it has a 0, O, I or l, and no such address has one of these'}
    ${'0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'}   | ${'this is an Ethereum (EVM) address'}
    ${'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'}           | ${'this is an XRP Ledger address'}
    ${'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'} | ${'this is a Solana address'}
    ${''}                                             | ${REASONS.length}
  `('refuses "$address": $reason', ({ address, reason }) => {
    expect(reasonOf(address, 'tron')).toBe(reason);
  });
});

describe('addresses of Bitcoin', () => {
  it.each([
    '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2',
    '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
  ])('verifies %s', (address) => {
    expect(checkAddress(address, 'bitcoin')).toEqual({
      ok: true,
      checksum: 'verified',
      canonical: address,
    });
  });

  it('reads a segwit address in capital letters as the same one', () => {
    const address = 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4';
    expect(canonicalOf(address, 'bitcoin')).toBe('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4');
  });

  it.each([
    'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7',
    'tb1qqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesrxh6hy',
    'tb1pqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesf3hn0c',
    'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn',
    '2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc',
  ])('refuses %s, which is of a test network', (address) => {
    expect(reasonOf(address, 'bitcoin')).toBe(REASONS.testnet);
  });

  it.each<{ address: string; version: number }>`
    address                                   | version
    ${'BC1SW50QGDZ25J'}                       | ${16}
    ${'bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs'} | ${2}
  `('refuses $address: version $version is sound and means nothing yet', ({ address, version }) => {
    expect(reasonOf(address, 'bitcoin')).toBe(`witness version ${version} has no meaning yet`);
  });

  it.each<{ address: string; reason: string }>`
    address                                                                           | reason
    ${'bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y'}   | ${REASONS.length}
    ${'tc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq5zuyut'}               | ${REASONS.character}
    ${'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd'}               | ${REASONS.checksum}
    ${'BC1S0XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ54WELL'}               | ${REASONS.checksum}
    ${'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh'}                                   | ${REASONS.checksum}
    ${'tb1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq24jc47'}               | ${REASONS.checksum}
    ${'bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4'}               | ${REASONS.character}
    ${'BC130XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ7ZWS8R'}               | ${'witness version 17 has no meaning yet'}
    ${'bc1pw5dgrnzv'}                                                                 | ${REASONS.length}
    ${'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v8n0nx0muaewav253zgeav'} | ${REASONS.length}
    ${'BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P'}                                         | ${REASONS.length}
    ${'tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq47Zagq'}               | ${REASONS.oneCase}
    ${'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v07qwwzcrf'}             | ${REASONS.length}
    ${'tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vpggkg4j'}               | ${REASONS.length}
    ${'bc1gmk9yu'}                                                                    | ${REASONS.length}
    ${'LVg2kJoFNg45Nbpy53h7Fe1wKyeXVRhMH9'}                                           | ${'this is a Litecoin address'}
    ${'D7Y55r6Yoc1G8EECxkQ6SuSjTgGJJ7M6yD'}                                           | ${'this is a Dogecoin address'}
    ${'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a'}                       | ${'this is a Bitcoin Cash address'}
  `('refuses $address: $reason', ({ address, reason }) => {
    expect(reasonOf(address, 'bitcoin')).toBe(reason);
  });

  it('is not deceived by a letter that becomes ASCII in lower case', () => {
    const address = 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4'.replace('K', '\u212A');
    expect(address.toLowerCase()).toBe('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4');
    expect(reasonOf(address, 'bitcoin')).toBe(REASONS.oneCase);
  });
});

describe('addresses of Litecoin and Dogecoin', () => {
  it.each<{ network: Network; address: string }>`
    network       | address
    ${'litecoin'} | ${'LVg2kJoFNg45Nbpy53h7Fe1wKyeXVRhMH9'}
    ${'litecoin'} | ${'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9'}
    ${'dogecoin'} | ${'D7Y55r6Yoc1G8EECxkQ6SuSjTgGJJ7M6yD'}
  `('verifies $address on $network', ({ network, address }) => {
    expect(checkAddress(address, network)).toMatchObject({ ok: true, checksum: 'verified' });
  });

  it('does not guess whether a script address is of Bitcoin or of Litecoin', () => {
    const address = '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy';
    expect(reasonOf(address, 'litecoin')).toBe('this is a Bitcoin address');
  });
});

describe('addresses of Bitcoin Cash', () => {
  it.each<{ cashaddr: string; legacy: string }>`
    cashaddr                                                    | legacy
    ${'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a'} | ${'1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu'}
    ${'bitcoincash:qr95sy3j9xwd2ap32xkykttr4cvcu7as4y0qverfuy'} | ${'1KXrWXciRDZUpQwQmuM1DbwsKDLYAYsVLR'}
    ${'bitcoincash:qqq3728yw0y47sqn6l2na30mcw6zm78dzqre909m2r'} | ${'16w1D5WRVKJuZUsSRzdLp9w3YGcgoxDXb'}
    ${'bitcoincash:ppm2qsznhks23z7629mms6s4cwef74vcwvn0h829pq'} | ${'3CWFddi6m4ndiGyKqzYvsFYagqDLPVMTzC'}
  `('takes all forms of $cashaddr for the same', ({ cashaddr, legacy }) => {
    const canonical = canonicalOf(cashaddr, 'bitcoinCash');
    expect(canonical).toMatch(/^(key|script):[0-9a-f]{40}$/);
    const bare = cashaddr.slice('bitcoincash:'.length);
    for (const form of [bare, bare.toUpperCase(), cashaddr.toUpperCase(), legacy]) {
      expect(canonicalOf(form, 'bitcoinCash')).toBe(canonical);
    }
  });

  it.each<{ address: string; reason: string }>`
    address                                                           | reason
    ${'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6q'}       | ${REASONS.checksum}
    ${'bchtest:pr6m7j9njldwwzlg9v7v53unlr4jkmx6eyvwc0uz5t'}           | ${REASONS.testnet}
    ${'bitcoincash:q9adhakpwzztepkpwp5z0dq62m6u5v5xtyj7j3h2ws4mr9g0'} | ${REASONS.length}
    ${'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6'}        | ${REASONS.checksum}
    ${'pref:pr6m7j9njldwwzlg9v7v53unlr4jkmx6ey65nvtks5'}              | ${REASONS.prefix}
    ${'bitcoincash:Qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a'}       | ${REASONS.oneCase}
    ${'bitcoincash:'}                                                 | ${REASONS.checksum}
    ${'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'}                   | ${'this is a Bitcoin address'}
  `('refuses $address: $reason', ({ address, reason }) => {
    expect(reasonOf(address, 'bitcoinCash')).toBe(reason);
  });
});

describe('addresses of Solana', () => {
  it.each([
    '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV',
    '4fYNw3dojWmQ4dXtSGE9epjRGy9pFSx62YypT7avPYvA',
  ])('accepts %s, for which there is no checksum', (address) => {
    expect(checkAddress(address, 'solana')).toEqual({
      ok: true,
      checksum: 'none',
      canonical: address,
    });
  });

  it('refuses a key of another length', () => {
    expect(reasonOf('4fYNw3dojWmQ4dXtSGE9epjRGy9pFSx62YypT7avPY', 'solana')).toBe(REASONS.length);
    expect(reasonOf('TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', 'solana')).toBe('this is a TRON address');
  });
});

describe('addresses of TON', () => {
  const RAW = '0:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8';

  it.each([
    'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N',
    'UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI',
  ])('verifies the friendly form %s and returns its raw form', (address) => {
    expect(checkAddress(address, 'ton')).toEqual({
      ok: true,
      checksum: 'verified',
      canonical: RAW,
    });
  });

  it.each([RAW, RAW.toUpperCase()])('accepts the raw form %s without a checksum', (address) => {
    expect(checkAddress(address, 'ton')).toEqual({ ok: true, checksum: 'none', canonical: RAW });
  });

  it.each<{ address: string; reason: string }>`
    address                                               | reason
    ${'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2M'} | ${REASONS.checksum}
    ${'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2'}  | ${REASONS.length}
    ${'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2!'} | ${REASONS.character}
    ${`1:${RAW.slice(2)}`}                                | ${REASONS.length}
    ${`${RAW}0`}                                          | ${REASONS.length}
  `('refuses $address: $reason', ({ address, reason }) => {
    expect(reasonOf(address, 'ton')).toBe(reason);
  });
});

describe('addresses of the XRP Ledger', () => {
  const CLASSIC = 'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59';

  it('verifies classic addresses', () => {
    for (const address of [CLASSIC, 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh']) {
      expect(checkAddress(address, 'xrp')).toMatchObject({ ok: true, checksum: 'verified' });
    }
  });

  it('reads an X-address without a tag as the classic address, and refuses one with a tag', () => {
    const classic = canonicalOf(CLASSIC, 'xrp');
    const bare = 'X7AcgcsBL6XDcUb289X4mJ8djcdyKaB5hJDWMArnXr61cqZ';
    const tagged = 'X7AcgcsBL6XDcUb289X4mJ8djcdyKaGZMhc9YTE92ehJ2Fu';
    expect(canonicalOf(bare, 'xrp')).toBe(classic);
    expect(canonicalOf(tagged, 'xrp')).toBe(`${classic}:0100000000000000`);
  });

  it.each<{ address: string; reason: string }>`
    address                                              | reason
    ${'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk58'}              | ${REASONS.checksum}
    ${'T719a5UwUCnEs54UsxG9CJYYDhwmFCqkr7wxCcNcfZ6p5GZ'} | ${REASONS.testnet}
    ${'1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2'}              | ${'this is a Bitcoin address'}
  `('refuses $address: $reason', ({ address, reason }) => {
    expect(reasonOf(address, 'xrp')).toBe(reason);
  });
});

/** A network of each family that is not called like one. */
const NETWORK_OF: Readonly<Partial<Record<string, Network>>> = { evm: 'ethereum' };

describe('addresses that no batch should pay', () => {
  it.each<{ network: Network; address: string; note: string }>`
    network          | address                                               | note
    ${'ethereum'}    | ${'0x0000000000000000000000000000000000000000'}       | ${'burn'}
    ${'polygon'}     | ${'0x000000000000000000000000000000000000dead'}       | ${'burn'}
    ${'ethereum'}    | ${'0xdAC17F958D2ee523a2206206994597C13D831ec7'}       | ${'token-contract'}
    ${'bsc'}         | ${'0x55d398326f99059ff775485246999027b3197955'}       | ${'token-contract'}
    ${'tron'}        | ${'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'}               | ${'token-contract'}
    ${'tron'}        | ${'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb'}               | ${'burn'}
    ${'solana'}      | ${'11111111111111111111111111111111'}                 | ${'burn'}
    ${'ton'}         | ${'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs'} | ${'token-contract'}
    ${'bitcoin'}     | ${'1BitcoinEaterAddressDontSendf59kuE'}               | ${'burn'}
    ${'xrp'}         | ${'rrrrrrrrrrrrrrrrrrrrBZbvji'}                       | ${'burn'}
    ${'ethereum'}    | ${'0x0000000000000000000000000000000000000001'}       | ${'burn'}
    ${'base'}        | ${'0x0000000000000000000000000000000000000011'}       | ${'burn'}
    ${'ethereum'}    | ${'0xdead000000000000000000000000000000000000'}       | ${'burn'}
    ${'bitcoin'}     | ${'1111111111111111111114oLvT2'}                      | ${'burn'}
    ${'bitcoinCash'} | ${'1111111111111111111114oLvT2'}                      | ${'burn'}
    ${'litecoin'}    | ${'LKDxGDJq5fF4FohAB8zJH24mDDNHDNtqsE'}               | ${'burn'}
    ${'dogecoin'}    | ${'DDogepartyxxxxxxxxxxxxxxxxxxw1dfzr'}               | ${'burn'}
    ${'tron'}        | ${'TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy'}               | ${'burn'}
    ${'ethereum'}    | ${'0x7D1AfA7B718fb893dB30A3aBc0Cfc608AaCfeBB0'}       | ${'token-contract'}
    ${'polygon'}     | ${'0x0000000000000000000000000000000000001010'}       | ${'token-contract'}
    ${'bsc'}         | ${'0xe9e7CEA3DedcA5984780Bafc599bD69ADd087D56'}       | ${'token-contract'}
    ${'ethereum'}    | ${'0x4Fabb145d64652a948d72533023f6E7A623C7C53'}       | ${'token-contract'}
    ${'polygon'}     | ${'0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063'}       | ${'token-contract'}
    ${'optimism'}    | ${'0x4200000000000000000000000000000000000042'}       | ${'token-contract'}
    ${'arbitrum'}    | ${'0x912CE59144191C1204E64559FE8253a0e49E6548'}       | ${'token-contract'}
    ${'ethereum'}    | ${'0x0000000000085d4780B73119b644AE5ecd22b376'}       | ${'token-contract'}
    ${'tron'}        | ${'TUpMhErZL2fhh4sVNULAbNKLokS4GjC1F4'}               | ${'token-contract'}
    ${'tron'}        | ${'TXDk8mbtRbXeYuMNS83CfKPaYYT8XWv9Hz'}               | ${'token-contract'}
    ${'tron'}        | ${'TPYmHEhy5n8TCEfYGqW2rPxsghSfzghPDn'}               | ${'token-contract'}
    ${'bsc'}         | ${'0x7130d2A12B9BCbFAe4f2634d864A1Ee1Ce3Ead9c'}       | ${'token-contract'}
  `('knows $address on $network as $note', ({ network, address, note }) => {
    expect(checkAddress(address, network)).toMatchObject({ ok: true, note });
  });

  // Small numbers have letters now and then, and no checksum; addresses of Solana never have one.
  it('are written with their checksums, and each stands in the list once', () => {
    const listed = NOTABLE_ADDRESSES.flatMap(({ family, addresses }) =>
      addresses.map((address) => [family, address] as const),
    );
    const bare = listed.filter(([family, address]) => {
      const check = checkAddress(address, NETWORK_OF[family] ?? (family as Network));
      return family !== 'solana' && (!check.ok || check.checksum === 'none');
    });
    expect(bare.filter(([, address]) => /[a-f]/i.test(address.slice(2)))).toEqual(
      [10, 11, 12, 13, 14, 15].map((n) => ['evm', `0x${'0'.repeat(39)}${n.toString(16)}`]),
    );
    const names = listed.map(([family, address]) => `${family} ${address.toLowerCase()}`);
    expect(new Set(names).size).toBe(names.length);
  });
});
