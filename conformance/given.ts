/** What a run may use to try sentences that leave something behind. */
export type Given = Readonly<{
  account: string;
  /** A small payment to oneself; without it nothing that pays is tried. */
  payment: Payment | null;
  /** Where the service can reach this computer; without it no webhook is awaited. */
  receiver: Receiver | null;
  /** How long a mass payout, or a webhook, may take, in milliseconds. */
  patienceMs: number;
}>;

export type Payment = Readonly<{
  currency: string;
  /** Decimal text. */
  amount: string;
  address: string;
  /** An address to which a withdrawal fails; without it no failure is tried. */
  failingAddress: string | null;
}>;

/** Takes what is POSTed to it. */
export type Receiver = Readonly<{
  /** A fresh address. What comes in there is answered with the statuses, one after another, and then with 200. */
  expect(statuses?: readonly number[]): Inbox;
}>;

export type Inbox = Readonly<{
  url: string;
  bodies(): readonly string[];
  /** Waits until the bodies are enough; false when that takes too long. */
  until(enough: (bodies: readonly string[]) => boolean, patienceMs: number): Promise<boolean>;
}>;
