import { z } from 'zod';
import * as reading from '../../operations/approval/list-people.ts';
import { operation } from '../operation.ts';
import { peopleResult } from '../results/people.ts';

export const listPeople = operation({
  name: 'listPeople',
  summary: 'The people who sign, what each may do, and who must approve which totals',
  role: 'read',
  http: 'GET /v1/people',
  input: z.strictObject({}),
  result: peopleResult,
  run: reading.listPeople,
});
