#!/usr/bin/env node
/** Writes the tables of docs/settings.md from the declarations of the settings. */
import { readFileSync, writeFileSync } from 'node:fs';
import { settingsDocument } from '../build/src/config/settings-document.js';

const FILE = new URL('../docs/settings.md', import.meta.url);
/** Everything below the first heading of a section is written. */
const FIRST_SECTION = '\n## ';

const [head] = readFileSync(FILE, 'utf8').split(FIRST_SECTION);
writeFileSync(FILE, `${head}\n${settingsDocument()}`);
