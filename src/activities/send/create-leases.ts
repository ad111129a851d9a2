import type { CreateLeaseStore } from '../../store/sending/create-leases.ts';
import { type CreatePlace, GroupEnded } from './create-places.ts';

/** The shortest and the longest wait before free leases are looked for again, in milliseconds. By chance, so that no worker comes first each time. */
const RETRY_MS_MIN = 25;
const RETRY_MS_MAX = 75;

/** The limit of an account for creates under way, over all batches and workers. */
export type CreateLeases = Readonly<{
  /** A place that also has a lease while it is taken. `isOpen`: whether further creates may be made. */
  leased(place: CreatePlace, isOpen: () => boolean): CreatePlace;
}>;

export type CreateLeaseOptions = Readonly<{
  store: Readonly<{ createLeases: CreateLeaseStore }>;
  account: string;
  /** Creates under way at most. */
  limit: number;
  /** How long a lease lasts that is not given back, in milliseconds. */
  forMs: number;
  nowMs(): number;
  /** Is called when a lease could not be given back. It ends by itself then. */
  warn(error: unknown): void;
  /** By default by a timer. */
  pause?(delayMs: number): Promise<void>;
}>;

/** A create that waits for its lease. */
type Waiting = Readonly<{
  isOpen(): boolean;
  take(leaseId: string): void;
  fail(error: unknown): void;
}>;

/** Takes leases for the creates of this process, in the order in which they came. One statement serves all that wait. */
export function createLeases(options: CreateLeaseOptions): CreateLeases {
  const { store, account, limit, forMs, nowMs, warn, pause = pauseOfProcess } = options;
  let waiting: Waiting[] = [];
  let isTaking = false;

  function dismissEnded(): void {
    for (const { isOpen, fail } of waiting) if (!isOpen()) fail(new GroupEnded());
    waiting = waiting.filter(({ isOpen }) => isOpen());
  }

  async function takeForAll(): Promise<void> {
    isTaking = true;
    try {
      for (dismissEnded(); waiting.length > 0; dismissEnded()) {
        const demand = { wanted: waiting.length, limit, forMs };
        const ids = await store.createLeases.take(account, demand, nowMs());
        for (const [i, one] of waiting.splice(0, ids.length).entries()) one.take(ids[i] ?? '');
        if (waiting.length > 0) await pause(randomMs());
      }
    } catch (error) {
      for (const { fail } of waiting.splice(0)) fail(error);
    } finally {
      isTaking = false;
    }
  }

  const takeOne = (isOpen: () => boolean): Promise<string> =>
    new Promise((take, fail) => {
      waiting.push({ isOpen, take, fail });
      if (!isTaking) void takeForAll();
    });

  const giveBack = (leaseId: string): void =>
    void store.createLeases.giveBack(account, leaseId, nowMs()).catch(warn);

  return {
    leased(place, isOpen) {
      let leaseId: string | undefined;
      return {
        async take() {
          await place.take();
          leaseId ??= await takeOne(isOpen);
        },
        free() {
          place.free();
          if (leaseId !== undefined) giveBack(leaseId);
          leaseId = undefined;
        },
      };
    },
  };
}

/** A place for a create, with a lease where the account has a limit. */
export const leasedPlace = (
  { leases }: Readonly<{ leases?: CreateLeases | undefined }>,
  place: CreatePlace,
  isOpen: () => boolean,
): CreatePlace => leases?.leased(place, isOpen) ?? place;

const randomMs = (): number => RETRY_MS_MIN + Math.random() * (RETRY_MS_MAX - RETRY_MS_MIN);

const pauseOfProcess = (delayMs: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, delayMs));
