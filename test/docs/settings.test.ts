import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { settingsDocument } from '../../src/config/settings-document.ts';
import { SETTINGS } from '../../src/config/sources.ts';

const text = readFileSync(
  fileURLToPath(new URL('../../docs/settings.md', import.meta.url)),
  'utf8',
);

it('docs/settings.md lists the declared settings; "npm run settings-docs" writes it', () => {
  expect(text.slice(text.indexOf('\n## ') + 1)).toBe(settingsDocument());
});

it('every setting has a sentence of help', () => {
  const silent = SETTINGS.filter(({ schema }) => !schema.description?.endsWith('.'));
  expect(silent.map(({ name }) => name)).toEqual([]);
});

it('no two settings share a variable', () => {
  const variables = SETTINGS.map(({ variable }) => variable);
  expect(variables.filter((variable, at) => variables.indexOf(variable) < at)).toEqual([]);
});
