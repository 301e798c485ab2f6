import { AccessError, defineEndpoint, type Endpoint, type JoiRoot } from '@quire/registry';
import type { JobService } from '../../jobs/index.js';
import type { Links } from '../files/links.js';
import type { Uploads } from '../files/uploads.js';

export interface TransferDeps {
  readonly uploads: Uploads;
  readonly links: Links;
  jobs(): Promise<JobService>;
}

/** Whoever has the address may use it: agents run commands that have no credentials. */
const shared = { since: '1.5.0', tag: 'mcp', access: { role: 'public' } } as const;

const token = (joi: JoiRoot) => joi.string().max(2000).required().description('From the address that a tool returned');

/** The addresses to which agents send files, and from which they fetch results. */
export function transferEndpoints(deps: TransferDeps): Endpoint[] {
  return [uploadEndpoint(deps), resultEndpoint(deps)];
}

function uploadEndpoint({ uploads, links }: TransferDeps): Endpoint {
  const refuseStranger = ({ fileId = '', token: given = '' }: Readonly<Record<string, string>>): string => {
    if (!links.isUploadToken(fileId, given)) throw new AccessError('LINK_EXPIRED');
    return fileId;
  };
  return defineEndpoint({
    ...shared,
    id: 'uploadForMcp',
    method: 'POST',
    path: '/mcp/uploads/{fileId}/{token}',
    summary: 'Upload a file to a one-time address',
    notes: 'The tool create_upload returns the address. It accepts one file.',
    request: {
      params: (joi) =>
        joi.object({ fileId: joi.string().max(100).required().description('Id of the file'), token: token(joi) }),
      payloadType: 'multipart',
      payload: (joi) => joi.object({}),
      files: [{ field: 'file', description: 'The file', kinds: ['any'], requiredWhen: 'always' }],
    },
    returns: {
      description: 'The file was stored',
      json: (joi) =>
        joi
          .object({
            fileId: joi.string().required(),
            name: joi.string().required(),
            size: joi.number().integer().required().description('Bytes'),
          })
          .label('McpUpload'),
    },
    errors: [
      'LINK_EXPIRED',
      'INPUT_INVALID',
      'INPUT_FILE_MISSING',
      'INPUT_FILE_EMPTY',
      'INPUT_TOO_LARGE',
      'STORE_DOWN',
    ],
    admit: async ({ params }) => {
      await uploads.refuseUsed(refuseStranger(params));
      return undefined;
    },
    handle: async ({ params, files }) => {
      const fileId = refuseStranger(params);
      const [file] = files['file'] ?? [];
      if (file === undefined) throw new Error('the form was accepted without its file');
      const { name, size } = file;
      const stored = await uploads.receive(fileId, { path: file.path(), name, size, mediaType: file.mediaType });
      return { json: { fileId, name: stored.name, size } };
    },
  });
}

function resultEndpoint({ links, jobs }: TransferDeps): Endpoint {
  return defineEndpoint({
    ...shared,
    id: 'downloadForMcp',
    method: 'GET',
    path: '/mcp/results/{token}',
    summary: 'Download a result by an expiring link',
    request: { params: (joi) => joi.object({ token: token(joi) }) },
    returns: {
      description: 'The file, or a JSON result that was too large for the answer of a tool',
      mediaType: 'application/octet-stream',
      json: (joi) => joi.any(),
    },
    errors: ['LINK_EXPIRED', 'STORE_DOWN'],
    handle: async ({ params }) => {
      const link = links.open(params['token'] ?? '');
      const headers = { 'cache-control': 'private, no-store' };
      const service = await jobs();
      if (link?.kind === 'answer') {
        const record = await service.get(link.id);
        if (record?.status === 'succeeded') return { json: record.result, headers };
      }
      const file = link?.kind === 'file' ? await service.openFile(link.id) : undefined;
      if (file === undefined) throw new AccessError('LINK_EXPIRED');
      const { meta, stream, size } = file;
      return { file: { name: meta.fileName, mediaType: meta.contentType, stream, size }, headers };
    },
  });
}
