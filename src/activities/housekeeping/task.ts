/** A check that housekeeping repeats. An error of it is notified, and stops no other check. */
export type HousekeepingTask = Readonly<{
  name: string;
  /** Runs once. Returns the result in a few words. */
  run(): Promise<string>;
}>;
