/** The file in which a program that has ended says how much memory it held. */
export const PEAK_FILE = 'peak-memory.json';

/** The largest resident set, in KiB. */
export type Peak = Readonly<{ peakKib: number }>;
