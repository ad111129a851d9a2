import { BursarError } from '../../domain/errors/bursar-error.ts';
import type { Calendar } from './date-text.ts';
import { attributeOf } from './read-xml.ts';
import { readSmallPart, type Workbook } from './read-part.ts';

/** A sheet of a workbook, with the name of its part. */
export type Sheet = Readonly<{ name: string; part: string; isHidden: boolean }>;

/** The parts of a workbook that are read. `texts`: the shared texts; undefined where there are none. */
export type WorkbookIndex = Readonly<{
  sheets: readonly Sheet[];
  calendar: Calendar;
  texts: string | undefined;
  formats: string | undefined;
}>;

/** A relation of a part. `type`: the last word of its type, as in `worksheet`. */
type Relation = Readonly<{ id: string; type: string; target: string }>;

/** Finds the sheets of a workbook. @throws WORKBOOK_UNREADABLE */
export async function readIndex(workbook: Workbook): Promise<WorkbookIndex> {
  const [root] = (await relationsOf(workbook, '')).filter(({ type }) => type === 'officeDocument');
  const { file } = workbook;
  if (root === undefined) {
    throw new BursarError('WORKBOOK_UNREADABLE', { file, reason: 'it does not name its workbook' });
  }
  const relations = await relationsOf(workbook, root.target);
  const sheets: Sheet[] = [];
  let calendar: Calendar = 'from1900';
  await readSmallPart(workbook, root.target, {
    open(name, attributes) {
      if (name === 'workbookPr' && isTrue(attributes['date1904'])) calendar = 'from1904';
      if (name !== 'sheet') return;
      const id = attributeOf(attributes, 'id');
      const relation = relations.find((each) => each.id === id);
      if (relation?.type !== 'worksheet') return;
      const state = attributes['state'] ?? 'visible';
      const isHidden = state !== 'visible';
      sheets.push({ name: attributes['name'] ?? '', part: relation.target, isHidden });
    },
    text: ignore,
    close: ignore,
  });
  const partOf = (wanted: string) => relations.find(({ type }) => type === wanted)?.target;
  return { sheets, calendar, texts: partOf('sharedStrings'), formats: partOf('styles') };
}

const isTrue = (value: string | undefined): boolean => value === '1' || value === 'true';

const ignore = (): void => undefined;

/** Reads the relations of a part; `''`: those of the whole workbook. */
async function relationsOf(workbook: Workbook, part: string): Promise<readonly Relation[]> {
  const slash = part.lastIndexOf('/');
  const folder = part.slice(0, slash + 1);
  const name = `${folder}_rels/${part.slice(slash + 1)}.rels`;
  const relations: Relation[] = [];
  if (!workbook.parts.has(name)) return relations;
  await readSmallPart(workbook, name, {
    open(element, attributes) {
      const { Id: id, Type: type = '', Target: target, TargetMode: mode } = attributes;
      if (element !== 'Relationship' || id === undefined || target === undefined) return;
      if (mode === 'External') return;
      relations.push({
        id,
        type: type.slice(type.lastIndexOf('/') + 1),
        target: resolved(folder, target),
      });
    },
    text: ignore,
    close: ignore,
  });
  return relations;
}

/** The name of the part that a relation leads to, as seen from the folder of its part. */
function resolved(folder: string, target: string): string {
  const path = target.startsWith('/') ? target : `${folder}${target}`;
  const steps: string[] = [];
  for (const step of path.split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '' && step !== '.') steps.push(step);
  }
  return steps.join('/');
}
