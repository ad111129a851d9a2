import { describe, expect, it } from '@jest/globals';
import * as merchantApi from '@bursar/merchant-api';
import { openServer } from './support/fixtures.ts';
import { answerReadme, README_LINES, readmeProgram } from './support/readme-service.ts';

const IMPORT = /^import \{ (.*) \} from '@bursar\/merchant-api';$/gm;

type Log = (...line: unknown[]) => void;
type Program = (api: typeof merchantApi, console: { log: Log }) => Promise<void>;
const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor as new (
  ...parts: string[]
) => Program;

describe('the README', () => {
  it('has snippets that run one after the other, as they stand', async () => {
    const server = await openServer({
      onRequest: (socket, request) => socket.write(answerReadme(request)),
    });
    const body = readmeProgram(server.url).replace(
      IMPORT,
      (_line, names) => `const { ${names} } = api;`,
    );
    const lines: unknown[][] = [];
    await new AsyncFunction('api', 'console', body)(merchantApi, {
      log: (...line) => lines.push(line),
    });
    expect(lines).toEqual(README_LINES);
  });
});
