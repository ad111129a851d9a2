import type { ApprovalStatement } from './statement.ts';

/** The name and the words of an audit entry for an act that people signed. */
export type SignedAct = Readonly<{ actor: string; reason: string }>;

/**
 * Returns the actor and the reason of a signed act for the audit log. Both come from the signed statements: the message
 * that carries a statement is unsigned, and could contain any words. Example: bob signed "checked", carol signed
 * "fine"; the entry is by "bob, carol" with the reason `bob: "checked"; carol: "fine"`.
 */
export function signedAct(statements: readonly ApprovalStatement[]): SignedAct {
  const actor = statements.map(({ person }) => person).join(', ');
  const [first, ...others] = statements;
  if (others.length === 0) return { actor, reason: first?.reason ?? '' };
  const given = statements.filter(({ reason }) => reason !== '');
  const words = given.map(({ person, reason }) => `${person}: ${JSON.stringify(reason)}`);
  return { actor, reason: words.join('; ') };
}
