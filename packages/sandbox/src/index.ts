export { type SandboxClock, systemClock } from './clock.ts';
export { MODE_VALUES } from './core/modes.ts';
export { createSandbox, type Sandbox, type SandboxOptions } from './sandbox.ts';
export { readSettings, type SandboxServerSettings, SettingsInvalid } from './settings.ts';
export type { SandboxSettingsSources } from './settings-sources.ts';
export type { SandboxSeed } from './http/admin/seeds.ts';
export {
  type RunningSandbox,
  type RunningSandboxClock,
  startSandbox,
  type StartSandboxOptions,
} from './start-sandbox.ts';
export { replayCase, type ReplayDifference, type ReplayResult } from './replay/replay.ts';
export { StoreUnusable } from './store/database.ts';
export { testAddress, type TestAddressCode, type TestAddressNetwork } from './test-addresses.ts';
