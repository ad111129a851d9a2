/** Rows of one create request at most. */
export const CHUNK_ROWS_MAX = 10_000;

/**
 * Bytes that an answer about the largest chunk may have. The service answers about all its rows at once, and an answer
 * that is not read to its end could never settle them. The size for each row covers a row whose longest comment is
 * repeated, and a named withdrawal with a message of 300 characters, even with every character escaped.
 */
export const ANSWER_BYTES_MAX = CHUNK_ROWS_MAX * 4_200;

/**
 * Chunks of one batch at most. They are driven by child workflows of 100 chunks each, and Temporal lets a workflow have
 * 2,000 of them; half of that also keeps the history of the batch to a third of what Temporal allows.
 */
export const CHUNKS_MAX = 100_000;
