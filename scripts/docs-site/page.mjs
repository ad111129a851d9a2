import { posix } from 'node:path';
import { Marked } from 'marked';
import { escaped } from './escaped.mjs';

/**
 * A page of the site. `path`: of its Markdown in the repository; `place`: of its HTML in the site. `links`: those to other pages, with the
 * heading or ''. `images`: paths in the repository. The first section has no id when the page begins with text.
 * @typedef {Readonly<{ id: string, heading: string, text: string }>} Section
 * @typedef {Readonly<{ place: string, anchor: string }>} Link
 * @typedef {Readonly<{ path: string, place: string, title: string, html: string, sections: readonly Section[],
 *   links: readonly Link[], images: readonly string[] }>} Page
 */

/** Where the site has a page. A README stands for its folder. */
export const placeOf = (path) => path.replace(/README\.md$/, 'index.md').replace(/\.md$/, '.html');

/** @returns {Page} */
export function readPage(path, markdown) {
  const place = placeOf(path);
  const links = [];
  const images = [];
  const marked = new Marked({ gfm: true });
  const tokens = marked.lexer(markdown);
  const ids = headingIds(tokens);
  marked.use({
    renderer: {
      heading(token) {
        const inner = this.parser.parseInline(token.tokens);
        return `<h${token.depth} id="${ids.get(token)}">${inner}</h${token.depth}>\n`;
      },
      link({ href, tokens: inner }) {
        const text = this.parser.parseInline(inner);
        if (/^[a-z]+:/.test(href)) return `<a href="${escaped(href)}" rel="noopener">${text}</a>`;
        const [file, anchor = ''] = href.split('#');
        const target = file === '' ? path : posix.join(posix.dirname(path), file);
        // The site holds no source code: such a link stays as text, with the path of the file.
        if (!target.endsWith('.md')) return `<span title="${escaped(target)}">${text}</span>`;
        links.push({ place: placeOf(target), anchor });
        const to = posix.relative(posix.dirname(place), placeOf(target));
        return `<a href="${escaped(anchor === '' ? to : `${to}#${anchor}`)}">${text}</a>`;
      },
      image({ href, text }) {
        const image = posix.join(posix.dirname(path), href);
        images.push(image);
        const from = posix.relative(posix.dirname(place), image);
        return `<img src="${escaped(from)}" alt="${escaped(text)}" loading="lazy">`;
      },
      // Markup within a document is text on the site.
      html: ({ text }) => escaped(text),
    },
  });
  const html = marked.parser(tokens);
  const title = plain(
    tokens.find(({ type, depth }) => type === 'heading' && depth === 1)?.text ?? path,
  );
  return { path, place, title, html, sections: sectionsOf(tokens, ids), links, images };
}

/** The ids that readers of Markdown give to headings: a heading that comes again has a number. */
function headingIds(tokens) {
  const counts = new Map();
  const ids = new Map();
  for (const token of tokens.filter(({ type }) => type === 'heading')) {
    const id = plain(token.text)
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-');
    const count = counts.get(id) ?? 0;
    counts.set(id, count + 1);
    ids.set(token, count === 0 ? id : `${id}-${count}`);
  }
  return ids;
}

/** The text of each heading up to the next one, for the search. */
function sectionsOf(tokens, ids) {
  const sections = [{ id: '', heading: '', text: '' }];
  for (const token of tokens) {
    if (token.type === 'heading') {
      sections.push({ id: ids.get(token), heading: plain(token.text), text: '' });
    } else {
      const section = sections.at(-1);
      section.text = `${section.text} ${plain(token.raw)}`.trim();
    }
  }
  return sections.filter(({ id, text }) => id !== '' || text !== '');
}

/** Text without the signs of Markdown. */
const plain = (markdown) =>
  markdown
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .replace(/[|>]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
