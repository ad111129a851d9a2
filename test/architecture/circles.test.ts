import { dirname, posix } from 'node:path';
import { expect, it } from '@jest/globals';
import { read, sourceFiles } from './repository.ts';

type Graph = ReadonlyMap<string, readonly string[]>;

/** Every file with the files that it imports, types included. */
function importGraph(): Graph {
  const files = sourceFiles();
  const importsOf = (file: string): string[] =>
    [...read(file).matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'(\.{1,2}\/[^']+)'/g)].map(
      ([, path = '']) => posix.normalize(posix.join(dirname(file), path)),
    );
  return new Map(files.map((file) => [file, importsOf(file)]));
}

/** The first circle that is found, as its files in order; undefined when there is none. */
function findCircle(graph: Graph): readonly string[] | undefined {
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const next of graph.get(file) ?? []) {
      const circle = visit(next, [...path, file]);
      if (circle !== undefined) return circle;
    }
    done.add(file);
    return undefined;
  };
  for (const file of graph.keys()) {
    const circle = visit(file, []);
    if (circle !== undefined) return circle;
  }
  return undefined;
}

it('no import leads back to its file, imports of types included', () => {
  const graph = importGraph();
  expect(graph.size).toBeGreaterThan(1_000);
  expect([...graph.values()].flat().length).toBeGreaterThan(3_000);
  expect(findCircle(graph)).toBeUndefined();
});

it('a circle would be found', () => {
  const circle = findCircle(
    new Map([
      ['a', ['b']],
      ['b', ['c']],
      ['c', ['b']],
    ]),
  );
  expect(circle).toEqual(['b', 'c', 'b']);
});
