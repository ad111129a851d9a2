/** Databases of the server of a run. */
export type Databases = Readonly<{
  /** Makes a database with the tables of a store, and returns its address. */
  make(name: string): Promise<string>;
}>;
