import { access } from 'node:fs/promises';
import { join } from 'node:path';

/** The folder of a batch that ended holds its report, with the plan and the nack.csv that belong to it. */
export const holdsReport = (dir: string): Promise<boolean> =>
  access(join(dir, 'report.json')).then(
    () => true,
    () => false,
  );
