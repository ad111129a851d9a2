/** Bytes read from the file at a time. Larger blocks are slower: a block and its cells fit the processor's cache. */
export const READ_BYTES = 65_536;

/** Bytes that a file may have, and to which a compressed one may unpack: some thirty million rows. */
export const FILE_SIZE_BYTES_MAX = 2 * 1024 ** 3;

/** How much larger than the file its unpacked text may be. Payout files pack to a tenth or less; bombs to a thousandth. */
export const UNPACK_RATIO_MAX = 100;
/** Unpacked bytes from which on the ratio counts: a short file of equal rows packs well and does no harm. */
export const UNPACK_RATIO_FREE_BYTES = 4 * 1024 ** 2;

/** Characters (UTF-16 units) of one row, quotes and delimiters counted. A row that pays has fewer than 2,000. */
export const ROW_CHARS_MAX = 16_384;

/** Rows of one file. About 20 bytes are kept for each, and about 100 more for each reference. */
export const ROWS_MAX = 10_000_000;

/** Currencies of one file; each keeps one chunk open. */
export const CURRENCIES_MAX = 64;
