import { DEFAULT_SHAPES, type Operation, type Shapes } from '@bursar/merchant-api/spec';
import type { InterfaceUser } from './interface-user.ts';
import type { Pace } from './pace.ts';
import type { MissingOperations } from './probes/paths.ts';
import type { Receiver } from './receiver.ts';
import type { TestedService } from './service.ts';

/** The service under test, and the means of a run. */
export type RunParts = Readonly<{
  service: TestedService;
  account: string;
  /** A small payment to an address of one's own. Null: the run pays nothing. */
  payment: TestPayment | null;
  /** Whether the run may make wallets and subscriptions. */
  mayMake: boolean;
  /**
   * Receives webhooks at an address that the service can reach. Null: no check waits for webhooks.
   */
  receiver: Receiver | null;
  /** Acts in the service's own interface. */
  person: InterfaceUser | null;
  /** How long a check waits for an object or a webhook, in milliseconds. */
  patienceMs: number;
  /** How many times faster than in the specification time passes in the service. */
  speed: number;
  /** How the service is called. The default is that of the client. */
  shapes?: Shapes;
  /** Measures this machine. Without it the machine counts as fast enough. */
  pace?: Pace;
  /** Operations that are not there. The default is none. */
  missing?: MissingOperations;
}>;

/** A run of checks. */
export type CheckRun = RunParts &
  Readonly<{
    shapes: Shapes;
    missing: MissingOperations;
    /** Makes the object of this name at the first call, and returns the same one later. */
    once<Made>(name: string, make: () => Promise<Made>): Promise<Made>;
  }>;

export type TestPayment = Readonly<{
  currency: string;
  /** Decimal text. */
  amount: string;
  address: string;
  /**
   * An address to which a withdrawal fails, and one that fails the validation before the network.
   */
  failingAddress: string | null;
  invalidAddress: string | null;
}>;

export function createCheckRun(parts: RunParts): CheckRun {
  const made = new Map<string, Promise<unknown>>();
  return {
    shapes: DEFAULT_SHAPES,
    missing: new Map(),
    ...parts,
    service: withoutThe(parts.missing, parts.service),
    once<Made>(name: string, make: () => Promise<Made>): Promise<Made> {
      const known = made.get(name) ?? make();
      made.set(name, known);
      return known as Promise<Made>;
    },
  };
}

const withoutThe = (missing: MissingOperations | undefined, service: TestedService) => ({
  ...service,
  has: (operation: Operation) => service.has(operation) && missing?.has(operation) !== true,
});

/** Returns means that the check declared in `needs`. Throws when it did not declare them. */
export function required<Value>(value: Value | null): Value {
  if (value === null) throw new Error('the check uses a part that it does not declare');
  return value;
}

/** Returns the milliseconds that a duration of the specification takes in this service. */
export const realMs = ({ speed }: CheckRun, specS: number): number => (specS * 1000) / speed;
