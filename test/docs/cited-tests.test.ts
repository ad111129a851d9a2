import { expect, it } from '@jest/globals';
import { holdsTest } from './support/cited-tests.ts';

const BODY = 'async () => {});';

it.each([
  `it('pays once', ${BODY}`,
  `  it(\n    "pays once",\n    ${BODY}`,
  `describe('all', () => {\n  it.each([1])('pays once', ${BODY}\n});`,
  `it.each([\n  ['pays once', 1],\n])('%s', ${BODY}`,
  `const itHere = isLinux ? it : it.skip;\nitHere('pays once', ${BODY}`,
])('%j has the test', (text) => {
  expect(holdsTest(text, 'pays once')).toBe(true);
});

it.each([
  `it('pays once more', ${BODY}`,
  `it.skip('pays once', ${BODY}`,
  `it.skip(\n  'pays once',\n  ${BODY}`,
  `xit('pays once', ${BODY}`,
  `describe.skip('all', () => {\n  it('pays once', ${BODY}\n});`,
  `it.skip.each([1])('pays once', ${BODY}`,
  `it.todo('pays once', 1);`,
  `// it('pays once', ${BODY}`,
  `/**\n * it('pays once', as was said)\n */`,
])('%j has no such test that runs', (text) => {
  expect(holdsTest(text, 'pays once')).toBe(false);
});
