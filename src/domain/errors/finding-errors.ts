import { entry } from './entry.ts';

/** Facts about a file that stop a batch and that no person can accept. */
export const FINDING_ERRORS = {
  FINDINGS_BLOCK: entry<Readonly<{ codes: string }>>({
    category: 'file',
    what: (f) => `The file has warnings that stop it: ${f.codes}.`,
    why: 'Your policy does not allow accepting these.',
    fix: 'Check them with "bursar plan FILE", and correct the file. Or have the rules changed in bursar.toml ([limits], [findings]).',
  }),
  CURRENCY_NOT_LISTED: entry<Readonly<{ currency: string; meant: string }>>({
    category: 'file',
    what: (f) =>
      `The service lists no balance in ${f.currency}, and Bursar does not know it either.`,
    why: 'Nothing could be paid in it: it may be misspelt, or lack its network.',
    fix: (f) =>
      f.meant === ''
        ? 'Correct the currency in the file. If it is right, plan again when the account holds some of it.'
        : `Did you mean ${f.meant}? Correct the currency in the file.`,
  }),
};
