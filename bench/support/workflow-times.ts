import { Client, Connection } from '@temporalio/client';
import type { temporal } from '@temporalio/proto';
import { tsToMs } from '@temporalio/common/lib/time.js';
import { batchWorkflowId } from '../../src/contract/names.ts';
