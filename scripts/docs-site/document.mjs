import { posix } from 'node:path';
import { escaped } from './escaped.mjs';

/** The groups of the menu in their order, by paths in the repository. Pages that none names are in the last group. */
const GROUPS = [
  [
    'Paying',
    [
      'README.md',
      'docs/web-app.md',
      'docs/paying.md',
      'docs/run-book.md',
      'docs/payout-file.md',
      'docs/notifications.md',
    ],
  ],
  [
    'Programs',
    [
      'docs/http-api.md',
      'examples/integrator/README.md',
      'docs/commands.md',
      'packages/merchant-api/README.md',
      'packages/sandbox/README.md',
      'packages/conformance/README.md',
      'docs/shapes.md',
      'docs/matrix.md',
    ],
  ],
  [
    'Operating',
    [
      'docs/operating.md',
      'docs/settings.md',
      'docs/deploy.md',
      'docs/alerts.md',
      'docs/web-ui.md',
      'docs/drills.md',
      'docs/cluster.md',
    ],
  ],
  [
    'Trust',
    ['docs/security.md', 'docs/audit.md', 'docs/encryption.md', 'docs/proof.md', 'docs/faults.md'],
  ],
];
const LAST = 'How it is built';

/** The HTML of a page, with the menu and the search. */
export function documentOf(page, pages) {
  const to = (place) => posix.relative(posix.dirname(page.place), place) || posix.basename(place);
  const root = posix.relative(posix.dirname(page.place), '') || '.';
  const entry = ({ place, title }) => {
    const here = place === page.place ? ' aria-current="page"' : '';
    return `<li><a href="${escaped(to(place))}"${here}>${escaped(title)}</a></li>`;
  };
  const menu = groupsOf(pages).map(
    ([name, members]) => `<h2>${name}</h2>\n<ul>\n${members.map(entry).join('\n')}\n</ul>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'">
<title>${escaped(page.title)}${page.path === 'README.md' ? '' : ' · Bursar'}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${root}/site.css">
<script type="module" src="${root}/site.js"></script>
</head>
<body data-root="${root}">
<a class="skip" href="#content">Skip to the text</a>
<header>
<a href="${escaped(to('index.html'))}">Bursar</a>
<form role="search"><label for="search">Search</label>
<input id="search" type="search" autocomplete="off" placeholder="Search" aria-controls="finds"></form>
</header>
<ol id="finds" aria-live="polite" hidden></ol>
<div class="columns">
<nav aria-label="Pages">
${menu.join('\n')}
</nav>
<main id="content">
${page.html}</main>
</div>
</body>
</html>
`;
}

function groupsOf(pages) {
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const named = GROUPS.map(([name, paths]) => [
    name,
    paths.map((path) => byPath.get(path)).filter((page) => page !== undefined),
  ]);
  const shown = new Set(named.flatMap(([, members]) => members));
  return [...named, [LAST, pages.filter((page) => !shown.has(page))]];
}
