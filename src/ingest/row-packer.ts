import { addAmounts, type Amount, formatAmount, sumAmounts, ZERO } from '../domain/money/amount.ts';
import { IDENTITY_WORDS, writeIdentities } from '../domain/payees/identity.ts';
import { contentLine, PRINT_WORDS, writePrint } from '../domain/plan/row-print.ts';
import type { AcceptedRow } from '../domain/rows/row-rules.ts';
import { packRow } from '../domain/rows/row.ts';
import type { CheckedBlock, CheckedRows } from './checked-block.ts';
import { joinedBytes, joinedWords } from './joined.ts';
import { createFingerprintSpaces, type FingerprintSpaces } from './fingerprint-spaces.ts';

/** Writes the accepted rows of a block as `CheckedBlock` holds them. */
export type RowPacker = Readonly<{
  /** Adds the next rows. */
  add(rows: readonly AcceptedRow[]): void;
  /** Returns the rows that were added since the last call. */
  take(): Pick<CheckedBlock, 'content' | 'accepted'>;
}>;

/** Rows of one currency: `packed` by row, the others in the pieces in which they were added. */
type CurrencyRows = Readonly<{
  currency: string;
  packed: string[];
  amounts: string[];
  prints: Int32Array[];
  identities: Int32Array[];
  totals: Amount[];
}>;

/** Rows of one currency, and the places of their lines in the content. */
type Group = Readonly<{ rows: AcceptedRow[]; starts: number[] }>;

const encoder = new TextEncoder();

export function createRowPacker(): RowPacker {
  const spaceOf = createFingerprintSpaces();
  let byCurrency = new Map<string, CurrencyRows>();
  let contents: Uint8Array[] = [];

  function rowsOf(text: string): CurrencyRows {
    const existing = byCurrency.get(text);
    if (existing !== undefined) return existing;
    const { currency } = spaceOf(text);
    const added = { currency, packed: [], amounts: [], prints: [], identities: [], totals: [] };
    byCurrency.set(currency, added);
    return added;
  }

  return {
    add(rows) {
      const { groups, content } = grouped(rows);
      contents.push(content);
      for (const [text, group] of groups) addGroup(rowsOf(text), group, { content, spaceOf });
    },
    take() {
      const taken = {
        content: joinedBytes(contents),
        accepted: [...byCurrency.values()].map(checkedRows),
      };
      byCurrency = new Map();
      contents = [];
      return taken;
    },
  };
}

function grouped(rows: readonly AcceptedRow[]) {
  const groups = new Map<string, Group>();
  let text = '';
  for (const each of rows) {
    const { currency, amount } = each.row;
    const existing = groups.get(currency);
    const group = existing ?? { rows: [], starts: [] };
    if (existing === undefined) groups.set(currency, group);
    group.rows.push(each);
    group.starts.push(text.length);
    text += contentLine(currency, each.address.canonical, amount);
  }
  const content = encoder.encode(text);
  // The rules accept no other characters, so the places in the text are those of the bytes.
  if (content.length !== text.length) throw new Error('the content has characters beyond ASCII');
  return { groups, content };
}

function addGroup(
  { currency, packed, amounts, prints, identities, totals }: CurrencyRows,
  { rows, starts }: Group,
  { content, spaceOf }: Readonly<{ content: Uint8Array; spaceOf: FingerprintSpaces }>,
): void {
  const space = spaceOf(currency);
  const words = new Int32Array(rows.length * PRINT_WORDS);
  const named = new Int32Array(rows.length * IDENTITY_WORDS);
  rows.forEach(({ row: { row, address, amount } }, i) => {
    const start = starts[i] ?? 0;
    writePrint(words, i * PRINT_WORDS, { space, content, start, row, address, amount });
  });
  rows.forEach(({ row }, i) => {
    packed.push(packRow(row));
    writeIdentities(named, i * IDENTITY_WORDS, { space, row });
  });
  amounts.push(rows.map(({ row }) => row.amount).join(' '));
  prints.push(words);
  identities.push(named);
  totals.push(sumAmounts(rows.map(({ amount }) => amount)));
}

function checkedRows({
  currency,
  packed,
  amounts,
  prints,
  identities,
  totals,
}: CurrencyRows): CheckedRows {
  return {
    currency,
    packed: packed.join('\n'),
    amounts: amounts.join(' '),
    total: formatAmount(totals.reduce(addAmounts, ZERO)),
    prints: joinedWords(prints),
    identities: joinedWords(identities),
  };
}
