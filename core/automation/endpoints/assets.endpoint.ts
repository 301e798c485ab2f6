import { defineEndpoint, InputError, type Endpoint, type JoiRoot } from '@quire/registry';
import { Scratch } from '../../operations/runner/index.js';
import type { Asset } from '../assets/asset-records.js';
import { LARGEST_ASSET, type Assets } from '../assets/assets.js';
import { teamNumber, type TeamRecords } from '../team-records.js';
import { codes, ownCodes } from './automations.endpoint.js';
import { policyShared } from './policies.endpoint.js';

export interface AssetEndpointDeps {
  readonly assets: Assets;
  readonly teams: TeamRecords;
  readonly scratchRoot: string;
}

/** Frame of the form around the file. */
const FORM_BYTES = 64 * 1024;

const assetParams = (joi: JoiRoot) =>
  joi.object({
    assetId: joi
      .string()
      .pattern(/^[0-9a-f]{32}$/, '32 hexadecimal digits')
      .required()
      .description('Id of the file'),
  });
const idOf = (params: Readonly<Record<string, string>>): string => params['assetId'] ?? '';

const assetSchema = (joi: JoiRoot) =>
  joi
    .object({
      id: joi.string().required().description('Steps name it as `asset:<id>` in `fileParameters`'),
      fileName: joi.string().required(),
      contentType: joi.string().allow(null).required(),
      kind: joi.string().required().description('File type by its content: `pdf`, `png`'),
      size: joi.number().integer().required().description('In bytes'),
      owner: joi.string().allow(null).required(),
      teamId: joi.number().integer().allow(null).required(),
      createdAt: joi.number().integer().required().description('Milliseconds since 1970'),
    })
    .label('PolicyAsset');

/** Stored files for steps (`docs/interface/automation.yml`, policies/assets). */
export function assetEndpoints({ assets, teams, scratchRoot }: AssetEndpointDeps): Endpoint[] {
  return [
    defineEndpoint({
      ...policyShared,
      id: 'uploadPolicyAsset',
      access: { right: 'automations' },
      method: 'POST',
      path: 'policies/assets',
      summary: 'Store a file for steps: a stamp, a certificate, an overlay',
      notes:
        'At most 50 MiB, and `policies.assetBytesPerOwner` for all files of an owner; stored encrypted. A step of a ' +
        'pipeline, a saved pipeline or an automation names it: `"fileParameters": {"stampImage": "asset:<id>"}`. ' +
        'The team of its owner may use it, and whoever runs a saved pipeline that names it. It is removed a day ' +
        'after the last pipeline that named it was changed or deleted.',
      request: {
        payloadType: 'multipart',
        files: [{ field: 'file', description: 'The file', kinds: ['any'], requiredWhen: 'always' }],
      },
      returns: { description: 'The file', json: assetSchema },
      errors: [
        ...codes,
        'INPUT_INVALID',
        'INPUT_MALFORMED',
        'INPUT_MEDIA_TYPE',
        'INPUT_FILE_MISSING',
        'INPUT_FILE_EMPTY',
        'INPUT_TOO_LARGE',
        'AUTOMATION_READ_ONLY',
        'AUTOMATION_CONFLICT',
      ],
      async admit({ principal }) {
        teams.mustEdit(principal);
        return LARGEST_ASSET + FORM_BYTES;
      },
      handle: async ({ principal, files }) => {
        const [file] = files['file'] ?? [];
        if (file === undefined) throw new InputError('INPUT_FILE_MISSING', { field: 'file' });
        if (file.size === 0)
          throw new InputError('INPUT_FILE_EMPTY', { field: 'file' }, [
            { pointer: '/file', detail: `${file.name} is empty` },
          ]);
        return { json: assetWire(await assets.add(principal, file)) };
      },
    }),
    defineEndpoint({
      ...policyShared,
      id: 'listPolicyAssets',
      method: 'GET',
      path: 'policies/assets',
      summary: 'List the files that are stored for steps',
      notes: 'Those of your team, the oldest first.',
      returns: { description: 'The files', json: (joi) => joi.array().items(assetSchema(joi)).label('PolicyAssets') },
      errors: [...codes],
      handle: async ({ principal }) => ({ json: (await assets.list(principal)).map(assetWire) }),
    }),
    defineEndpoint({
      ...policyShared,
      id: 'downloadPolicyAsset',
      method: 'GET',
      path: 'policies/assets/{assetId}/content',
      summary: 'Download a file that is stored for steps',
      request: { params: assetParams },
      returns: { description: 'The file', mediaType: 'application/octet-stream' },
      errors: [...ownCodes, 'AUTOMATION_READ_ONLY'],
      handle: async ({ principal, params }) => {
        const scratch = await Scratch.create(scratchRoot);
        try {
          const path = scratch.filePath();
          const { fileName: name } = await assets.fetch(principal, idOf(params), path);
          return {
            file: { name, mediaType: 'application/octet-stream', path, release: () => scratch.dispose() },
          };
        } catch (error) {
          await scratch.dispose();
          throw error;
        }
      },
    }),
    defineEndpoint({
      ...policyShared,
      id: 'deletePolicyAsset',
      method: 'DELETE',
      path: 'policies/assets/{assetId}',
      summary: 'Delete a file that is stored for steps',
      notes: 'Refused while a step of an automation or of a version of a saved pipeline names it.',
      request: { params: assetParams },
      returns: { description: 'Deleted', status: 204 },
      errors: [...ownCodes, 'AUTOMATION_READ_ONLY', 'AUTOMATION_CONFLICT'],
      handle: async ({ principal, params }) => {
        await assets.remove(principal, idOf(params));
        return { status: 204 };
      },
    }),
  ];
}

function assetWire({ id, fileName, contentType, kind, size, ownerName, teamId, createdAt }: Asset) {
  return { id, fileName, contentType, kind, size, owner: ownerName, teamId: teamNumber(teamId), createdAt };
}
