import { BursarError } from '../../domain/errors/bursar-error.ts';

/** A flag or argument that could not be understood; `problem` completes a sentence that starts with its name. */
export const flagInvalid = (flag: string, problem: string): BursarError =>
  new BursarError('FLAG_INVALID', { flag, problem });
