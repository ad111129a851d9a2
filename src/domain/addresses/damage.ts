import type { NetworkFamily } from '../currencies/network.ts';

/** What happened to an address on its way into the file, where its text shows that. */
type Damage = readonly [RegExp, reason: string | ((match: RegExpExecArray) => string)];

const DIGITS = 40;

const cutOf = (digits: string): string =>
  `it has ${digits.length} digits instead of ${DIGITS}: it was cut off, or zeros at its start were lost`;

/** What spreadsheets and people do to any address. Each ends the sentence "... is not an address of TRON: ". */
const ANYWHERE: readonly Damage[] = [
  [/\.\.\.?/, 'it is shortened'],
  [/^\d(?:[.,]\d+)?E[+-]?\d+$/i, 'a spreadsheet turned it into a number'],
  [/^[1-9]\d{14,}0{9,}$/, 'a spreadsheet turned it into a number, and its last digits into zeros'],
  [/^#+$/, 'a spreadsheet showed number signs in its place, because its column was too narrow'],
  [/^#(?:REF|N\/A|VALUE|NAME|DIV|NUM|NULL|ERROR|SPILL|CALC)/i, 'it is an error of a formula'],
  [/^'/, 'it starts with an apostrophe, by which a spreadsheet marks text'],
];

const OF_EVM: readonly Damage[] = [
  [/^[0-9a-f]{40}$/i, 'the 0x at its start is missing'],
  [/^x[0-9a-f]{40}$/i, 'the 0 at its start is missing'],
  [/^0X[0-9a-fA-F]{40}$/, 'its 0x has a capital X'],
  [/^0x([0-9a-f]{1,39})$/i, ([, digits = '']) => cutOf(digits)],
  [/^([0-9a-f]{30,39})$/i, ([digits]) => `the 0x at its start is missing, and ${cutOf(digits)}`],
];

/** Letters that base58 leaves out, because they resemble others. */
const OF_BASE58: readonly Damage[] = [
  [
    /^[1-9A-Za-z]*[0OIl][0-9A-Za-z]*$/,
    'it has a 0, O, I or l, and no such address has one of these',
  ],
];

const OF_FAMILY: Readonly<Partial<Record<NetworkFamily, readonly Damage[]>>> = {
  evm: OF_EVM,
  tron: OF_BASE58,
  solana: OF_BASE58,
  dogecoin: OF_BASE58,
  xrp: OF_BASE58,
};

/** The damage that any address can have; undefined when none is to be seen. */
export const damageAnywhere = (address: string): string | undefined => seen(ANYWHERE, address);

/** The damage that addresses of one family of networks can have. */
export const damageOf = (address: string, family: NetworkFamily): string | undefined =>
  seen(OF_FAMILY[family] ?? [], address);

function seen(damages: readonly Damage[], address: string): string | undefined {
  for (const [shape, reason] of damages) {
    const match = shape.exec(address);
    if (match !== null) return typeof reason === 'string' ? reason : reason(match);
  }
  return undefined;
}
