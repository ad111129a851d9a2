import type { MatrixRow } from './rows.ts';
import type { RowResult } from './run-row.ts';

const INTRODUCTION = `# The engine over each plausible service

Written by \`npm run matrix\`, which pays a batch of three chunks over each row; \`npm run matrix -- --only TEXT\` runs the rows whose name has that text,
and writes nothing. The answer to the second create is lost wherever a create is to be accepted. Each row is a real worker and the sandbox in
the modes of the row; [shapes.md](shapes.md) explains them. \`bursar probe --write\` runs before the worker starts, on an empty settings file: the second column
has the lines that it wrote, apart from defaults. The third one has what a person states, since no harmless read shows it. Rows with "settings:" are not
probed: there a person states what does not fit the service. One of them is OPEN: a person has set that a service takes keys alone, and it finds none; no read shows
that before the first create ([shapes.md](shapes.md)). CI runs a short form
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
    const { end = 'no result', detail = '', found = [] } = results.get(row) ?? {};
    const written = found.map((line) => `\`${line}\``);
    const stated = Object.entries(row.settings).map(([name, value]) => `\`${name}=${value}\``);
    const cells = [row.name || 'the defaults', written.join(' '), stated.join(' '), end, detail];
    return `| ${cells.join(' | ')} |`;
  });
  const head = [
    '| service | written by the probe | stated by a person | end | outcomes, error or reasons |',
    '|---|---|---|---|---|',
  ];
  return `${INTRODUCTION}\n${[...head, ...lines].join('\n')}\n`;
}
