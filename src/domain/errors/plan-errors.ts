import { entry } from './entry.ts';

type InPlan = Readonly<{ plan: string }>;

/** Errors that stop a plan, and errors of the control totals of a file. */
export const PLAN_ERRORS = {
  PLAN_CHANGED: entry<InPlan & Readonly<{ changes: string }>>({
    category: 'usage',
    what: (f) => `What would be paid now is not the plan ${f.plan}. Changed: ${f.changes}.`,
    why: 'A plan is carried out as it was seen and approved, or not at all. Nothing was sent.',
    fix: 'Make the plan again with "bursar plan", compare it with the old one, and submit the new one. If the batch was already started, give it another --id.',
  }),
  PLAN_FILE_UNREADABLE: entry<InPlan & Readonly<{ problem: string }>>({
    category: 'usage',
    what: (f) => `${f.plan} cannot be read as a plan: ${f.problem}.`,
    why: 'Only a plan that was written by "bursar plan", and is whole, can be carried out.',
    fix: 'Give the path of a plan.json, or make the plan again with "bursar plan".',
  }),
  PLAN_FILE_EDITED: entry<InPlan & Readonly<{ where: string }>>({
    category: 'usage',
    what: (f) => `${f.plan} was changed after it was written: ${f.where}.`,
    why: 'It was changed after it was written, so its readers saw another plan. Nothing was sent.',
    fix: 'Make the plan again with "bursar plan", and look at the new one.',
  }),
  PLANNED_FILE_NOT_FOUND: entry<InPlan & Readonly<{ named: string; tried: string }>>({
    category: 'file',
    what: (f) => `The plan ${f.plan} pays ${f.named}; there is no file ${f.tried}.`,
    why: 'A plan names its file as seen from its own folder, so that it does not find the file any more when one of the two is moved.',
    fix: (f) =>
      `Give the file as well, wherever it is ("bursar submit FILE --plan ${f.plan}"), or move the plan back to where it was written.`,
  }),
  PLAN_FLAG_CONTRADICTS: entry<InPlan & Readonly<{ flag: string; given: string; planned: string }>>(
    {
      category: 'usage',
      what: (f) => `${f.flag} says ${f.given}, but the plan ${f.plan} says ${f.planned}.`,
      why: 'The choices of a plan are part of what was seen and approved.',
      fix: (f) => `Leave ${f.flag} out, or make another plan with it.`,
    },
  ),
  BATCH_HAS_OTHER_PLAN: entry<InPlan & Readonly<{ batchId: string; digest: string }>>({
    category: 'usage',
    what: (f) => `Batch ${f.batchId} was started with another plan (${f.digest}) than ${f.plan}.`,
    why: 'An id stands for one batch, with the choices that it was started with.',
    fix: (f) =>
      `Look at it with "bursar status ${f.batchId}". If the other plan is to be carried out too, make it under another --id.`,
  }),
  CONTROL_LINE_UNREADABLE: entry<Readonly<{ file: string; line: number; problem: string }>>({
    category: 'file',
    what: (f) => `Line ${f.line} of ${f.file} starts with # and is no control line: ${f.problem}.`,
    why: 'A line that starts with # before the header states the control totals of the file. One that is not understood could be the one that matters.',
    fix: 'Write it as "# rows=1000 total=1500.75:USDT_TRC20", with one total for each currency, or remove it.',
  }),
};
