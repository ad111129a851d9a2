import { entry } from './entry.ts';

type InPlan = Readonly<{ plan: string }>;

/** Errors that stop a plan, and errors of the control totals of a file. */
export const PLAN_ERRORS = {
  PLAN_CHANGED: entry<InPlan & Readonly<{ changes: string }>>({
    category: 'usage',
    what: (f) => `The payments are no longer those of the plan ${f.plan}. Changed: ${f.changes}.`,
    why: 'Bursar pays a plan exactly as people saw and approved it, or not at all. Nothing was sent.',
    fix: 'Make the plan again with "bursar plan", compare it with the old one, and submit it. If the batch was already started, use another --id.',
  }),
  PLAN_FILE_UNREADABLE: entry<InPlan & Readonly<{ problem: string }>>({
    category: 'usage',
    what: (f) => `${f.plan} cannot be read as a plan: ${f.problem}.`,
    why: 'It must be a whole file that "bursar plan" wrote.',
    fix: 'Give the path of a plan.json, or make the plan again with "bursar plan".',
  }),
  PLAN_FILE_EDITED: entry<InPlan & Readonly<{ where: string }>>({
    category: 'usage',
    what: (f) => `${f.plan} was changed after it was written: ${f.where}.`,
    why: 'People may have seen another plan. Nothing was sent.',
    fix: 'Make the plan again with "bursar plan", and check it.',
  }),
  PLANNED_FILE_NOT_FOUND: entry<InPlan & Readonly<{ named: string; tried: string }>>({
    category: 'file',
    what: (f) => `The plan ${f.plan} pays ${f.named}, and there is no file ${f.tried}.`,
    why: 'The path of the file starts in the folder of the plan. One of the two was moved.',
    fix: (f) =>
      `Give the file as well ("bursar submit FILE --plan ${f.plan}"), or move the plan back to its folder.`,
  }),
  PLAN_FLAG_CONTRADICTS: entry<InPlan & Readonly<{ flag: string; given: string; planned: string }>>(
    {
      category: 'usage',
      what: (f) => `${f.flag} is ${f.given}, and the plan ${f.plan} has ${f.planned}.`,
      why: 'People saw and approved the choices of the plan.',
      fix: (f) => `Leave ${f.flag} out, or make another plan with it.`,
    },
  ),
  BATCH_HAS_OTHER_PLAN: entry<InPlan & Readonly<{ batchId: string; digest: string }>>({
    category: 'usage',
    what: (f) => `Batch ${f.batchId} was started with another plan (${f.digest}) than ${f.plan}.`,
    why: 'An id belongs to one batch, with the choices of its start.',
    fix: (f) =>
      `"bursar status ${f.batchId}" shows it. To pay the other plan too, make it under another --id.`,
  }),
  CONTROL_LINE_UNREADABLE: entry<Readonly<{ file: string; line: number; problem: string }>>({
    category: 'file',
    what: (f) => `Line ${f.line} of ${f.file} starts with # and is no control line: ${f.problem}.`,
    why: 'A line that starts with # before the header has the control totals of the file. Bursar ignores none of them.',
    fix: 'Write it as "# rows=1000 total=1500.75:USDT_TRC20", with one total for each currency, or remove it.',
  }),
};
