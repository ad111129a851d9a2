#!/usr/bin/env node
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { differencesJson, differencesOf, differencesText, readRun } from './diff.ts';
import {
  type ConformanceOptions,
  type DiffOptions,
  readCommand,
  USAGE,
  UsageError,
} from './options.ts';
import type { ProbeFindings } from './probes/probe.ts';
import { withTable } from './readme.ts';
import { documentOf, reportOf } from './report.ts';
import { type TriedCheck, unknownOf } from './suite.ts';
import { jsonOf, lineOf, markdownOf } from './table.ts';
import { openOwnTrial, openTrial, runTrial } from './trial.ts';

const SANDBOX = join(
  dirname(createRequire(import.meta.url).resolve('@bursar/sandbox/package.json')),
  'build/main.js',
);
const EXIT_BROKEN = 1;
const EXIT_DIFFERENT = 1;
const EXIT_USAGE = 2;

const write = (text: string): void => void process.stdout.write(`${text}\n`);

async function check(options: ConformanceOptions): Promise<void> {
  const { target, format, isEach } = options;
  const unknown = unknownOf(options.only);
  if (unknown !== undefined) throw new UsageError(`--only ${unknown}: no check has this id`);
  const trial =
    target === null
      ? await openOwnTrial(options, { program: SANDBOX, env: process.env })
      : await openTrial(options, target);
  const tried = await runTrial(trial, options, (each) => {
    if (format === 'text' && isEach) write(lineOf(each));
  });
  print(tried, trial.findings, options);
  if (tried.some(({ verdict }) => verdict.kind === 'broken')) process.exitCode = EXIT_BROKEN;
}

function print(
  tried: readonly TriedCheck[],
  findings: ProbeFindings,
  { format, into }: ConformanceOptions,
): void {
  if (format === 'json') write(jsonOf(tried, findings));
  else if (format === 'markdown') write(documentOf(tried, findings, markdownOf(tried)));
  else write(reportOf(tried, findings));
  if (into !== null) {
    writeFileSync(into, withTable(readFileSync(into, 'utf8'), markdownOf(tried)));
  }
}

function diff({ before, after, format }: DiffOptions): void {
  const differences = differencesOf(readRun(before), readRun(after));
  write(format === 'json' ? differencesJson(differences) : differencesText(differences));
  if (differences.length > 0) process.exitCode = EXIT_DIFFERENT;
}

try {
  const command = readCommand(process.argv.slice(2));
  if (command.kind === 'help') write(USAGE);
  else if (command.kind === 'diff') diff(command);
  else await check(command.options);
} catch (error) {
  const usage = error instanceof UsageError ? `\n\n${USAGE}` : '';
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}${usage}\n`);
  process.exitCode = EXIT_USAGE;
}
