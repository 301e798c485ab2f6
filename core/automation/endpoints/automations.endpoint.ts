import {
  commonCodes,
  defineEndpoint,
  type Endpoint,
  type EndpointAnswer,
  type EndpointRequest,
  type JoiRoot,
  type Principal,
} from '@quire/registry';
import { runAnswers, stepCodes } from '../../operations/pipelines/endpoints/index.js';
import type { Automations } from '../automations/automations.js';
import { hideContent, type Hiding } from '../automations/hidden-values.js';
import type { Automation } from '../automations/model.js';
import type { FolderAutomation } from '../folders/folder-automation.js';
import type { FoldersSeen } from '../folders/folders-seen.js';
import type { History } from '../items/history.js';
import type { AutomationEngine } from '../runs/engine.js';
import type { Upload } from '../runs/run-uploaded.js';
import type { TeamRecords } from '../team-records.js';
import { automationSchema, automationWire, idField, sentAutomation, sentOf } from './automation-wire.js';
import { trialCodes } from './run-pipeline.endpoint.js';
import { triggered, triggeredSchema } from './triggered.js';

export interface AutomationEndpointDeps {
  readonly automations: Automations;
  readonly folders: FoldersSeen;
  readonly history: History;
  readonly engine: Pick<AutomationEngine, 'trigger' | 'nextStart' | 'faultsOf'>;
  readonly hiding: Hiding;
  readonly teams: TeamRecords;
  readonly rootPath: string;
  /** Runs an automation on files of a call; returns the id of the job. */
  run(automation: Automation, upload: Upload): Promise<string>;
  /** Runs its pipeline on files of a call, and nothing else. */
  attempt(automation: Automation, request: EndpointRequest): Promise<EndpointAnswer>;
}

export const shared = { since: '1.13.0', tag: 'automations' } as const;
export const codes = ['KEY_INVALID', 'STORE_DOWN'] as const;
export const ownCodes = [...codes, 'NOT_FOUND', 'INPUT_INVALID'] as const;
export const editCodes = [...ownCodes, 'AUTOMATION_READ_ONLY', 'AUTOMATION_CONFLICT'] as const;
const bodyCodes = [
  ...codes,
  'INPUT_INVALID',
  'INPUT_MALFORMED',
  'INPUT_MEDIA_TYPE',
  'AUTOMATION_INVALID',
  'AUTOMATION_READ_ONLY',
  'AUTOMATION_CONFLICT',
] as const;
/** What a run of uploaded files may be refused with. */
export const runCodes = [
  ...commonCodes,
  'NOT_FOUND',
  'PIPELINE_INVALID',
  'KEY_INVALID',
  'ACCOUNT_LINK_REQUIRED',
  'QUEUE_FULL',
  'STORE_DOWN',
  ...stepCodes,
] as const;

const example = {
  name: 'Turn scans',
  work: { pipeline: [{ operation: '/api/v1/general/rotate-pdf', parameters: { angle: 90 } }] },
};

export const automationParams = (joi: JoiRoot) =>
  joi.object({ automationId: idField(joi).required().description('Id of the automation') });
export const idOf = (params: Readonly<Record<string, string>>): string => params['automationId'] ?? '';

export const startedSchema = (joi: JoiRoot) =>
  joi
    .object({
      async: joi.boolean().valid(true).required(),
      jobId: joi.string().required(),
      result: joi.valid(null).required(),
    })
    .label('AutomationStarted');

/** Endpoints of automations. */
export function automationEndpoints(deps: AutomationEndpointDeps): Endpoint[] {
  return [...readEndpoints(deps), ...writeEndpoints(deps), ...startEndpoints(deps)];
}

function readEndpoints(deps: AutomationEndpointDeps): Endpoint[] {
  return [
    defineEndpoint({
      ...shared,
      id: 'listAutomations',
      method: 'GET',
      path: 'automations',
      summary: 'List the automations of your team',
      notes:
        'With the number of files in each state, and problems. Secrets are shown as ********. Administrators see ' +
        'watched folders too, which have `folder`. Those that process a folder of the file storage have ' +
        '`storageFolder`: their owner and administrators see them.',
      returns: {
        description: 'The automations',
        json: (joi) => joi.array().items(automationSchema(joi)).label('Automations'),
      },
      errors: [...codes],
      handle: async ({ principal }) => {
        const own = await deps.automations.list(principal);
        const folders = await deps.folders.list(principal);
        const all = await Promise.all(own.map((one) => shown(deps, one, principal)));
        return { json: [...all, ...folders.map(shownFolder)] };
      },
    }),
    defineEndpoint({
      ...shared,
      id: 'getAutomation',
      method: 'GET',
      path: 'automations/{automationId}',
      summary: 'Get an automation',
      request: { params: automationParams },
      returns: { description: 'The automation', json: automationSchema },
      errors: [...ownCodes],
      handle: async ({ principal, params }) => {
        const folder = await deps.folders.find(principal, idOf(params));
        if (folder !== undefined) return { json: shownFolder(folder) };
        return { json: await shown(deps, await deps.automations.get(principal, idOf(params)), principal) };
      },
    }),
  ];
}

