import { columnLetters } from '../../domain/files/column-letters.ts';
import { STYLES_XML } from './styles-xml.ts';
import { MAIN, PACKAGE, RELATION, XML } from './xml-names.ts';
import type { ZipPart } from './zipped.ts';

/** A sheet of a workbook. `filtered`: its rows, with the header, and its columns; null: it has no filter. */
export type WrittenSheet = Readonly<{
  name: string;
  filtered: Readonly<{ rows: number; columns: number }> | null;
}>;

/** The part of a sheet, by its number from 1. */
export const sheetPart = (number: number): string => `xl/worksheets/sheet${number}.xml`;

/** The cells of a filter, such as `A1:C7`; `$`: as a formula names them. */
export const filterRange = (
  { rows, columns }: Readonly<{ rows: number; columns: number }>,
  $ = '',
): string => `${$}A${$}1:${$}${columnLetters(columns - 1)}${$}${rows}`;

const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** The parts of a workbook beside its sheets. They name all sheets, so they follow them. */
export const partsBesideSheets = (sheets: readonly WrittenSheet[]): readonly ZipPart[] => [
  part('xl/styles.xml', STYLES_XML),
  part(
    'xl/workbook.xml',
    `<workbook xmlns="${MAIN}" xmlns:r="${RELATION}"><sheets>${sheets
      .map(({ name }, i) => `<sheet name="${name}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`)
      .join('')}</sheets>${filterNames(sheets)}</workbook>`,
  ),
  part(
    'xl/_rels/workbook.xml.rels',
    relations([
      ...sheets.map((_, i) => ['worksheet', `worksheets/sheet${i + 1}.xml`] as const),
      ['styles', 'styles.xml'],
    ]),
  ),
  part('_rels/.rels', relations([['officeDocument', 'xl/workbook.xml']])),
  part(
    '[Content_Types].xml',
    `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${[
      ['xl/workbook.xml', 'sheet.main'],
      ['xl/styles.xml', 'styles'],
      ...sheets.map((_, i) => [sheetPart(i + 1), 'worksheet']),
    ]
      .map(([name, type]) => `<Override PartName="/${name}" ContentType="${CONTENT}.${type}+xml"/>`)
      .join('')}</Types>`,
  ),
];

const part = (name: string, xml: string): ZipPart => ({
  name,
  content: [xml.startsWith(XML) ? xml : XML + xml],
});

/** Excel keeps the cells of a filter under this name, too. */
function filterNames(sheets: readonly WrittenSheet[]): string {
  const names = sheets.map(({ name, filtered }, i) =>
    filtered === null
      ? ''
      : `<definedName name="_xlnm._FilterDatabase" localSheetId="${i}" hidden="1">'${name}'!${filterRange(filtered, '$')}</definedName>`,
  );
  return names.some(Boolean) ? `<definedNames>${names.join('')}</definedNames>` : '';
}

const relations = (targets: readonly (readonly [type: string, target: string])[]): string =>
  `<Relationships xmlns="${PACKAGE}/relationships">${targets
    .map(
      ([type, target], i) =>
        `<Relationship Id="rId${i + 1}" Type="${RELATION}/${type}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`;
