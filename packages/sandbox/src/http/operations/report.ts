import { z } from 'zod';
import { BLOCKCHAINS, blockchainOf } from '../../core/blockchains.ts';
import { type ReportLine, reportOf } from '../../core/reports.ts';
import type { SandboxStore } from '../../store/store.ts';
import { exactNumber, type ExactJsonValue } from '../exact-json.ts';
import { AccountId, DateTime, Text, Timestamp } from '../fields.ts';
import { serveOperation } from '../operation.ts';
import { ZoneOffset } from '../zone-offset.ts';

/**
 * ASSUMED: the spec shows `blockchainList` as one text. Here it contains names with commas between
 * them.
 */
const BlockchainList = Text.transform((text) => text.split(',').map((name) => name.trim()))
  .pipe(z.array(z.enum(BLOCKCHAINS)))
  .meta({
    pattern: `^\\s*(${BLOCKCHAINS.join('|')})\\s*(,\\s*(${BLOCKCHAINS.join('|')})\\s*)*$`,
    description: `Names with commas between them: ${BLOCKCHAINS.join(', ')}.`,
  });

const Payload = z
  .strictObject({
    firstDate: DateTime,
    lastDate: DateTime,
    blockchainList: BlockchainList,
    zoneOffset: ZoneOffset,
  })
  .refine(({ firstDate, lastDate }) => Date.parse(firstDate) <= Date.parse(lastDate), {
    path: ['lastDate'],
    error: 'must not be before firstDate',
  });

export const ReportBody = z.strictObject({
  timestamp: Timestamp,
  account: AccountId,
  payload: Payload,
});

/**
 * Spec: "Report request".
 * ASSUMED: the spec does not show the answer. Here it has the sums of each currency and operation
 * code. They cover the transactions from the first date to the last, both included.
 */
export const reportOperation = ({ movements }: SandboxStore) =>
  serveOperation({
    body: ReportBody,
    writes: false,
    answer: ({ body: { payload }, accounts }) => {
      const { firstDate, lastDate, blockchainList } = payload;
      const within = movements.within({
        accounts,
        firstMs: Date.parse(firstDate),
        lastMs: Date.parse(lastDate),
      });
      const lines = reportOf(within, blockchainList);
      return { data: { firstDate, lastDate, lines: lines.map(lineRecord) } };
    },
  });

const lineRecord = (line: ReportLine): ExactJsonValue => ({
  account: line.account,
  blockchain: blockchainOf(line.currency),
  currency: line.currency,
  opCode: line.opCode,
  transactions: line.transactions,
  amount: exactNumber(line.amount),
  serviceFee: exactNumber(line.serviceFee),
  networkFee: exactNumber(line.networkFee),
});
