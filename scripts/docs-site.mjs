#!/usr/bin/env node
/**
 * Writes the documentation as a static site with a search. Any web server can serve the folder. Fails when a page links to one that
 * is not there.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import MiniSearch from 'minisearch';
import { deadLinks } from './docs-site/dead-links.mjs';
import { documentOf } from './docs-site/document.mjs';
import { readPage } from './docs-site/page.mjs';
import { SEARCH_OPTIONS } from './docs-site/search-options.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PARTS = fileURLToPath(new URL('docs-site/', import.meta.url));

/** Pages of rooms outside of `src`. */
const OTHERS = ['bench/README.md', 'examples/README.md'];

const USAGE = `Usage: node scripts/docs-site.mjs [FOLDER]

Writes the documentation as a static site into FOLDER, by default build/site. What is in FOLDER is removed first.`;

const folder = readFolder(process.argv.slice(2));
const pages = pagePaths().map((path) => readPage(path, readFileSync(join(ROOT, path), 'utf8')));
rmSync(folder, { recursive: true, force: true });
for (const page of pages) write(page.place, documentOf(page, pages));
for (const image of new Set(pages.flatMap(({ images }) => images))) copy(join(ROOT, image), image);
for (const part of ['site.css', 'site.js', 'search-options.mjs']) copy(join(PARTS, part), part);
copy(
  join(dirname(createRequire(import.meta.url).resolve('minisearch')), '../es/index.js'),
  'minisearch.js',
);
write('search.json', JSON.stringify(searchIndex()));

const dead = deadLinks(pages, (image) => existsSync(join(ROOT, image)));
for (const link of dead) console.error(link);
console.log(`${folder}: ${pages.length} pages, ${dead.length} dead links`);
process.exitCode = dead.length === 0 ? 0 : 1;

/** The folder of the site. Ends the program where none is given rightly. */
function readFolder(args) {
  if (args.includes('--help') || args.includes('-h')) {
    console.log(USAGE);
    process.exit(0);
  }
  const option = args.find((arg) => arg.startsWith('-'));
  if (option !== undefined) refuse(`${option} is no option.`);
  if (args.length > 1) refuse('One folder is written at a time.');
  const path = resolve(args[0] ?? join(ROOT, 'build', 'site'));
  const isOther = existsSync(path) && readdirSync(path).length > 0;
  if (isOther && !existsSync(join(path, 'search.json'))) {
    refuse(`${path} holds something else than a site, which would be removed.`);
  }
  return path;
}

function refuse(what) {
  console.error(`${what}\n\n${USAGE}`);
  process.exit(2);
}

function pagePaths() {
  const named = (room) => readdirSync(join(ROOT, room)).map((name) => `${room}/${name}/README.md`);
  const docs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' });
  return [
    ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
    ...docs.filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`),
    ...[...named('packages'), ...named('src'), ...named('examples'), ...OTHERS].filter((path) =>
      existsSync(join(ROOT, path)),
    ),
  ];
}

/** One entry for each section of each page. */
function searchIndex() {
  const index = new MiniSearch(SEARCH_OPTIONS);
  for (const { place, title, sections } of pages) {
    for (const { id, heading, text } of sections) {
      index.add({ id: id === '' ? place : `${place}#${id}`, page: title, heading, text });
    }
  }
  return index;
}

function write(place, text) {
  const file = join(folder, place);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function copy(from, place) {
  mkdirSync(dirname(join(folder, place)), { recursive: true });
  if (extname(from) !== '' && existsSync(from)) cpSync(from, join(folder, place));
}
