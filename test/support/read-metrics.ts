/** Reads the metrics of a program at the admin port that it has printed. */
export async function readMetrics(output: string): Promise<string> {
  const [, url] = /^admin port of the .* on (\S+)$/m.exec(output) ?? [];
  return (await fetch(`${url}/metrics`)).text();
}
