import { counted } from '../text/counted.ts';
import { entry } from './entry.ts';

/** Errors of the register of payees. */
export const PAYEE_ERRORS = {
  PAYEE_NOT_FOUND: entry<Readonly<{ address: string }>>({
    category: 'not-found',
    what: (f) => `The register of payees has no ${f.address}.`,
    why: 'Only payees of the register can have names and labels, so that a mistyped address adds no payee.',
    fix: (f) =>
      `Add it: bursar payees allow ${f.address} --reason ..., or bursar payees import FILE`,
  }),
  PAYEES_FILE_INVALID: entry<
    Readonly<{ file: string; line: number; problem: string; others: number }>
  >({
    category: 'file',
    what: (f) =>
      f.others === 0
        ? `${f.file}, line ${f.line}: ${f.problem}.`
        : `${f.file}, line ${f.line}: ${f.problem}. ${counted(f.others, 'more line')} cannot be used either.`,
    why: 'A file of payees is imported whole or not at all. Nothing was changed.',
    fix: 'Correct the lines. Columns: address, currency (or network), name, labels, status (ALLOWED or DENIED), reason.',
  }),
};
