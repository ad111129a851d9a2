/** Characters of a batch id. */
const ID_LENGTH_MAX = 64;

/** The id of a resend that was given none: `<root>-r<generation>`; a long root is cut to make room. */
export function resendIdOf(rootBatchId: string, generation: number): string {
  const end = `-r${generation}`;
  return `${rootBatchId.slice(0, ID_LENGTH_MAX - end.length)}${end}`;
}
