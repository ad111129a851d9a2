/**
 * Loaded before a program of ours, it counts the SQL statements of every database that the program opens. It writes the
 * counts into the program's working folder when a thread ends: `node --import count-statements.js PROGRAM`.
 */
import { writeFileSync } from 'node:fs';
import { threadId } from 'node:worker_threads';
import Database from 'libsql';
import { COUNTS_FILE } from './counts.ts';
import { countStatements } from './statement-counter.ts';

const counts = countStatements(Database);

process.on('exit', () => {
  if (counts.statements === 0) return;
  writeFileSync(`${COUNTS_FILE}${process.pid}-${threadId}.json`, JSON.stringify(counts));
});
