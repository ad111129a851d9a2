/**
 * The number of a restore. It is greater than that of the one before, and no two restores share one.
 *
 * Example: a copy is taken on Monday. It is put in the place of the store on Tuesday, and again on Thursday. The copy has no
 * restore either time. If both were number 1, a worker that verified a chunk on Tuesday, and stood still, could call it verified on
 * Thursday. So the number is the time of the restore, in milliseconds since 1970, where no clock was set back.
 */
export const nextEpoch = (last: number | undefined, atMs: number): number =>
  Math.max((last ?? 0) + 1, atMs);
