import { flagInvalid } from '../input/flag-error.ts';

/** The error for a place that a setting names and that the operating system does not let us write. */
export function unwritable(setting: string, error: unknown): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  const isRefusal = code !== undefined && syscall !== undefined;
  return isRefusal ? flagInvalid(setting, `nothing can be written there (${code})`) : error;
}
