import { entry } from './entry.ts';

/** Findings that stop a batch and that no person can accept. */
export const FINDING_ERRORS = {
  FINDINGS_BLOCK: entry<Readonly<{ codes: string }>>({
    category: 'file',
    what: (f) => `The file has warnings that stop it: ${f.codes}.`,
    why: 'Your policy does not allow accepting these.',
    fix: 'Check them with "bursar plan FILE", and correct the file. Or have the rules changed in bursar.toml ([limits], [findings]).',
  }),
};
