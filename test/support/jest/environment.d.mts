/** See `environment.mjs`; of what jest gives to an environment, Node.js's needs these. */
export default class Environment {
  constructor(
    config: Readonly<{ globalConfig: object; projectConfig: Readonly<Record<string, object>> }>,
    context: Readonly<{ console: Console; docblockPragmas: object; testPath: string }>,
  );
  setup(): Promise<void>;
  teardown(): Promise<void>;
}
