import type { Client } from 'pg';

export function serverOfTests(): string | undefined;
export function templateOfRun(): string;
export function onServerOfTests<Result>(work: (client: Client) => Promise<Result>): Promise<Result>;
export function dropDatabases(names: readonly string[]): Promise<void>;
