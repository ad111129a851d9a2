/**
 * The style of the page, for screen, phone and print. It follows the system's light or dark mode.
 */
export const STYLE = `
:root {
  color-scheme: light dark;
  --page: #f3f4f6; --sheet: #ffffff; --ink: #16202e; --soft: #5b6676; --line: #dfe3e8; --wash:
  #f7f8fa;
  --paid: #15795a; --failed: #c2362b; --not-sent: #b9c1cc; --unknown: #c98a12; --in-flight:
  #3767c9; --over: #ffffff;
  --link: #1d56b8; --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono",
  monospace;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --page: #0e131a; --sheet: #161d26; --ink: #e7ebf0; --soft: #9aa6b5; --line: #2b3541; --wash:
    #1c2530;
    --paid: #3fb68b; --failed: #ef6b5e; --not-sent: #5a6675; --unknown: #e3ab3f; --in-flight:
    #6f9bf0; --over: #161d26;
    --link: #8db4f7;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--page); color: var(--ink);
  font: 0.94rem/1.5 system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
main {
  max-width: 66rem; margin: 2rem auto; padding: 2.75rem 3rem; background: var(--sheet);
  border: 1px solid var(--line); border-radius: 10px;
}
h1 { margin: 0; font-size: 2.1rem; line-height: 1.15; letter-spacing: -0.02em; }
h2 { margin: 0 0 0.9rem; font-size: 1.1rem; }
p { margin: 0 0 0.75rem; max-width: 46rem; }
a { color: var(--link); }
code { font: 0.86em/1.5 var(--mono); overflow-wrap: anywhere; }
section { margin-top: 2.25rem; padding-top: 1.75rem; border-top: 1px solid var(--line); }
.kind {
  margin: 0 0 0.4rem; color: var(--soft); font-size: 0.8rem; font-weight: 600;
  letter-spacing: 0.08em; text-transform: uppercase;
}
.state {
  display: flex; flex-wrap: wrap; align-items: center; gap: 0.35rem 1rem; margin: 0.8rem 0 1.6rem;
  color: var(--soft);
}
.pill {
  padding: 0.1rem 0.7rem; border: 1.5px solid; border-radius: 99px; color: var(--unknown);
  font-size: 0.8rem; font-weight: 700; letter-spacing: 0.04em;
}
.pill.COMPLETED { color: var(--paid); }
.pill.FAILED, .pill.REJECTED, .pill.REFUSED { color: var(--failed); }
.pill.CANCELED { color: var(--soft); }
.notice {
  margin: 0 0 1rem; padding: 0.9rem 1.1rem; background: var(--wash); border: 1px solid var(--line);
  border-left: 4px solid var(--failed); border-radius: 4px;
}
.notice p:last-child { margin: 0; }
.note { color: var(--soft); font-size: 0.87rem; }
dl { display: grid; grid-template-columns: repeat(3, 1fr); gap: 0.9rem 1.5rem; margin: 0; }
dl .long { grid-column: 1 / -1; }
dt { color: var(--soft); font-size: 0.8rem; }
dd { margin: 0; overflow-wrap: anywhere; }
.patterns { position: absolute; }
.c-paid { fill: var(--paid); }
.c-failed { fill: var(--failed); }
.c-notSent { fill: var(--not-sent); }
.c-unknown { fill: var(--unknown); }
.c-inFlight { fill: var(--in-flight); }
.c-over { fill: var(--over); stroke: var(--over); stroke-width: 1.5; opacity: 0.45; }
.dots { stroke-width: 3; stroke-linecap: round; }
.bar { margin: 0 0 1.4rem; }
.bar figcaption {
  display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem;
  margin-bottom: 0.35rem;
}
.bar svg { display: block; border-radius: 5px; }
.slice { stroke: var(--sheet); stroke-width: 2; }
.legend {
  display: flex; flex-wrap: wrap; gap: 0.3rem 1.4rem; margin: 0.5rem 0 0; padding: 0;
  list-style: none; color: var(--soft); font-size: 0.9rem;
}
.legend li { display: flex; align-items: center; gap: 0.45rem; }
.legend b { color: var(--ink); font-weight: 600; }
.ledger { display: grid; gap: 1.5rem; margin-top: 1.8rem; }
.ledger tr:nth-last-child(2) {
  border-top: 1px solid var(--soft); border-bottom: 3px double var(--soft);
}
.ledger tr:nth-last-child(2) td { font-weight: 700; }
.ledger tr:nth-last-child(2) .num { color: var(--ink); }
.ledger th, .ledger td { padding-left: 1.2rem; }
.ledger th:first-child { padding-left: 0; }
.proof {
  margin: 1rem 0 0; padding: 0.7rem 1rem; max-width: none; background: var(--wash);
  border: 1px solid var(--line); border-left: 4px solid var(--paid); border-radius: 4px;
  font-size: 0.92rem;
}
table { width: 100%; border-collapse: collapse; font-size: 0.87rem; }
caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
th, td {
  padding: 0.45rem 0.7rem 0.45rem 0; text-align: left; vertical-align: baseline;
  border-bottom: 1px solid var(--line); font-weight: 400; overflow-wrap: anywhere;
}
th:last-child, td:last-child { padding-right: 0; }
thead th { color: var(--soft); font-size: 0.8rem; vertical-align: bottom; overflow-wrap: normal; }
tbody th { font-weight: 600; }
.word, .code { white-space: nowrap; }
.phrase { overflow-wrap: normal; }
small { color: var(--soft); font-size: 0.92em; }
.amount, .count { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.num { font-variant-numeric: tabular-nums; white-space: nowrap; }
.zero { color: var(--soft); }
.th::before { content: ','; }
.pad { color: var(--line); user-select: none; font-weight: 400; }
.id, .code { font: 0.78rem/1.5 var(--mono); }
.id .pair { min-width: 34ch; }
thead .id, thead .code { font: inherit; font-size: 0.8rem; }
footer {
  margin-top: 2.5rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--soft);
  font-size: 0.85rem;
}
.signature { display: none; }
@media screen and (max-width: 46rem) {
  main { margin: 0; padding: 1.5rem 1.1rem; border: 0; border-radius: 0; }
  h1 { font-size: 1.6rem; }
  dl { grid-template-columns: 1fr; gap: 0.3rem; }
  dl div { display: grid; grid-template-columns: 7.5rem 1fr; gap: 0.8rem; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  table, tbody, tr { display: block; }
  tr { padding: 0.6rem 0; border-bottom: 1px solid var(--line); }
  tbody th, tbody td {
    display: grid; grid-template-columns: 7.5rem 1fr; gap: 0.8rem; padding: 0.12rem 0; border: 0;
    white-space: normal;
  }
  tbody .amount, tbody .count { text-align: left; }
  .id .pair { min-width: 0; }
  tbody th::before, tbody td::before {
    content: attr(data-title); color: var(--soft); font: 400 0.82rem/1.6 system-ui, sans-serif;
  }
  tbody [data-title=""] { display: block; }
  .ledger th, .ledger td { padding-left: 0; }
  tbody .empty, .pad { display: none; }
}
@media print {
  @page { margin: 16mm 14mm; }
  :root { color-scheme: light; font-size: 12px; }
  body { background: #fff; }
  main { max-width: none; margin: 0; padding: 0; border: 0; }
  h2 { break-after: avoid; }
  tr, figure, .notice, dl, .ledger, .proof { break-inside: avoid; }
  th, td { padding-top: 0.3rem; padding-bottom: 0.3rem; }
  a { color: inherit; text-decoration: none; }
  .signature {
    display: inline-block; width: 45%; margin: 3rem 4% 1rem 0; padding-top: 0.3rem;
    border-top: 1px solid var(--ink);
  }
}
`;
