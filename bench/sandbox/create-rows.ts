/** Rows of each create request that is measured. */
export const CREATE_ROWS = 1_000;
