/** Something that is looked after regularly. What it throws is told, and stops no other round. */
export type Round = Readonly<{
  name: string;
  /** Looks once; answers in a few words how it is. */
  run(): Promise<string>;
}>;
