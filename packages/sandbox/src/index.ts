export { type Clock, systemClock } from './clock.ts';
export { MODE_VALUES } from './core/modes.ts';
export { createSandbox, type Sandbox, type SandboxOptions } from './sandbox.ts';
export { readSettings, type Settings, SettingsInvalid } from './settings.ts';
export type { SettingsSources } from './settings-sources.ts';
export { StoreUnusable } from './store/database.ts';
export { testAddress, type TestAddressCode, type TestAddressNetwork } from './test-addresses.ts';
