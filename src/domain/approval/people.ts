import { keyIdentity } from './passkey.ts';
import type { ApprovalPolicy, Person, Tier } from './policy.ts';

/** Names of people, roles and targets: they stand in statements that are signed, in ids, file names and lists. */
export const PLAIN_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export const isPlainName = (text: string): boolean => PLAIN_NAME.test(text);

/** The names of one person differ in case at most: "Bob" who submits and "bob" who approves are one. */
export const plainName = (name: string): string => name.normalize('NFKC').toLowerCase();

/** Every name of a person: as approver, and as user. */
export const namesOf = ({ name, users }: Person): string[] => [name, ...users].map(plainName);

/** The identity of a person: the key, since its owner is one person under any number of names. */
export const identityOf = ({ name, publicKey }: Person): string =>
  publicKey === null ? plainName(name) : keyIdentity(publicKey);

export const personNamed = ({ people }: ApprovalPolicy, name: string): Person | undefined =>
  people.find((person) => person.name === name);

/** Whether a person, under any name and by any of their names' keys, is who submitted the batch. */
export function isSubmitter(
  { people }: ApprovalPolicy,
  person: Person,
  submittedBy: string,
): boolean {
  const submitters = people.filter((one) => namesOf(one).includes(plainName(submittedBy)));
  return submitters.some((one) => identityOf(one) === identityOf(person));
}

/** Whether the approval of a person counts towards the number of a tier. */
export const countsFor = ({ roles }: Tier, person: Person): boolean =>
  roles.length === 0 || roles.some((role) => person.roles.includes(role));

/** Whether a tier has any use for the approval of a person. */
export const isEntitled = (tier: Tier, person: Person): boolean =>
  countsFor(tier, person) || tier.mustInclude.some((role) => person.roles.includes(role));

/** The actor of an audit entry for an act that carries no signature. Under a policy the name is marked: it proves nothing. */
export const unsignedActor = (policy: ApprovalPolicy | null, name: string): string =>
  policy === null ? name : `${name} (unsigned)`;
