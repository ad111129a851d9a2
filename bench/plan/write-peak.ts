/**
 * Loaded before a program of ours, it writes the most memory that the program ever held into its working folder when it
 * ends: `node --import write-peak.js PROGRAM`.
 */
import { writeFileSync } from 'node:fs';
import { PEAK_FILE, type Peak } from './peak.ts';

process.on('exit', () => {
  const peak: Peak = { peakKib: process.resourceUsage().maxRSS };
  writeFileSync(PEAK_FILE, JSON.stringify(peak));
});
