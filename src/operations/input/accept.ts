import { FINDINGS, isFindingCode } from '../../domain/plan/finding.ts';
import { flagInvalid } from './flag-error.ts';

/** Reads the codes of `--accept`, given several times or with commas. Throws FLAG_INVALID for one that is no finding. */
export function readAccepted(texts: readonly string[]): string[] {
  const codes = texts
    .flatMap((text) => text.split(','))
    .map((code) => code.trim())
    .filter((code) => code !== '');
  const unknown = codes.find((code) => !isFindingCode(code));
  if (unknown === undefined) return [...new Set(codes)];
  const known = Object.keys(FINDINGS).join(', ');
  throw flagInvalid('--accept', `"${unknown}" is no finding; known are ${known}`);
}
