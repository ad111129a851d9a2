import { withAlternatives } from '../domain/currencies/alternatives.ts';
import { type CurrencyInfo, currencyInfo, isCurrency } from '../domain/currencies/currency-info.ts';
import type { RowLimits } from '../domain/plan/rules.ts';
import type { RefusedRow } from '../domain/rows/refused-row.ts';
import { findingsOf } from '../domain/rows/row-rules-findings.ts';
import type { AcceptedRow } from '../domain/rows/row-rules.ts';
import type { Row, RowNumber } from '../domain/rows/row.ts';
import type { CheckedBlock } from './checked-block.ts';
import { detached, detachedCopy } from './detached.ts';
import { createFindingCollector } from './finding-collector.ts';
import { createRecipientSums, createRowLimit } from './limit-checker.ts';
import { createRowPacker } from './row-packer.ts';
import {
  createRowReader,
  isPossibleTotal,
  isSwallowed,
  type PossibleTotal,
  type ReadResult,
  type SwallowedRows,
} from './read-row.ts';
import { createReferenceRule, type DuplicateRows } from './reference-rule.ts';
import { createRowCursor, type TableBlock } from './table-block.ts';

/** The rules for the rows of one file. */
export type CheckRules = Readonly<{
  /** The currency of rows without one; empty for none. */
  defaultCurrency: string;
  limits: RowLimits;
}>;

/** Checks blocks of rows. The result depends on the block alone. */
export type BlockChecker = Readonly<{
  /** `duplicates`: rows to refuse for their reference; none at first. */
  check(block: TableBlock, duplicates?: DuplicateRows): CheckedBlock;
  /** Checks rows of an earlier import. */
  checkRows(rows: readonly Row[], duplicates?: DuplicateRows): CheckedBlock;
  /** Returns the accepted rows with these numbers. */
  rowsAt(block: TableBlock, numbers: ReadonlySet<RowNumber>): Row[];
}>;

/** Returns the result of the next row, and undefined for a row without a value. */
type NextResult = () => ReadResult | undefined;

const NO_DUPLICATES: DuplicateRows = new Map();

export function createBlockChecker({ defaultCurrency, limits }: CheckRules): BlockChecker {
  const currencies = createCurrencyList();
  const references = createReferenceRule();
  const reader = createRowReader({ defaultCurrency, infoOf: currencies.infoOf, references });
  const packer = createRowPacker();
  const checkRowLimit = createRowLimit(limits.row);

  function checkAll(
    count: number,
    nextResult: NextResult,
    duplicates: DuplicateRows,
  ): CheckedBlock {
    references.begin(duplicates);
    const findings = createFindingCollector();
    const recipients = createRecipientSums(limits.payee);
    const read = readAll(count, nextResult, (accepted) => {
      for (const each of accepted) {
        for (const [code, detail] of findingsOf(each)) {
          findings.add(code, { row: each.row.row, detail });
        }
        checkRowLimit(each, findings);
      }
      recipients.add(accepted);
      packer.add(accepted);
    });
    return {
      ...read,
      ...packer.take(),
      currencies: currencies.take(),
      references: references.list(),
      findings: findings.findings(),
      recipients: recipients.sums(),
    };
  }

  return {
    check(block, duplicates = NO_DUPLICATES) {
      const nextRow = createRowCursor(block);
      const nextResult = () => reader.read(nextRow(), block.layout);
      return checkAll(block.lines.length, nextResult, duplicates);
    },
    checkRows(rows, duplicates = NO_DUPLICATES) {
      const remaining = rows.values();
      const nextResult = () => {
        const { value: row } = remaining.next();
        return row && reader.check(row);
      };
      return checkAll(rows.length, nextResult, duplicates);
    },
    rowsAt(block, numbers) {
      const nextRow = createRowCursor(block);
      return block.lines.flatMap((line) => {
        const row = nextRow();
        if (!numbers.has(line)) return [];
        const result = reader.read(row, block.layout);
        return result !== undefined && 'ok' in result && result.ok ? [result.row] : [];
      });
    },
  };
}

/**
 * Accepted rows that are packed together. Objects of more rows would live long enough to be copied
 * by the garbage collector, which takes a quarter of the time of a thread.
 */
const ROWS_TOGETHER = 64;

/** Reads the rows of a block up to one that swallowed others, and passes the accepted ones on. */
function readAll(
  count: number,
  nextResult: NextResult,
  pass: (accepted: readonly AcceptedRow[]) => void,
) {
  let accepted: AcceptedRow[] = [];
  const refused: RefusedRow[] = [];
  let [rowCount, refusedRowCount] = [0, 0];
  let swallowed: SwallowedRows | undefined;
  let possibleTotal: PossibleTotal | undefined;
  const refuse = (reasons: readonly RefusedRow[]): void => {
    rowCount += 1;
    refusedRowCount += 1;
    refused.push(...reasons);
  };
  for (let index = 0; index < count && swallowed === undefined; index++) {
    const result = nextResult();
    if (result === undefined) continue;
    if (isSwallowed(result)) {
      swallowed = result;
      continue;
    }
    if (possibleTotal !== undefined) refuse(possibleTotal.reasons);
    possibleTotal = isPossibleTotal(result) ? result : undefined;
    if (isPossibleTotal(result)) continue;
    if (result.ok) {
      rowCount += 1;
      accepted.push(result);
    } else {
      refuse(result.reasons);
    }
    if (accepted.length < ROWS_TOGETHER) continue;
    pass(accepted);
    accepted = [];
  }
  if (accepted.length > 0) pass(accepted);
  return {
    rowCount,
    refusedRowCount,
    refused: detachedCopy(refused),
    swallowed,
    possibleTotal: possibleTotal && detachedCopy(possibleTotal),
  };
}

/** Reads each currency of a file once, and lists the currencies of each block. */
function createCurrencyList() {
  const known = new Map<string, { currency: string; info: CurrencyInfo; block: number }>();
  let block = 0;
  let currencies: [string, RowNumber][] = [];

  function entryOf(text: string) {
    const entry = known.get(text);
    if (entry !== undefined || !isCurrency(text)) return entry;
    const currency = detached(text);
    const info = withAlternatives(currency, currencyInfo(currency));
    const added = { currency, info, block: -1 };
    known.set(currency, added);
    return added;
  }

  return {
    infoOf(text: string, row: RowNumber): CurrencyInfo | undefined {
      const entry = entryOf(text);
      if (entry === undefined) return undefined;
      if (entry.block !== block) currencies.push([entry.currency, row]);
      entry.block = block;
      return entry.info;
    },
    /** Returns the currencies of the rows since the last call, with the first row of each. */
    take(): readonly [string, RowNumber][] {
      const taken = currencies;
      currencies = [];
      block += 1;
      return taken;
    },
  };
}
