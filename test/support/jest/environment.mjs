import { AsyncLocalStorage } from 'node:async_hooks';
import { TestEnvironment } from 'jest-environment-node';
import { dropDatabases } from './test-databases.mjs';

const METHODS = ['run', 'enterWith'];

/**
 * Node.js, whose core modules all test files of a process share, hands the contents of every AsyncLocalStorage that was ever
 * used from promise to promise. Each test file loads libraries anew that use one or more: without an end to that, the hundredth
 * file pays for the ninety-nine before it, in time and in memory.
 */
export default class Environment extends TestEnvironment {
  #used = new Set();
  #methods = {};

  async setup() {
    await super.setup();
    const used = this.#used;
    for (const name of METHODS) {
      const method = AsyncLocalStorage.prototype[name];
      this.#methods[name] = method;
      AsyncLocalStorage.prototype[name] = function (...args) {
        used.add(this);
        return method.apply(this, args);
      };
    }
  }

  async teardown() {
    Object.assign(AsyncLocalStorage.prototype, this.#methods);
    for (const storage of this.#used) storage.disable();
    this.#used.clear();
    await dropDatabases([...(this.global.databasesOfTests ?? [])]);
    await super.teardown();
  }
}
