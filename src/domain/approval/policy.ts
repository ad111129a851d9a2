/** A person who may approve. `users` are other names of that person, such as the name that submits. */
export type Person = Readonly<{
  name: string;
  /**
   * `ed25519:` and 32 bytes in base64, or `passkey:RPID:ALGORITHM:` and the key in base64 (`passkey.ts`); null only where
   * approvals are unsigned.
   */
  publicKey: string | null;
  roles: readonly string[];
  users: readonly string[];
}>;

/** How many people a payment needs, from which total on. Amounts are canonical decimal text. */
export type Tier = Readonly<{
  /** null: any currency. A tier that names the currency goes before one that names none. */
  currency: string | null;
  /** The tier counts for totals above it. */
  above: string;
  /** How many different people must approve. */
  approvals: number;
  /** Whose approval counts: people with any of these roles; empty: everybody in `people`. */
  roles: readonly string[];
  /** Roles of which at least one approver each must be. */
  mustInclude: readonly string[];
}>;

/**
 * The rule of who must approve which batches, from the settings of the worker that makes the plan. It is part of the
 * plan.
 */
export type ApprovalPolicy = Readonly<{
  /** `unsigned` proves nothing; it is for development, and plan and report name it. */
  mode: 'signed' | 'unsigned';
  /** How long an approval counts, in milliseconds. */
  expiresAfterMs: number;
  tiers: readonly Tier[];
  people: readonly Person[];
}>;
