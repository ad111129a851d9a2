const BEGIN = '<!-- table -->';
const END = '<!-- end of the table -->';

/** Returns the text between the markers of a document. Throws when there are none. */
export function tableIn(document: string): string {
  const [begin, end] = positionsIn(document);
  return document.slice(begin, end).trim();
}

/** Returns the document with another table between its markers. */
export function withTable(document: string, table: string): string {
  const [begin, end] = positionsIn(document);
  return `${document.slice(0, begin)}\n\n${table}\n\n${document.slice(end)}`;
}

function positionsIn(document: string): [number, number] {
  const begin = document.indexOf(BEGIN);
  const end = document.indexOf(END);
  if (begin < 0 || end < begin) throw new Error(`There are no markers ${BEGIN} and ${END}.`);
  return [begin + BEGIN.length, end];
}
