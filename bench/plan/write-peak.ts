/**
 * Loaded before a program of ours, it writes the most memory that the program ever held into its working folder when it
 * ends: `node --import write-peak.js PROGRAM`.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { peakKibOf } from '../support/peak-memory.ts';
import { PEAK_FILE, type Peak } from './peak.ts';

const STATUS = '/proc/self/status';

process.on('exit', () => {
  // On Linux the figure of `resourceUsage` is at least that of the process that started this one.
  const status = existsSync(STATUS) ? readFileSync(STATUS, 'utf8') : '';
  const peak: Peak = { peakKib: peakKibOf(status) ?? process.resourceUsage().maxRSS };
  writeFileSync(PEAK_FILE, JSON.stringify(peak));
});
