import type { IncomingMessage } from 'node:http';
import { basename, extname } from 'node:path';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refusalInput } from '../app/batches/submit.ts';
import { inputReader } from '../app/input-reader.ts';
import type { Role } from '../domain/access/role.ts';
import { FILE_SIZE_BYTES_MAX } from '../ingest/limits.ts';
import type { OperationContext } from '../operations/context.ts';
import { openCorrectable, openReasons } from '../operations/file/correctable-file.ts';
import type { FileWithChoices } from '../operations/file/program-submit.ts';
import { uploadFile } from '../operations/file/stored-file.ts';
import { openReportFile } from '../operations/report/report-files.ts';

/** The context of a request whose caller has at least this role. @throws ROLE_TOO_LOW */
export type ContextFor = (
  role: Role,
  request: FastifyRequest,
  reply: FastifyReply,
) => OperationContext;

/** Bytes in and out: they are no JSON, so the table of operations does not have them. */
export function addFileRoutes(server: FastifyInstance, contextFor: ContextFor): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(
    '*',
    async (_request: FastifyRequest, bytes: IncomingMessage) => bytes,
  );
  addUpload(server, contextFor);
  addDownload(server, contextFor);
}

/** `PUT /v1/files?name=payroll.csv`: the bytes of a file, of any type and within the limit of files. */
function addUpload(server: FastifyInstance, contextFor: ContextFor): void {
  server.put<{
    Querystring: { name?: string | string[] };
    Body: IncomingMessage | undefined;
  }>('/v1/files', { bodyLimit: FILE_SIZE_BYTES_MAX }, async (request, reply) => {
    const context = contextFor('submit', request, reply);
    const [name = 'file.csv'] = [request.query.name ?? []].flat();
    return uploadFile({ name, bytes: request.body ?? Readable.from([]) }, context);
  });
}

const TYPES: Readonly<Record<string, string>> = {
  '.csv': 'text/csv; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

const OTHER_TYPE = 'application/octet-stream';

/** The types of the files of a report. */
export const FILE_TYPES: readonly string[] = [...Object.values(TYPES), OTHER_TYPE];

/** Where the rows of an uploaded file are, with their errors. */
export const CORRECTABLE_PATH = '/v1/plans/to-correct.csv';
/** Where the errors of its rows are. */
export const REASONS_PATH = '/v1/plans/nack.csv';

/**
 * `POST /v1/plans/to-correct.csv`: the rows of an uploaded file with their errors, to be corrected and uploaded again.
 * `POST /v1/plans/nack.csv`: a line for each error.
 */
export function addRefusalRoutes(server: FastifyInstance, contextFor: ContextFor): void {
  const readInput = inputReader(refusalInput);
  for (const [path, open] of [
    [CORRECTABLE_PATH, openCorrectable],
    [REASONS_PATH, openReasons],
  ] as const) {
    server.post(path, async (request, reply) => {
      const context = contextFor('submit', request, reply);
      const wish = readInput({ params: {}, query: {}, body: request.body ?? undefined });
      const { sizeBytes, bytes } = await open(wish as FileWithChoices, context);
      return reply
        .type(TYPES['.csv'] ?? OTHER_TYPE)
        .header('content-length', sizeBytes)
        .header('content-disposition', `attachment; filename="${basename(path)}"`)
        .send(bytes);
    });
  }
}

/** `GET /v1/batches/ID/report/report.csv`: a file of the newest report. `report.xlsx`: its rows as a workbook. */
function addDownload(server: FastifyInstance, contextFor: ContextFor): void {
  server.get<{ Params: { batchId: string; name: string } }>(
    '/v1/batches/:batchId/report/:name',
    async (request, reply) => {
      const { params } = request;
      const file = await openReportFile(params, contextFor('read', request, reply));
      return (
        reply
          .type(TYPES[extname(file.name)] ?? OTHER_TYPE)
          .headers(file.sizeBytes === null ? {} : { 'content-length': file.sizeBytes })
          .header('content-disposition', `attachment; filename="${params.batchId}-${file.name}"`)
          // A page of the report must not act as one of this server.
          .header(
            'content-security-policy',
            "sandbox; default-src 'none'; style-src 'unsafe-inline'",
          )
          .send(file.bytes)
      );
    },
  );
}
