import { expect, it } from '@jest/globals';
import { read, sourceFiles } from './repository.ts';

/** Whatever makes a file, or text that goes into one. */
const WRITES =
  /\b(?:writeFile|writeFileSync|appendFile|createWriteStream|startDrafts|writeText|writeBytes|zipped|makePrivateFile|replacePrivateFile|csvLine|createLineWriter)\(/;

/** Each module that writes, what it writes, and the test which proves that it reads back as it was written. */
const WRITERS: Readonly<Record<string, string>> = {
  'packages/conformance/src/main.ts':
    'a table in a README: packages/conformance/test/suite.test.ts',
  'packages/sandbox/src/console/parts/copy.tsx': 'no file: the clipboard of a browser',
  'packages/sandbox/src/state-control.ts': 'a store: packages/sandbox/test/start-sandbox.test.ts',
  'web/parts/copy.tsx': 'no file: the clipboard of a browser',
  'cli/commands/plan-at-server.ts':
    'nack.csv and to-correct.csv of a server, byte by byte: test/http-api/plan-at-server.test.ts',
  'cli/commands/template.ts': 'an example file: test/cli/template.test.ts',
  'operations/file/template.ts': 'an example file: test/cli/template.test.ts',
  'operations/file/correctable-file.ts': 'an empty nack.csv: test/http-api/file-form.test.ts',
  'operations/file/write-correctable.ts': 'to-correct.csv: test/cli/payout-files.test.ts',
  'cli/commands/payees.ts': 'an export of payees: test/cli/payees.test.ts',
  'domain/payees/export-line.ts': 'a line of an export of payees: test/cli/payees.test.ts',
  'web/pages/payees/payee-files.tsx': 'an export of payees: test/web/browser/payees.test.ts',
  'app/tokens/token-file.ts': 'tokens of programs, as hashes: test/cli/token.test.ts',
  'operations/approval/key-file.ts': 'a private key: test/cli/keys.test.ts',
  'operations/file/print-spool.ts':
    'prints of rows, for itself: test/operations/file/print-spool.test.ts',
  'operations/file/source.ts': 'standard input, byte by byte: test/cli/plan.test.ts',
  'library.ts': 'rows of a program, as a file: test/library/library.test.ts',
  'operations/file/stored-file.ts': 'an upload, byte by byte: test/http-api/submit.test.ts',
  'operations/file/write-plan.ts':
    'plan.json: test/cli/plan-file.test.ts, test/report/written-files.property.test.ts',
  'operations/setup/ignored-files.ts': '.gitignore: test/cli/init.test.ts',
  'operations/setup/write-first-settings.ts': 'bursar.toml: test/cli/init.test.ts',
  'local-stack/stack-env.ts': 'variables of a stack: test/cli/env.test.ts',
  'local-stack/plan.ts': 'a profile for Temporal: test/local-stack/plan.test.ts',
  'local-stack/local-sandbox.ts': 'a secret of our own: test/local-stack/stack.test.ts',
  'local-stack/temporal-cli/download.ts': 'a program: test/local-stack/obtain-temporal-cli.test.ts',
  'local-stack/temporal-cli/wheel.ts': 'a program: test/local-stack/obtain-temporal-cli.test.ts',
  'local-stack/temporal/server.ts': 'flags for Temporal: test/local-stack/temporal-alone.test.ts',
  'config.ts': 'settings: test/config/settings-text.test.ts',
  'config/key-ring.ts': 'a key ring: test/config/key-ring.test.ts',
  'config/private-writing.ts': 'the means for files with secrets',
  'config/token-files.ts': 'a token: test/config/secret-files.test.ts',
  'config/webhook-secret.ts': 'a secret key: test/cli/webhooks.test.ts',
  'domain/files/csv.ts': 'the means for every CSV file: test/domain/files/csv.test.ts',
  'store/backup/write-backup.ts': 'a backup: test/store/backup/backup.test.ts',
  'report/disk.ts':
    'the means for reports: test/report/crash.test.ts, test/report/write-text.test.ts',
  'report/drafts.ts': 'the means for reports: test/report/crash.test.ts',
  'report/row-sheets.ts':
    'report.csv, failed.csv, investigate.csv, resend.csv: test/report/written-files.property.test.ts',
  'report/sheet.ts': 'the means for sheets: test/report/read-sheet.test.ts',
  'report/workbook/zipped.ts':
    'the means for workbooks: test/report/workbook/rows-workbook.test.ts',
  'report/workbook/rows-workbook.ts':
    'the rows of a report as a workbook: test/report/workbook/rows-workbook.test.ts',
  'cli/commands/copy-report.ts': 'workbooks beside a report: test/cli/shared-reports.test.ts',
  'report/write-refused-rows.ts': 'nack.csv: test/report/written-files.property.test.ts',
  'report/write-reconciliation.ts': 'a statement: test/report/written-files.property.test.ts',
  'report/write-report-files.ts':
    'report.json, summary.html: test/report/written-files.property.test.ts, test/report/summary/page.test.ts',
};

it('every module that writes files is listed with the test of these files', () => {
  const writers = sourceFiles().filter((path) => WRITES.test(read(path)));
  expect(writers.map((path) => path.replace(/^src\//, '')).sort()).toEqual(
    Object.keys(WRITERS).sort(),
  );
  for (const [test = ''] of Object.values(WRITERS)
    .join(' ')
    .matchAll(/(?:packages\/[a-z-]+\/)?test\/[\w./-]+\.ts/g)) {
    expect([test, /\b(?:it|describe)\b/.test(read(test))]).toEqual([test, true]);
  }
});

it('the list above would miss no writer', () => {
  for (const code of ['await writeText(path, text)', 'writeFileSync(file, "")', 'csvLine([])']) {
    expect(WRITES.test(code)).toBe(true);
  }
});
