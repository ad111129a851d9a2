/** The relative links of a page, in their order. Links in code and links to other hosts are left out. */
export const linksOf = (text: string): string[] =>
  [...proseOf(text).matchAll(LINK)]
    .map(([, inline, reference]) => inline ?? reference ?? '')
    .filter((link) => link !== '' && !HAS_SCHEME.test(link));

/** `[text](link)`, also for a picture, or a line `[name]: link`. */
const LINK = /\]\(([^()\s]+)\)|^\[[^\]\n]+\]: (\S+)$/gm;
const HAS_SCHEME = /^[a-z][a-z+.-]*:/i;

/** A page without its code. */
const proseOf = (text: string): string =>
  text.replaceAll(/^```[^\n]*\n[\s\S]*?^```$/gm, '').replaceAll(/`[^`\n]*`/g, '');

/** The anchors of a page's headings, as GitHub makes them. */
export function anchorsOf(text: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  const prose = text.replaceAll(/^```[^\n]*\n[\s\S]*?^```$/gm, '');
  for (const [, heading = ''] of prose.matchAll(/^#{1,6} (.+)$/gm)) {
    const anchor = anchorOf(heading);
    let unique = anchor;
    for (let n = 1; anchors.has(unique); n += 1) unique = `${anchor}-${n}`;
    anchors.add(unique);
  }
  return anchors;
}

const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
