import type { MatrixRow } from './rows.ts';
import type { RowResult } from './run-row.ts';

const INTRODUCTION = `# The engine over each plausible service

Written by \`npm run matrix\`, which pays a batch of three chunks over each row; \`npm run matrix -- --only TEXT\` runs the rows whose name has that text,
and writes nothing. The answer to the second create is lost wherever a create is to be accepted. Each row is a real worker and the sandbox in
the modes of the row; [shapes.md](shapes.md) explains them. CI runs a short form
([matrix.test.ts](../test/scenarios/matrix.test.ts)).

| end | meaning |
|---|---|
| PAID | every row is PAID, each once |
| PAID, one answer of a person | the same, after a person has named the mass payout of the create in doubt |
| REFUSED | no create was sent, and the error names what to set |
| NOT PAID | the service refused the first create: each row has the reason |
| OPEN | a person must look; no row is called PAID that was not paid |
`;

/** The table of the results. A row without a result failed. */
export function matrixDocument(
  rows: readonly MatrixRow[],
  results: ReadonlyMap<MatrixRow, RowResult>,
): string {
  const lines = rows.map((row) => {
    const { end = 'no result', detail = '' } = results.get(row) ?? {};
    const settings = Object.entries(row.settings).map(([name, value]) => `\`${name}=${value}\``);
    return `| ${row.name || 'the defaults'} | ${settings.join(' ')} | ${end} | ${detail} |`;
  });
  const head = [
    '| service | settings of the engine | end | outcomes, error or reasons |',
    '|---|---|---|---|',
  ];
  return `${INTRODUCTION}\n${[...head, ...lines].join('\n')}\n`;
}
