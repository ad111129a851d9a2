import type { z } from 'zod';
import { nearest } from '../domain/text/nearest.ts';
import { type Override, SETTING_NAMES } from './sources.ts';

type Issue = z.core.$ZodIssue;

/** Names each fault in the settings, where the value was given, and never the value. */
export function describeIssues(
  issues: readonly Issue[],
  overrides: ReadonlyMap<string, Override>,
): string[] {
  return issues.flatMap((issue) => {
    const name = issue.path.join('.');
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => unknownSetting(name === '' ? key : `${name}.${key}`));
    }
    const place = placeOf(issue.path, overrides);
    return [`${name} (${place}) ${sentenceOf(issue)}`];
  });
}

/** A list or a table is given as a whole, so its parts stand where it does. */
function placeOf(path: Issue['path'], overrides: ReadonlyMap<string, Override>): string {
  const names = path.map((_, at) => path.slice(0, at + 1).join('.'));
  const given = names.map((name) => overrides.get(name)).find((one) => one !== undefined);
  return given?.place ?? 'bursar.toml';
}

function unknownSetting(name: string): string {
  if (name === 'api.secret') {
    return `${name} (bursar.toml) is not a setting; the secret belongs in a file that api.secret_file names`;
  }
  const meant = nearest(name, SETTING_NAMES);
  return `${name} (bursar.toml) is not a setting${meant === undefined ? '' : `; did you mean ${meant}?`}`;
}

const sentenceOf = (issue: Issue): string =>
  issue.code === 'invalid_type' && issue.expected === 'object' ? 'must be a table' : issue.message;
