/** The outlook of a batch for which the account holds enough. */
export const ENOUGH = 'enough, as it stands';
