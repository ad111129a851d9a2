import type { AddressNote } from './address-check.ts';
import type { NetworkFamily } from '../currencies/network.ts';

type Notable = Readonly<{ family: NetworkFamily; note: AddressNote; addresses: readonly string[] }>;

/** Addresses to which nobody should pay: nobody holds their key, or they are contracts that keep what they are sent. */
export const NOTABLE_ADDRESSES: readonly Notable[] = [
  {
    family: 'evm',
    note: 'burn',
    addresses: [
      '0x0000000000000000000000000000000000000000',
      '0x000000000000000000000000000000000000dEaD',
      '0xdEAD000000000000000042069420694206942069',
      '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE',
    ],
  },
  {
    family: 'evm',
    note: 'token-contract',
    addresses: [
      // Ethereum: USDT, USDC, DAI, WETH, WBTC
      '0xdAC17F958D2ee523a2206206994597C13D831ec7',
      '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
      '0x6B175474E89094C44Da98b954EedeAC495271d0F',
      '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
      '0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599',
      // BNB Smart Chain: USDT, USDC, BUSD, WBNB
      '0x55d398326f99059fF775485246999027B3197955',
      '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d',
      '0xe9e7CEA3DedcA5984780Bafc599bD69ADd087D56',
      '0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c',
      // Polygon: USDT, USDC, bridged USDC
      '0xc2132D05D31c914a87C6611C10748AEb04B58e8F',
      '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
      '0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174',
      // Arbitrum: USDT, USDC
      '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9',
      '0xaf88d065e77c8cC2239327C5EDb3A432268e5831',
      // Optimism: USDT, USDC
      '0x94b008aA00579c1307B0EF2c499aD98a8ce58e58',
      '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85',
      // Base: USDC
      '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      // Avalanche: USDT, USDC
      '0x9702230A8Ea53601f5cD2dc00fDBc13d4dF4A8c7',
      '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E',
    ],
  },
  { family: 'tron', note: 'burn', addresses: ['T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb'] },
  {
    family: 'tron',
    note: 'token-contract',
    addresses: [
      // USDT, USDC
      'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
      'TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8',
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
      // USDT, USDC
      'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB',
      'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    ],
  },
  {
    family: 'ton',
    note: 'burn',
    addresses: ['EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAM9c'],
  },
  {
    family: 'ton',
    note: 'token-contract',
    addresses: ['EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs'],
  },
  {
    family: 'bitcoin',
    note: 'burn',
    addresses: ['1BitcoinEaterAddressDontSendf59kuE', '1CounterpartyXXXXXXXXXXXXXXXUWLpVr'],
  },
  {
    family: 'xrp',
    note: 'burn',
    addresses: ['rrrrrrrrrrrrrrrrrrrrrhoLvTp', 'rrrrrrrrrrrrrrrrrrrrBZbvji'],
  },
];
