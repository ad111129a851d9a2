/** An argument that was left out is no flag. */
export const given = <Name extends string, Flags extends object>(
  name: Name,
  argument: string | undefined,
  flags: Flags,
): Flags & Partial<Record<Name, string>> =>
  argument === undefined ? flags : { ...flags, [name]: argument };
