#!/usr/bin/env node
/** Writes docs/openapi.json: the OpenAPI document of a sandbox with default settings. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defaultDocument } from '../packages/sandbox/build/openapi/document.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FILE = 'docs/openapi.json';

mkdirSync(`${ROOT}/docs`, { recursive: true });
writeFileSync(`${ROOT}/${FILE}`, JSON.stringify(defaultDocument(), null, 2));
const biome = ['node_modules/@biomejs/biome/bin/biome', 'format', '--write', FILE];
const { status } = spawnSync(process.execPath, biome, { cwd: ROOT, stdio: ['ignore', 2, 2] });
if (status !== 0) process.exitCode = 1;
