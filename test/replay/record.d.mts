/** See `record.mjs`. */
export function gatherHistories(from: Readonly<{ address: string; folder: string }>): Promise<void>;
export function keepFewest(of: Readonly<{ gathered: string; folder: string }>): void;
