import { AccessError, defineEndpoint, type Endpoint, type JoiRoot } from '@quire/registry';
import type { Storage } from '../../storage/index.js';
import { hideContent, type Hiding } from '../automations/hidden-values.js';
import { toPolicy } from '../automations/policy-form.js';
import type { ItemStore } from '../items/item-store.js';
import type {
  ProcessingFolder,
  ProcessingFolders,
  SentProcessingFolder,
} from '../processing-folders/processing-folders.js';
import type { AutomationEngine } from '../runs/engine.js';
import { idField } from './automation-wire.js';
import { codes, ownCodes } from './automations.endpoint.js';
import { stepSchema } from './policy-wire.js';
import { policyTriggered, policyTriggeredSchema } from './triggered.js';

export interface ProcessingFolderDeps {
  readonly processing: ProcessingFolders;
  readonly engine: Pick<AutomationEngine, 'trigger'>;
  readonly items: Pick<ItemStore, 'get'>;
  readonly hiding: Hiding;
  /** Undefined while login or storage is off. */
  readonly storage: Storage | undefined;
}

const shared = {
  since: '1.13.0',
  tag: 'storage',
  access: { needsSettings: ['security.enableLogin', 'storage.enabled'] },
} as const;
const params = (joi: JoiRoot) => joi.object({ id: idField(joi).required().description('Id of the processing folder') });
const folderIdField = (joi: JoiRoot) => joi.string().guid().lowercase().example('0b0e7c2e-3f2a-4c7e-9d35-1f4b8f3f9a10');
const modeField = (joi: JoiRoot) =>
  joi
    .string()
    .valid('new_version', 'new_file')
    .description(
      '`new_version` replaces the content of the file if the result is one file, and stores several as new files; ' +
        '`new_file` stores every result as a new file',
    );
const outputFolderField = (joi: JoiRoot) =>
  joi.string().guid().lowercase().allow(null).description('Your folder for new files; null: the folder itself');

const sentSchema = (joi: JoiRoot) =>
  joi
    .object({
      id: idField(joi).allow('', null).description('Of the one to change; without it, one is created'),
      folderId: folderIdField(joi).required().description('One of your folders'),
      enabled: joi.boolean().description('Whether files that arrive are processed; true for a new one'),
      steps: joi.array().items(stepSchema(joi)).description('At least one; needed for a new one'),
      output: joi
        .object({ mode: modeField(joi), folderId: outputFolderField(joi) })
        .label('SentProcessingFolderOutput')
        .allow(null)
        .description('What is missing is `new_version` and the folder itself'),
    })
    .example({
      folderId: '0b0e7c2e-3f2a-4c7e-9d35-1f4b8f3f9a10',
      steps: [{ operation: '/api/v1/general/rotate-pdf', parameters: { angle: 90 } }],
      output: { mode: 'new_version' },
    });

const shownSchema = (joi: JoiRoot) =>
  joi
    .object({
      id: joi.string().required().description('Also the id of its automation'),
      folderId: folderIdField(joi).required(),
      name: joi.string().required().description('Name of the folder'),
      enabled: joi.boolean().required(),
      steps: joi.array().items(stepSchema(joi)).required().description('Secrets are shown as ********'),
      output: joi
        .object({ mode: modeField(joi).required(), folderId: outputFolderField(joi).required() })
        .label('ProcessingFolderOutput')
        .required(),
    })
    .label('ProcessingFolder');

/** Folders of the file storage that process their files (`docs/interface/automation.yml`). */
export function processingFolderEndpoints(deps: ProcessingFolderDeps): Endpoint[] {
  return [...recordEndpoints(deps), sweepEndpoint(deps)];
}

function recordEndpoints(deps: ProcessingFolderDeps): Endpoint[] {
  const { processing } = deps;
  return [
    defineEndpoint({
      ...shared,
      id: 'listProcessingFolders',
      method: 'GET',
      path: 'processing-folders',
      summary: 'List your folders that process their files',
      notes: 'What became of each file is in `automations/{automationId}/items`, with the same id.',
      returns: {
        description: 'By name',
        json: (joi) => joi.array().items(shownSchema(joi)).label('ProcessingFolders'),
      },
      errors: [...codes, 'FEATURE_OFF'],
      handle: async ({ principal }) => ({
        json: (await processing.list(principal)).map((one) => wire(one, deps.hiding)),
      }),
    }),
    defineEndpoint({
      ...shared,
      id: 'saveProcessingFolder',
      access: { ...shared.access, right: 'automations' },
      method: 'POST',
      path: 'processing-folders',
      summary: 'Let a storage folder process its files, or change what it does',
      notes:
        'Files that are in the folder are processed at once, others when they arrive or get a new content; moving or ' +
        'renaming one does not process it again, and no result is processed. Everything is checked before it is ' +
        'saved. Of a change, members that are missing stay as they are; a secret that is sent as ******** keeps its ' +
        'value.',
      request: { payload: sentSchema },
      returns: {
        description: 'The processing folder',
        json: shownSchema,
        links: ['startProcessingFolder', 'deleteProcessingFolder'].map((to) => ({
          to,
          parameters: { id: '$response.body#/id' },
        })),
      },
      errors: [
        ...ownCodes,
        'FEATURE_OFF',
        'INPUT_MALFORMED',
        'INPUT_MEDIA_TYPE',
        'AUTOMATION_INVALID',
        'AUTOMATION_CONFLICT',
      ],
      handle: async ({ principal, payload, signal }) => {
        const sent = payload as unknown as SentProcessingFolder;
        return { json: wire(await processing.save(storageOf(deps), principal, sent, signal), deps.hiding) };
      },
    }),
    defineEndpoint({
      ...shared,
      id: 'deleteProcessingFolder',
      method: 'DELETE',
      path: 'processing-folders/{id}',
      summary: 'Stop processing the files of a storage folder',
      notes: 'The folder and its files stay; runs that have begun go on. Deleting the folder does the same.',
      request: { params },
      returns: { description: 'Deleted', status: 204 },
      errors: [...ownCodes, 'FEATURE_OFF'],
      handle: async ({ principal, params: { id = '' } }) => {
        await processing.remove(principal, id);
        return { status: 204 };
      },
    }),
  ];
}

function sweepEndpoint({ processing, engine, items }: ProcessingFolderDeps): Endpoint {
  return defineEndpoint({
    ...shared,
    id: 'startProcessingFolder',
    method: 'POST',
    path: 'processing-folders/{id}/sweep',
    summary: 'Look for new files in a processing folder now',
    notes: 'Takes what is new or has changed; also while it is paused.',
    request: { params },
    returns: { description: 'The folder was listed', status: 202, json: policyTriggeredSchema },
    errors: [...ownCodes, 'FEATURE_OFF'],
    handle: async ({ principal, params: { id = '' } }) => {
      const { automation } = await processing.get(principal, id);
      return { status: 202, json: await policyTriggered(engine, items, automation) };
    },
  });
}

/** Throws FEATURE_OFF; normally the route has refused the call before. */
function storageOf({ storage }: Pick<ProcessingFolderDeps, 'storage'>): Storage {
  if (storage === undefined) throw new AccessError('FEATURE_OFF', { setting: 'storage.enabled is not true' });
  return storage;
}

function wire({ automation, folderId, output }: ProcessingFolder, hiding: Hiding) {
  const { id, name, enabled, content } = automation;
  const { steps } = toPolicy(automation, hideContent(content, hiding), new Map());
  return { id, folderId, name, enabled, steps, output };
}
