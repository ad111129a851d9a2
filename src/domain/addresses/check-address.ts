import { type Network, NETWORKS, type NetworkFamily } from '../currencies/network.ts';
import {
  ADDRESS_CHARS_MAX,
  type AddressCheck,
  type AddressNote,
  REASONS,
  refused,
} from './address-check.ts';
import { checkBitcoin, checkDogecoin, checkLitecoin } from './bitcoin.ts';
import { checkBitcoinCash } from './bitcoin-cash.ts';
import { damageAnywhere, damageOf } from './damage.ts';
import { checkEvm } from './evm.ts';
import { NOTABLE_ADDRESSES } from './notable-addresses.ts';
import { checkSolana, checkTron } from './base58.ts';
import { checkTon } from './ton.ts';
import { checkXrp } from './xrp.ts';

const CHECKS: Readonly<Record<NetworkFamily, (address: string) => AddressCheck>> = {
  evm: checkEvm,
  tron: checkTron,
  solana: checkSolana,
  ton: checkTon,
  bitcoin: checkBitcoin,
  litecoin: checkLitecoin,
  dogecoin: checkDogecoin,
  bitcoinCash: checkBitcoinCash,
  xrp: checkXrp,
};

/** Titles for the text "this is ... address"; Bitcoin stands before Bitcoin Cash, whose older form is equal. */
const FAMILY_TITLES: readonly (readonly [NetworkFamily, string])[] = [
  ['evm', 'an Ethereum (EVM)'],
  ['tron', 'a TRON'],
  ['bitcoin', 'a Bitcoin'],
  ['litecoin', 'a Litecoin'],
  ['dogecoin', 'a Dogecoin'],
  ['bitcoinCash', 'a Bitcoin Cash'],
  ['xrp', 'an XRP Ledger'],
  ['ton', 'a TON'],
  ['solana', 'a Solana'],
];

const NOTES: ReadonlyMap<string, AddressNote> = new Map(
  NOTABLE_ADDRESSES.flatMap(({ family, note, addresses }) =>
    addresses.map((address) => [canonicalOf(family, address), note] as const),
  ),
);

function canonicalOf(family: NetworkFamily, address: string): string {
  const check = CHECKS[family](address);
  if (!check.ok) throw new Error(`the list of notable addresses is damaged at ${address}`);
  return check.canonical;
}

/**
 * Checks one address, without spaces around it, against the network on which it is to be paid. A checksum that can be
 * checked is checked; a wrong one, another network's address and a testnet address are refused with a reason.
 */
export function checkAddress(address: string, network: Network): AddressCheck {
  const { family } = NETWORKS[network];
  if (address.length > ADDRESS_CHARS_MAX) return refused(REASONS.length);
  const check = CHECKS[family](address);
  if (!check.ok) return refused(betterReason(address, family) ?? check.reason);
  const note = NOTES.get(check.canonical);
  return note === undefined ? check : { ...check, note };
}

function betterReason(address: string, family: NetworkFamily): string | undefined {
  return damageAnywhere(address) ?? otherFamily(address, family) ?? damageOf(address, family);
}

function otherFamily(address: string, family: NetworkFamily): string | undefined {
  for (const [other, title] of FAMILY_TITLES) {
    if (other === family) continue;
    const check = CHECKS[other](address);
    if (check.ok) return `this is ${title} address`;
    if (check.reason === REASONS.testnet) return REASONS.testnet;
  }
  return undefined;
}
