import { createHash } from 'node:crypto';
import { headName, isPushDue, keptHeadText } from '../../domain/audit/kept-head.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { filesPlaceOf } from '../../domain/store/files-url.ts';
import { maskedUrl } from '../../domain/text/masked-url.ts';
import { createFiles } from '../../files/index.ts';
import { HEALTH_CHECKS } from '../../store/housekeeping/health-checks.ts';
import type { Store } from '../../store/index.ts';
import { createUrlTarget } from '../notifications/url-target.ts';
import type { HousekeepingTask } from './task.ts';

export type AuditHeadDeps = Readonly<{
  store: Store;
  /** A place of files, or the address of a receiver of webhooks. */
  url: string;
  /** The keys that sign the webhook. */
  readKeys(): readonly Uint8Array[];
  nowMs(): number;
}>;

/** Keeps the end of the audit log in a second place, so that a log that was rewritten or cut off is found. */
export const createAuditHeadTask = (deps: AuditHeadDeps): HousekeepingTask => ({
  name: 'audit head',
  run: () => run(deps),
});

async function run(deps: AuditHeadDeps): Promise<string> {
  const { store, url, nowMs } = deps;
  const head = await store.audit.storeHead();
  if (head === undefined) return 'the log is empty';
  const atMs = nowMs();
  const noted = await store.watches.find(HEALTH_CHECKS.auditHead);
  const last = noted && { head: noted.condition, place: noted.detail, atMs: noted.seenAtMs };
  const push = { head: headName(head), place: maskedUrl(url), atMs };
  const due = isPushDue(push, last);
  if (due !== 'due') return due === 'unchanged' ? 'it is kept' : 'a newer one is pushed soon';
  const { id: storeId } = await store.identity.read();
  await send(deps, { id: `audit-head-${head.seq}`, body: keptHeadText({ storeId, ...head }) });
  const detail = push.place;
  await store.watches.note(HEALTH_CHECKS.auditHead, { condition: push.head, atMs, detail });
  return `entry ${head.seq} is kept`;
}

/** @throws AUDIT_HEAD_NOT_KEPT, FILES_UNAVAILABLE */
async function send(
  { url, readKeys, nowMs }: AuditHeadDeps,
  { id, body }: Readonly<{ id: string; body: string }>,
): Promise<void> {
  if (filesPlaceOf(url) !== undefined) {
    const sha256 = createHash('sha256').update(body, 'utf8').digest('hex');
    await createFiles(url).put(sha256, blocksOf(body));
    return;
  }
  const target = createUrlTarget({ name: 'audit.head_url', events: [], url, readKeys, nowMs });
  const delivered = await target.deliver({ id, event: 'audit.head', body });
  if (delivered.kind === 'delivered') return;
  throw new BursarError('AUDIT_HEAD_NOT_KEPT', { why: delivered.why });
}

async function* blocksOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text, 'utf8');
}
