/** Bytes in one read. A larger block is slower, because it does not fit the processor's cache. */
export const READ_BYTES = 65_536;

/** Largest size of a file, and of its unpacked content: about thirty million rows. */
export const FILE_SIZE_BYTES_MAX = 2 * 1024 ** 3;

/**
 * Largest ratio of unpacked to packed size. A payout file packs to a tenth, a bomb to a thousandth.
 */
export const UNPACK_RATIO_MAX = 100;
/**
 * The ratio applies above this unpacked size. A short file of equal rows packs well, and is
 * harmless.
 */
export const UNPACK_RATIO_FREE_BYTES = 4 * 1024 ** 2;

/** Longest row in UTF-16 units, with quotes and delimiters. A valid row has fewer than 2,000. */
export const ROW_CHARS_MAX = 16_384;

/** Most rows of a file. Memory takes about 20 bytes for each, and 100 more for each reference. */
export const ROWS_MAX = 10_000_000;

/** Most currencies of a file. Each keeps one chunk open. */
export const CURRENCIES_MAX = 64;

/** Most threads that check rows. More would wait for the one that reads the file and joins. */
export const THREADS_MAX = 4;

/**
 * Blocks of a file that are checked without threads: 8 MiB, about 100,000 rows. To start a thread
 * and to compile its code takes as long as to check 50,000.
 */
export const BLOCKS_ALONE = 128;

/**
 * Blocks for each thread that are checked, or wait to be joined. A thread has work for 20 ms while
 * a commit keeps the joining thread. Twice as many take 40 MiB more memory.
 */
export const BLOCKS_AHEAD = 8;

/** Largest packed workbook. It is held in memory, because the list of its parts stands at its end. */
export const WORKBOOK_BYTES_MAX = 64 * 1024 ** 2;

/** Largest part of a workbook that is kept as a whole: its sheets, its relations, its formats. */
export const SMALL_PART_BYTES_MAX = 8 * 1024 ** 2;

/** Most parts of a workbook. One of Excel has a few dozen. */
export const WORKBOOK_PARTS_MAX = 10_000;

/** Most characters of all shared texts of a workbook, which stay in memory: a million rows have 50 million. */
export const SHARED_TEXT_CHARS_MAX = 96 * 1024 ** 2;

/** Most shared texts. Each takes about 30 bytes more than its characters. */
export const SHARED_TEXTS_MAX = 3_000_000;

/** The last row and the last column of a sheet. */
export const SHEET_ROW_MAX = 1_048_576;
export const SHEET_COLUMN_MAX = 16_384;

/** Rows of a sheet that are checked together. */
export const SHEET_BLOCK_ROWS = 500;
