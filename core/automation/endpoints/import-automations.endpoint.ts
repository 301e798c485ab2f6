import { defineEndpoint, InputError, type Endpoint, type JoiRoot } from '@quire/registry';
import { inWork } from '../assets/asset-uses.js';
import type { Assets } from '../assets/assets.js';
import { sentence } from '../connector-options.js';
import { documentKinds, findingKinds } from '../import/draft.js';
import { exported } from '../import/exported.js';
import type { ImportEntry, Importer } from '../import/importer.js';
import type { FolderHandOver } from '../folders/folder-hand-over.js';
import { automationParams, codes, idOf, ownCodes, shared } from './automations.endpoint.js';
import type { PolicyEndpointDeps } from './policies.endpoint.js';
import { listOf } from './list-of.js';

export interface ImportEndpointDeps extends Pick<
  PolicyEndpointDeps,
  'automations' | 'folders' | 'hiding' | 'kinds' | 'sourcesOf'
> {
  readonly importer: Importer;
  readonly assets: Assets;
  handOver(folderId: string): Promise<FolderHandOver>;
}

const findingsSchema = (joi: JoiRoot) =>
  listOf(joi, 'ImportFinding', {
    kind: joi
      .string()
      .valid(...findingKinds)
      .required()
      .description(
        '`translated`: the same in other words; `differs`: it will not be as it was; `todo`: somebody has to ' +
          'do something before it can run',
      ),
    pointer: joi.string().allow('').required().description('Place in the document'),
    detail: joi.string().required(),
  }).description('What is not as it was; everything else is taken over');

const entrySchema = (joi: JoiRoot) =>
  joi
    .object({
      file: joi.string().required(),
      pointer: joi.string().allow('').required().description('Place of the document in its file'),
      kind: joi
        .string()
        .valid(...documentKinds)
        .allow(null)
        .required(),
      name: joi.string().allow(null).required(),
      outcome: joi.string().valid('created', 'ready', 'refused').required(),
      automationId: joi.string().allow(null).required(),
      findings: findingsSchema(joi),
      sources: listOf(joi, 'ImportSource', {
        id: joi.string().required(),
        name: joi.string().required(),
        type: joi.string().required(),
        made: joi.object().unknown().required().description('Made by the server, and shown only here'),
      }).description('Sources that were made for it'),
      error: joi
        .object({
          status: joi.number().integer().required(),
          code: joi.string().required(),
          detail: joi.string().required(),
          errors: joi
            .array()
            .items(joi.object({ pointer: joi.string().allow(''), detail: joi.string() }).label('ImportFault'))
            .required(),
        })
        .label('ImportError')
        .allow(null)
        .required(),
    })
    .label('ImportEntry');

const reportSchema = (joi: JoiRoot) =>
  joi
    .object({
      dryRun: joi.boolean().required(),
      created: joi.number().integer().required(),
      refused: joi.number().integer().required(),
      entries: joi.array().items(entrySchema(joi)).required(),
    })
    .label('ImportReport');

/** Automations as files: in and out. */
export function importEndpoints(deps: ImportEndpointDeps): Endpoint[] {
  return [importEndpoint(deps), folderEndpoint(deps), exportEndpoint(deps)];
}

