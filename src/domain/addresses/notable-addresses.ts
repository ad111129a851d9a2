import type { AddressNote } from './address-check.ts';
import type { NetworkFamily } from '../currencies/network.ts';

/**
 * Contracts that every EVM network has built in, at the addresses 1 to 17 (EIP-2537 added the last of them). No person
 * holds a key for them, and they return no money.
 */
const PRECOMPILES = Array.from(
  { length: 17 },
  (_, i) => `0x${(i + 1).toString(16).padStart(40, '0')}`,
);

type Notable = Readonly<{ family: NetworkFamily; note: AddressNote; addresses: readonly string[] }>;

/** Addresses that no batch should pay: no person holds their key, or they are contracts that keep the money. */
export const NOTABLE_ADDRESSES: readonly Notable[] = [
  {
    family: 'evm',
    note: 'burn',
    addresses: [
      '0x0000000000000000000000000000000000000000',
      ...PRECOMPILES,
      '0x000000000000000000000000000000000000dEaD',
      '0x00000000000000000000000000000000DeaDBeef',
      '0xdEad000000000000000000000000000000000000',
      '0xdEAD000000000000000042069420694206942069',
      '0xFFfFfFffFFfffFFfFFfFFFFFffFFFffffFfFFFfF',
      '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE',
    ],
  },
  {
    family: 'evm',
    note: 'token-contract',
    addresses: [
      // Ethereum: USDT, USDC, DAI, WETH, WBTC, MATIC, POL, BUSD, TUSD, USDD and the older one, ARB
      '0xdAC17F958D2ee523a2206206994597C13D831ec7',
      '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
      '0x6B175474E89094C44Da98b954EedeAC495271d0F',
      '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
      '0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599',
      '0x7D1AfA7B718fb893dB30A3aBc0Cfc608AaCfeBB0',
      '0x455e53CBB86018Ac2B8092FdCd39d8444aFFC3F6',
      '0x4Fabb145d64652a948d72533023f6E7A623C7C53',
      '0x0000000000085d4780B73119b644AE5ecd22b376',
      '0x4f8e5DE400DE08B164E7421B3EE387f461beCD1A',
      '0x0C10bF8FcB7Bf5412187A595ab97a3609160b5c6',
      '0xB50721BCf8d664c30412Cfbc6cf7a15145234ad1',
      // BNB Smart Chain: USDT, USDC, BUSD, WBNB
      '0x55d398326f99059fF775485246999027B3197955',
      '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d',
      '0xe9e7CEA3DedcA5984780Bafc599bD69ADd087D56',
      '0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c',
      // BNB Smart Chain: DAI, TUSD and the older one, USDD and the older one, MATIC
      '0x1AF3F329e8BE154074D8769D1FFa4eE058B1DBc3',
      '0x40af3827F39D0EAcBF4A168f8D4ee67c121D11c9',
      '0x14016E85a25aeb13065688cAFB43044C2ef86784',
      '0x45E51bc23D592EB2DBA86da3985299f7895d66Ba',
      '0xd17479997F34dd9156Deef8F95A52D81D265be9c',
      '0xCC42724C6683B7E57334c4E856f4c9965ED682bD',
      // BNB Smart Chain: BTC, ETH, XRP, LTC, DOGE, BCH
      '0x7130d2A12B9BCbFAe4f2634d864A1Ee1Ce3Ead9c',
      '0x2170Ed0880ac9A755fd29B2688956BD959F933F8',
      '0x1D2F0da169ceB9fC7B3144628dB156f3F6c60dBE',
      '0x4338665CBB7B2485A8855A139b75D5e34AB0DB94',
      '0xbA2aE424d960c26247Dd6c32edC70B295c744C43',
      '0x8fF795a6F4D97E7887C79beA79aba5cc76444aDf',
      // Polygon: USDT, USDC, bridged USDC
      '0xc2132D05D31c914a87C6611C10748AEb04B58e8F',
      '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
      '0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174',
      // Polygon: POL (once MATIC), wrapped POL, DAI, WETH, WBTC; BUSD, also on Avalanche and Optimism
      '0x0000000000000000000000000000000000001010',
      '0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270',
      '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063',
      '0x7ceB23fD6bC0adD59E62ac25578270cFf1b9f619',
      '0x1BFD67037B42Cf73acF2047067bd4F2C47D9BfD6',
      '0x9C9e5fD8bbc25984B178FdCE6117Defa39d2db39',
      // Arbitrum: USDT, USDC
      '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9',
      '0xaf88d065e77c8cC2239327C5EDb3A432268e5831',
      // Arbitrum: bridged USDC, ARB, WETH, WBTC; DAI, also on Optimism
      '0xFF970A61A04b1cA14834A43f5dE4533eBDDB5CC8',
      '0x912CE59144191C1204E64559FE8253a0e49E6548',
      '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1',
      '0x2f2a2543B76A4166549F7aaB2e75Bef0aefC5B0f',
      '0xDA10009cBd5D07dd0CeCc66161FC93D7c9000da1',
      // Optimism: USDT, USDC
      '0x94b008aA00579c1307B0EF2c499aD98a8ce58e58',
      '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85',
      // Optimism: bridged USDC, OP, WBTC; WETH, also on Base
      '0x7F5c764cBc14f9669B88837ca1490cCa17c31607',
      '0x4200000000000000000000000000000000000042',
      '0x68f180fcCe6836688e9084f035309E29Bf0A2095',
      '0x4200000000000000000000000000000000000006',
      // Base: USDC, bridged USDC, USDT, DAI
      '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      '0xd9aAEc86B65D86f6A7B5B1b0c42FFA531710b6CA',
      '0xfde4C96c8593536E31F229EA8f37b2ADa2699bb2',
      '0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb',
      // Avalanche: USDT, USDC
      '0x9702230A8Ea53601f5cD2dc00fDBc13d4dF4A8c7',
      '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E',
      // Avalanche: wrapped AVAX; bridged USDT, USDC, DAI, WETH, WBTC
      '0xB31f66AA3C1e785363F0875A1B74E27b85FD66c7',
      '0xc7198437980c041c805A1EDcbA50c1Ce5db95118',
      '0xA7D7079b0FEaD91F3e65f86E8915Cb59c1a4C664',
      '0xd586E7F844cEa2F87f50152665BCbc2C279D8d70',
      '0x49D5c2BdFfac6CE2BFdB6640F4F80f226bc10bAB',
      '0x50b7545627a5162F82A992c33b87aDc75187B218',
    ],
  },
  {
    family: 'tron',
    note: 'burn',
    addresses: [
      'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb',
      // "Blackhole" of the first block
      'TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy',
    ],
  },
  {
    family: 'tron',
    note: 'token-contract',
    addresses: [
      // USDT, USDC, TUSD, USDD and the older one, WBTC, wrapped TRX
      'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
      'TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8',
      'TUpMhErZL2fhh4sVNULAbNKLokS4GjC1F4',
      'TXDk8mbtRbXeYuMNS83CfKPaYYT8XWv9Hz',
      'TPYmHEhy5n8TCEfYGqW2rPxsghSfzghPDn',
      'TXpw8XeWYeTUd4quDskoUqeQPowRh4jY65',
      'TNUC9Qb1rRpS5CbWLmNMxXBjyFoydXjWFR',
    ],
  },
  {
    family: 'solana',
    note: 'burn',
    addresses: ['11111111111111111111111111111111', '1nc1nerator11111111111111111111111111111111'],
  },
  {
    family: 'solana',
    note: 'token-contract',
    addresses: [
      // USDT, USDC, wrapped SOL
      'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB',
      'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
      'So11111111111111111111111111111111111111112',
    ],
  },
  {
    family: 'ton',
    note: 'burn',
    addresses: [
      // The hash zero, of the base chain and of the masterchain
      'EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAM9c',
      'Ef8AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAADAU',
    ],
  },
  {
    family: 'ton',
    note: 'token-contract',
    addresses: ['EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs'],
  },
  {
    family: 'bitcoin',
    note: 'burn',
    addresses: [
      '1BitcoinEaterAddressDontSendf59kuE',
      '1CounterpartyXXXXXXXXXXXXXXXUWLpVr',
      // The hash zero, in both forms
      '1111111111111111111114oLvT2',
      'bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq9e75rs',
    ],
  },
  // The hash zero
  { family: 'bitcoinCash', note: 'burn', addresses: ['1111111111111111111114oLvT2'] },
  { family: 'litecoin', note: 'burn', addresses: ['LKDxGDJq5fF4FohAB8zJH24mDDNHDNtqsE'] },
  {
    family: 'dogecoin',
    note: 'burn',
    addresses: ['D596YFweJQuHY1BbjazZYmAbt8jJPbKehC', 'DDogepartyxxxxxxxxxxxxxxxxxxw1dfzr'],
  },
  {
    family: 'xrp',
    note: 'burn',
    addresses: [
      // The numbers zero and one; NaN; where names were once reserved
      'rrrrrrrrrrrrrrrrrrrrrhoLvTp',
      'rrrrrrrrrrrrrrrrrrrrBZbvji',
      'rrrrrrrrrrrrrrrrrrrn5RM1rHd',
      'rrrrrrrrrrrrrrrrrNAMEtxvNvQ',
    ],
  },
];
