import { createNumberList } from './number-list.ts';

/** Marks the end of a chain, and a missing entry. */
export const NONE = -1;

/** Groups of numbered members, in 8 bytes a member and 8 a group. */
export type Chains = Readonly<{
  /** Adds the next member to a group, and answers with its number: 0, 1, 2 ... over all groups. */
  add(group: number): number;
  /** The members of a group, in the order in which they were added. */
  membersOf(group: number): number[];
  /** The member that was added first; NONE when there is none. */
  firstOf(group: number): number;
}>;

export function createChains(): Chains {
  const first = createNumberList();
  const last = createNumberList();
  const next = createNumberList();
  const isThere = (group: number): boolean => group < first.length();
  return {
    add(group) {
      while (!isThere(group)) {
        first.push(NONE);
        last.push(NONE);
      }
      const member = next.length();
      next.push(NONE);
      if (first.at(group) === NONE) first.set(group, member);
      else next.set(last.at(group), member);
      last.set(group, member);
      return member;
    },
    membersOf(group) {
      const members: number[] = [];
      let at = isThere(group) ? first.at(group) : NONE;
      for (; at !== NONE; at = next.at(at)) members.push(at);
      return members;
    },
    firstOf: (group) => (isThere(group) ? first.at(group) : NONE),
  };
}
