import MiniSearch from './minisearch.js';
import { SEARCH_OPTIONS } from './search-options.mjs';

const FINDS_MAX = 12;
/** Characters of text before and after the first word that was found. */
const AROUND = 80;

const { root } = document.body.dataset;
const field = document.getElementById('search');
const list = document.getElementById('finds');
let index;

const load = () =>
  (index ??= fetch(`${root}/search.json`)
    .then((answer) => answer.text())
    .then((text) => MiniSearch.loadJSON(text, SEARCH_OPTIONS)));

field.addEventListener('focus', load);
field.addEventListener('input', () => void showFinds());
field.form.addEventListener('submit', (event) => {
  event.preventDefault();
  list.querySelector('a')?.click();
});
document.addEventListener('keydown', (event) => {
  if (event.key === '/' && document.activeElement !== field) {
    event.preventDefault();
    field.focus();
  }
  if (event.key === 'Escape') list.hidden = true;
});

async function showFinds() {
  const words = field.value.trim();
  const finds = words === '' ? [] : (await load()).search(words).slice(0, FINDS_MAX);
  if (field.value.trim() !== words) return;
  list.hidden = words === '';
  list.replaceChildren(...(finds.length === 0 ? [nothing()] : finds.map(found)));
}

function found({ id, page, heading, text, terms }) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = `${root}/${id}`;
  link.textContent = heading === '' || heading === page ? page : `${page}: ${heading}`;
  const part = document.createElement('p');
  part.textContent = excerpt(text, terms);
  item.append(link, part);
  return item;
}

function excerpt(text, terms) {
  const at = Math.max(
    0,
    Math.min(...terms.map((term) => text.toLowerCase().indexOf(term)).filter((n) => n >= 0)),
  );
  const from = Number.isFinite(at) ? Math.max(0, at - AROUND) : 0;
  return `${from > 0 ? '… ' : ''}${text.slice(from, from + 2 * AROUND).trim()}`;
}

function nothing() {
  const item = document.createElement('li');
  item.textContent = 'Nothing was found.';
  return item;
}
