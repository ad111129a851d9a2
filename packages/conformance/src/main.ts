#!/usr/bin/env node
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type ConformanceOptions, readOptions, USAGE, UsageError } from './options.ts';
import { withTable } from './readme.ts';
import type { TriedCheck } from './suite.ts';
import { jsonOf, lineOf, markdownOf, summaryOf } from './table.ts';
import { openOwnTrial, openTrial, runTrial } from './trial.ts';

const SANDBOX = join(
  dirname(createRequire(import.meta.url).resolve('@bursar/sandbox/package.json')),
  'build/main.js',
);
const EXIT_BROKEN = 1;
const EXIT_USAGE = 2;

const write = (text: string): void => void process.stdout.write(`${text}\n`);

async function main(options: ConformanceOptions): Promise<readonly TriedCheck[]> {
  const { target, format } = options;
  const trial =
    target === null
      ? await openOwnTrial(options, { program: SANDBOX, env: process.env })
      : await openTrial(options, target);
  return runTrial(trial, options, (tried) => {
    if (format === 'text') write(lineOf(tried));
  });
}

function print(tried: readonly TriedCheck[], { format, into }: ConformanceOptions): void {
  if (format === 'json') write(jsonOf(tried));
  else if (format === 'markdown') write(markdownOf(tried));
  else write(`\n${summaryOf(tried)}`);
  if (into !== null) {
    writeFileSync(into, withTable(readFileSync(into, 'utf8'), markdownOf(tried)));
  }
}

try {
  const options = readOptions(process.argv.slice(2));
  if (options.help) write(USAGE);
  else {
    const tried = await main(options);
    print(tried, options);
    if (tried.some(({ verdict }) => verdict.kind === 'broken')) process.exitCode = EXIT_BROKEN;
  }
} catch (error) {
  const text = error instanceof UsageError ? `${error.message}\n\n${USAGE}` : String(error);
  process.stderr.write(`${text}\n`);
  process.exitCode = error instanceof UsageError ? EXIT_USAGE : EXIT_BROKEN;
}