function importEndpoint({ importer }: ImportEndpointDeps): Endpoint {
  return defineEndpoint({
    ...shared,
    id: 'importAutomations',
    access: { right: 'automations' },
    method: 'POST',
    path: 'automations/import',
    summary: 'Import automations',
    notes:
      'Exported automations, policies and pipelines of watched folders, as JSON files or archives of them. Each ' +
      'becomes an automation that is switched off; a taken name gets a number. The report says what differs and what ' +
      'has to be done. A file that is not understood is refused in the report, and the others are imported; 400 if ' +
      'all are refused.',
    request: {
      payloadType: 'multipart',
      payload: (joi) =>
        joi.object({ dryRun: joi.boolean().default(false).description('Only report; nothing is saved') }),
      files: [
        { field: 'fileInput', description: 'JSON files or ZIPs', kinds: ['any'], many: true, requiredWhen: 'always' },
      ],
    },
    returns: { description: 'What became of each document', json: reportSchema },
    errors: [
      ...codes,
      'INPUT_INVALID',
      'INPUT_MALFORMED',
      'INPUT_MEDIA_TYPE',
      'INPUT_FILE_MISSING',
      'INPUT_TOO_LARGE',
      'AUTOMATION_READ_ONLY',
    ],
    handle: async ({ files, payload, principal, signal }) => {
      const dryRun = payload['dryRun'] === true;
      const sent = files['fileInput'] ?? [];
      const entries = await importer.import(sent, { principal, dryRun, signal });
      const refused = entries.filter(({ outcome }) => outcome === 'refused');
      if (refused.length === entries.length) throw allRefused(refused);
      const created = entries.filter(({ outcome }) => outcome === 'created').length;
      return { json: { dryRun, created, refused: refused.length, entries } };
    },
  });
}

function folderEndpoint({ importer, handOver }: ImportEndpointDeps): Endpoint {
  return defineEndpoint({
    ...shared,
    id: 'importWatchedFolder',
    method: 'POST',
    path: 'automations/import/watched-folder',
    access: { role: 'admin' },
    summary: 'Make an automation of a watched folder',
    notes:
      'The automation is switched off, takes files that arrive in the folder, and puts results where they went. ' +
      'The pipeline file is moved to `.quire/migrated` in the folder, so that nothing is processed twice; files wait ' +
      'until the automation is switched on. To undo it, delete the automation and move the file back. 409 while the ' +
      'folder has open runs: these end first.',
    request: {
      payload: (joi) =>
        joi.object({
          folderId: joi.string().max(100).required().description('`id` of the list of watched folders'),
          dryRun: joi.boolean().default(false).description('Only report; nothing is saved or moved'),
        }),
    },
    returns: {
      description: 'The automation, and what differs',
      json: entrySchema,
    },
    errors: [
      ...codes,
      'INPUT_INVALID',
      'INPUT_MALFORMED',
      'INPUT_MEDIA_TYPE',
      'ADMIN_ONLY',
      'FEATURE_OFF',
      'WATCHED_FOLDER_UNKNOWN',
      'WATCHED_FOLDER_UNREACHABLE',
      'AUTOMATION_INVALID',
      'AUTOMATION_CONFLICT',
      'AUTOMATION_READ_ONLY',
    ],
    handle: async ({ payload, principal, signal }) => {
      const folder = await handOver(String(payload['folderId']));
      return { json: await importer.importFolder(folder, { principal, dryRun: payload['dryRun'] === true, signal }) };
    },
  });
}

function exportEndpoint(deps: ImportEndpointDeps): Endpoint {
  const { automations, folders, hiding, kinds, sourcesOf, assets } = deps;
  return defineEndpoint({
    ...shared,
    id: 'exportAutomation',
    method: 'GET',
    path: 'automations/{automationId}/export',
    summary: 'Export an automation',
    notes:
      'As JSON that `automations/import` of another server reads. Its sources are described; secrets are ********. ' +
      'Stored files of its steps are named, with their digests, and not contained.',
    request: { params: automationParams },
    returns: { description: 'The export', json: (joi) => joi.object().unknown().label('AutomationExport') },
    errors: [...ownCodes, 'AUTOMATION_CONFLICT'],
    handle: async ({ principal, params }) => {
      await folders.refuse(principal, idOf(params));
      const found = await automations.get(principal, idOf(params));
      const named = await assets.withIds(principal, inWork(found.content.work));
      return { json: exported(found, await sourcesOf(principal), { hiding, kinds, assets: named }) };
    },
  });
}

function allRefused(refused: readonly ImportEntry[]): InputError {
  const faults = refused.map(({ file, pointer, error }) => ({
    pointer: '/fileInput',
    detail: `${file}${pointer === '' ? '' : `#${pointer}`} ${error?.detail ?? ''}`,
  }));
  return new InputError('INPUT_INVALID', { detail: sentence(faults) }, faults);
}
