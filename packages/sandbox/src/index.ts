export { type SandboxClock as Clock, systemClock } from './clock.ts';
export { MODE_VALUES } from './core/modes.ts';
export { createSandbox, type Sandbox, type SandboxOptions } from './sandbox.ts';
export { readSettings, type SandboxSettings as Settings, SettingsInvalid } from './settings.ts';
export type { SandboxSettingsSources as SettingsSources } from './settings-sources.ts';
export { StoreUnusable } from './store/database.ts';
export { testAddress, type TestAddressCode, type TestAddressNetwork } from './test-addresses.ts';
