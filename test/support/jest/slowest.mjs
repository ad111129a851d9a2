const FILES = 10;

/** The lines that name the slowest files of a run; none when there are so few that every one of them is seen. */
export function slowestFiles({ testResults }, rootDir) {
  if (testResults.length <= FILES) return [];
  const timed = testResults
    .map(({ perfStats, testFilePath }) => [perfStats.runtime, testFilePath])
    .sort(([a], [b]) => b - a)
    .slice(0, FILES);
  return timed.map(
    ([runtime, path]) =>
      `${(runtime / 1000).toFixed(1).padStart(7)} s  ${path.replace(`${rootDir}/`, '')}`,
  );
}

/** Prints at the end of a run which files took longest. */
export default class SlowestFiles {
  #rootDir;

  constructor({ rootDir }) {
    this.#rootDir = rootDir;
  }

  onRunComplete(_contexts, results) {
    const lines = slowestFiles(results, this.#rootDir);
    if (lines.length > 0) console.error(['', 'The slowest files:', ...lines].join('\n'));
  }
}
