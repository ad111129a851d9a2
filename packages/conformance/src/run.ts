import type { Person } from './person.ts';
import type { Receiver } from './receiver.ts';
import type { Service } from './service.ts';

/** A service under test, and what may be used to try sentences on it. */
export type Run = Readonly<{
  service: Service;
  account: string;
  /** A small payment to oneself; without it nothing is paid. */
  payment: Payment | null;
  /** Whether wallets and subscriptions may be made. */
  mayMake: boolean;
  /** Where the service can reach this computer; without it no webhook is awaited. */
  receiver: Receiver | null;
  /** Who acts in the service's own interface. */
  person: Person | null;
  /** How long an object or a webhook may take, in milliseconds. */
  patienceMs: number;
  /** How many times faster than the specification says time passes in the service. */
  speed: number;
  /** Makes something that several checks look at; once in a run. */
  once<Made>(name: string, make: () => Promise<Made>): Promise<Made>;
}>;

export type Payment = Readonly<{
  currency: string;
  /** Decimal text. */
  amount: string;
  address: string;
  /** An address to which a withdrawal fails, and one that fails the validation before the network. */
  failingAddress: string | null;
  invalidAddress: string | null;
}>;

export function createRun(parts: Omit<Run, 'once'>): Run {
  const made = new Map<string, Promise<unknown>>();
  return {
    ...parts,
    once<Made>(name: string, make: () => Promise<Made>): Promise<Made> {
      const known = made.get(name) ?? make();
      made.set(name, known);
      return known as Promise<Made>;
    },
  };
}

/** What a check needs and has declared. */
export function given<Value>(value: Value | null): Value {
  if (value === null) throw new Error('the check uses what it does not say it needs');
  return value;
}

/** What takes so many seconds by the specification, in milliseconds of this service. */
export const realMs = ({ speed }: Pick<Run, 'speed'>, specS: number): number =>
  (specS * 1000) / speed;