function writeEndpoints(deps: AutomationEndpointDeps): Endpoint[] {
  const { automations, folders, rootPath } = deps;
  return [
    defineEndpoint({
      ...shared,
      id: 'createAutomation',
      access: { right: 'automations' },
      method: 'POST',
      path: 'automations',
      summary: 'Create an automation',
      notes:
        'Runs a pipeline on files of sources and delivers the results. Everything is checked before it is saved: ' +
        'steps, sources, destinations, schedules, and that no automation feeds itself through others. Each file ' +
        'ends once: delivered, or parked with the reason.',
      request: { payload: (joi) => sentAutomation(joi).example(example) },
      returns: {
        description: 'The automation',
        status: 201,
        json: automationSchema,
        links: [
          'getAutomation',
          'changeAutomation',
          'listAutomationFiles',
          'listAutomationRuns',
          'deleteAutomation',
        ].map((to) => ({ to, parameters: { automationId: '$response.body#/id' } })),
      },
      errors: [...bodyCodes],
      handle: async ({ principal, payload, signal }) => {
        const created = await automations.create(principal, sentOf(payload), signal);
        const location = `${rootPath}/api/v1/automations/${created.id}`;
        return { status: 201, json: await shown(deps, created, principal), headers: { location } };
      },
    }),
    defineEndpoint({
      ...shared,
      id: 'changeAutomation',
      access: { right: 'automations' },
      method: 'PUT',
      path: 'automations/{automationId}',
      summary: 'Change an automation',
      notes:
        'Everything is replaced. A secret that is sent as ******** keeps its value. With `basedOn`, a change of ' +
        'somebody else is 409. Files that are worked on go on with what they began with. One with `storageFolder` ' +
        'can only be switched on and off here: `processing-folders` changes it.',
      request: {
        params: automationParams,
        query: (joi) =>
          joi.object({ basedOn: joi.number().integer().min(1).description('The revision that was changed') }),
        payload: (joi) => sentAutomation(joi).example(example),
      },
      returns: { description: 'The automation', json: automationSchema },
      errors: [...bodyCodes, 'NOT_FOUND'],
      handle: async ({ principal, params, payload, query, signal }) => {
        await folders.refuse(principal, idOf(params));
        const basedOn = query['basedOn'] as number | undefined;
        const changed = await automations.change(principal, idOf(params), sentOf(payload), signal, basedOn);
        return { json: await shown(deps, changed, principal) };
      },
    }),
    defineEndpoint({
      ...shared,
      id: 'deleteAutomation',
      method: 'DELETE',
      path: 'automations/{automationId}',
      summary: 'Delete an automation and its history',
      notes: 'Files stay in their sources.',
      request: { params: automationParams },
      returns: { description: 'Deleted', status: 204 },
      errors: [...editCodes],
      handle: async ({ principal, params }) => {
        await folders.refuse(principal, idOf(params));
        await automations.remove(principal, idOf(params));
        return { status: 204 };
      },
    }),
  ];
}

function startEndpoints({ automations, engine, folders, run, attempt }: AutomationEndpointDeps): Endpoint[] {
  return [
    defineEndpoint({
      ...shared,
      id: 'tryAutomation',
      method: 'POST',
      path: 'automations/{automationId}/try',
      summary: 'Try an automation on a sample',
      notes:
        'Runs its pipeline as it is stored, with its secrets, and returns the result. Nothing is delivered or ' +
        'noted, and no error contains a secret.',
      request: {
        params: automationParams,
        payloadType: 'multipart',
        files: [{ field: 'fileInput', description: 'The sample', kinds: ['any'], many: true, requiredWhen: 'always' }],
      },
      returns: {
        description: 'The output file, or output.zip',
        mediaType: 'application/octet-stream',
        also: { 204: runAnswers[204] },
      },
      errors: [...trialCodes],
      handle: async (request) => attempt(await automations.get(request.principal, idOf(request.params)), request),
    }),
    defineEndpoint({
      ...shared,
      id: 'runAutomation',
      method: 'POST',
      path: 'automations/{automationId}/run',
      summary: 'Run an automation on your files',
      notes:
        'In place of its sources; also while it is switched off. All files are one job, whose results go to the ' +
        'destinations, or stay with the job where there are none.',
      request: {
        params: automationParams,
        payloadType: 'multipart',
        files: [{ field: 'fileInput', description: 'The files', kinds: ['any'], many: true, requiredWhen: 'always' }],
      },
      returns: { description: 'The job was started', status: 202, json: startedSchema },
      errors: [...runCodes, 'AUTOMATION_CONFLICT'],
      handle: async ({ principal, params, files, jobUuid }) => {
        await folders.refuse(principal, idOf(params));
        const automation = await automations.get(principal, idOf(params));
        const jobId = await run(automation, { files: files['fileInput'] ?? [], principal, uuid: jobUuid });
        return { status: 202, json: { async: true, jobId, result: null } };
      },
    }),
    defineEndpoint({
      ...shared,
      id: 'startAutomation',
      method: 'POST',
      path: 'automations/{automationId}/trigger',
      summary: 'Start an automation on its sources now',
      notes: 'Lists its sources and takes what is new; also while it is switched off. The work goes on afterwards.',
      request: { params: automationParams },
      returns: { description: 'The sources were listed', status: 202, json: triggeredSchema },
      errors: [...ownCodes, 'AUTOMATION_CONFLICT'],
      handle: async ({ principal, params }) => {
        await folders.refuse(principal, idOf(params));
        const automation = await automations.get(principal, idOf(params));
        return { status: 202, json: (await triggered(engine, automation)).native };
      },
    }),
  ];
}

async function shown(deps: AutomationEndpointDeps, automation: Automation, principal: Principal): Promise<object> {
  const { history, engine, hiding, teams } = deps;
  return automationWire(automation, hideContent(automation.content, hiding), {
    editable: teams.mayEdit(principal, automation),
    nextStart: engine.nextStart(automation.id),
    counts: await history.counts(automation.id),
    problems: await engine.faultsOf(automation),
  });
}

function shownFolder({ automation, path, counts, problems }: FolderAutomation): object {
  const facts = { editable: false, folder: path, nextStart: null, counts, problems };
  return automationWire(automation, automation.content, facts);
}
