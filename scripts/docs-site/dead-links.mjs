/**
 * Links of pages that lead to no page, no heading or no image, each as a sentence.
 * @param {readonly import('./page.mjs').Page[]} pages
 * @param {(image: string) => boolean} isThere whether the repository has an image
 */
export function deadLinks(pages, isThere) {
  const headings = new Map(
    pages.map(({ place, sections }) => [place, new Set(sections.map(({ id }) => id))]),
  );
  const isDead = ({ place, anchor }) =>
    !headings.has(place) || (anchor !== '' && !headings.get(place).has(anchor));
  return pages.flatMap(({ path, links, images }) => [
    ...links
      .filter(isDead)
      .map(({ place, anchor }) => `${path}: no page has ${place}${anchor && `#${anchor}`}`),
    ...images.filter((image) => !isThere(image)).map((image) => `${path}: there is no ${image}`),
  ]);
}
