import { probeAndWrite } from '../probed.ts';
import { ledgerWithdrawals, readReport } from '../oracle.ts';
import { type PlayedRun, type PlayedStack, startPlayedStack } from '../played-stack.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import type { MatrixEnd, MatrixRow } from './rows.ts';

/** How the batch of a row ended. `detail`: the outcomes of its rows, the error, or the reasons of open chunks. */
type RowEnd = Readonly<{ end: MatrixEnd; detail: string }>;

/** The result of a row. `found`: the lines that `bursar probe --write` wrote, apart from defaults. */
export type RowResult = RowEnd & Readonly<{ found: readonly string[] }>;

/** An exit code of `bursar submit`. */
const NEEDS_OPERATOR = 14;

/**
 * Pays a batch of three chunks with two rows each over the service of the row, with a stack of its own. The worker starts with the
 * settings file that `bursar probe --write` made. The answer to the second create is lost, unless a create is not to come
 * that far. Fails when a row is paid twice, or is told otherwise than the ledger has it.
 */
export async function runRow(row: MatrixRow): Promise<RowResult> {
  const without = ['bridge', 'worker'] as const;
  const played = await startPlayedStack(temporaryFolder(), envOf(row), { without });
  try {
    const found = await probed(played, row);
    await played.stack.start('worker');
    const isSent = row.expected !== 'REFUSED' && row.expected !== 'NOT PAID';
    const fault = isSent ? { fault: { kind: 'accept-then-drop' } } : {};
    const fates = ['0000', '0000'] as const;
    const chunks = [{ fates }, { fates, ...fault }, { fates }];
    const run = await played.run({ chunks, flags: ['--no-preflight'] });
    return { ...(await resultOf(played, run)), found };
  } finally {
    await played.stop();
  }
}

/** The lines that a probe wrote. Over a service where a batch is to be refused, it must write nothing. */
async function probed({ stack }: PlayedStack, row: MatrixRow): Promise<readonly string[]> {
  if (!row.isProbed) return [];
  if (row.expected !== 'REFUSED') return probeAndWrite(stack);
  const { code, err } = await stack.bursar('probe', '--write');
  if (!err.includes('there is nothing to write')) throw new Error(`a probe ended with ${code}`);
  return [];
}

const variableOf = (mode: string): string =>
  `BURSAR_SANDBOX_${mode.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;

function envOf({ modes, lacksLookup, settings }: MatrixRow): Record<string, string> {
  // The keys of the sandbox have accounts in hexadecimal form; a UUID is another name of the first.
  const account = settings['BURSAR_API_ACCOUNT']?.match(/^0x.*/)?.[0];
  const played = Object.entries(modes).map(([mode, value]) => [variableOf(mode), String(value)]);
  return {
    ...Object.fromEntries(played),
    ...(lacksLookup ? { BURSAR_SANDBOX_ENDPOINT_LOOKUP: '' } : {}),
    ...(account === undefined ? {} : { BURSAR_SANDBOX_KEYS: `test-key:test-secret:${account}` }),
    ...settings,
  };
}

async function resultOf(played: PlayedStack, run: PlayedRun): Promise<RowEnd> {
  if (run.code !== NEEDS_OPERATOR) return endOf(played, run, 0);
  const { needsOperator } = run.view;
  const reasons = needsOperator.map(({ reason }) => reason).join(', ');
  let answers = 0;
  for (const { chunk } of needsOperator) {
    const massPayout = await played.control.massPayoutOf(run.batchId, chunk);
    if (massPayout === undefined) continue;
    if ((await run.resolve(chunk, 'adopt', massPayout.id)).code === 0) answers += 1;
  }
  if (answers < needsOperator.length) return openResult(played, reasons);
  const { code } = await run.watch();
  return code === NEEDS_OPERATOR ? openResult(played, reasons) : endOf(played, run, answers);
}

/** A batch that waits for a person: the ledger has each row once at most. */
async function openResult({ stack }: PlayedStack, reasons: string): Promise<RowEnd> {
  const addresses = (await ledgerWithdrawals(stack.sandboxUrl)).map(
    ({ depositAddress }) => depositAddress,
  );
  if (new Set(addresses).size < addresses.length) throw new Error('a row was paid twice');
  return { end: 'OPEN', detail: reasons };
}

async function endOf(
  { stack }: PlayedStack,
  { dir, outcomes }: PlayedRun,
  answers: number,
): Promise<RowEnd> {
  const { error } = readReport(dir);
  const sent = await ledgerWithdrawals(stack.sandboxUrl);
  if (error !== null && sent.length === 0) return { end: 'REFUSED', detail: error.code };
  const found = await outcomes();
  const detail = [...new Set(found)].join(', ');
  if (found.every((outcome) => outcome === 'PAID')) {
    return { end: answers === 0 ? 'PAID' : 'PAID, one answer of a person', detail };
  }
  return { end: sent.length === 0 ? 'NOT PAID' : 'OPEN', detail };
}
