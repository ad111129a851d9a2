/** The database of the store on the server of a run. */
export const storeDatabase = 'postgres';
