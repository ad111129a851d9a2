/**
 * The result of checking an address. `canonical` is one text for every way to write the same destination: it serves
 * comparison, and is never sent. `note` marks addresses that no batch should pay.
 */
export type AddressCheck = AcceptedAddress | RefusedAddress;

export type AcceptedAddress = Readonly<{
  ok: true;
  checksum: 'verified' | 'none';
  canonical: string;
  note?: AddressNote;
}>;

/** `reason` ends the sentence "... is not an address of TRON: ". */
export type RefusedAddress = Readonly<{ ok: false; reason: string }>;

export type AddressNote = 'burn' | 'token-contract';

/** Longest text that can be an address; longer ones are refused before any work is done on them. */
export const ADDRESS_CHARS_MAX = 128;

export const REASONS = {
  character: 'it has a character that no such address has',
  checksum: 'its checksum is wrong, so at least one character was changed',
  length: 'its length is wrong, so it was cut off or has something added',
  prefix: 'it does not start as such an address does',
  testnet: 'this is a testnet address',
  oneCase: 'it mixes capital and small letters, or has a character that no such address has',
} as const;

export const verified = (canonical: string): AcceptedAddress => ({
  ok: true,
  checksum: 'verified',
  canonical,
});

export const withoutChecksum = (canonical: string): AcceptedAddress => ({
  ok: true,
  checksum: 'none',
  canonical,
});

export const refused = (reason: string): RefusedAddress => ({ ok: false, reason });
