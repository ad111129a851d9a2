/** Who decided or tried what; entries are only ever added. */
export type SubmitEntry = Readonly<{
  atMs: number;
  batchId: string | null;
  actor: string;
  action: string;
  detail: Readonly<Record<string, unknown>>;
}>;

/** The part of the audit log that activities write to. */
export type AuditLog = Readonly<{ append(entry: SubmitEntry): Promise<unknown> }>;
