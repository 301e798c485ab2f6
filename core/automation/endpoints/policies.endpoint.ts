import type { ObjectSchema } from 'joi';
import { defineEndpoint, type Endpoint, type JoiRoot, type Principal } from '@quire/registry';
import { pathOf, stepsWithin } from '../../operations/pipelines/index.js';
import type { Automations } from '../automations/automations.js';
import { hideContent } from '../automations/hidden-values.js';
import type { Automation } from '../automations/model.js';
import { asPolicyError, fromPolicy, policyTriggers, toPolicy, type SentPolicy } from '../automations/policy-form.js';
import type { Kinds } from '../connector-options.js';
import type { ItemStore } from '../items/item-store.js';
import type { Source } from '../sources/source-records.js';
import { idField } from './automation-wire.js';
import {
  codes,
  editCodes,
  ownCodes,
  runCodes,
  startedSchema,
  type AutomationEndpointDeps,
} from './automations.endpoint.js';
import { policyOverviewSchema, policySchema, sentPolicySchema } from './policy-wire.js';
import { policyTriggered, policyTriggeredSchema } from './triggered.js';

export interface PolicyEndpointDeps extends AutomationEndpointDeps {
  readonly items: Pick<ItemStore, 'get'>;
  readonly kinds: Kinds;
  /** The sources that the caller may use. */
  sourcesOf(principal: Principal): Promise<ReadonlyMap<string, Source>>;
}

export const policyShared = { since: '1.13.0', tag: 'policies' } as const;

export const policyParams = (joi: JoiRoot) =>
  joi.object({ policyId: idField(joi).required().description('Id of the policy, which is an automation') });
const idOf = (params: Readonly<Record<string, string>>): string => params['policyId'] ?? '';

/** Automations in the form of policies (`docs/interface/automation.yml`). */
export function policyEndpoints(deps: PolicyEndpointDeps): Endpoint[] {
  return [...listEndpoints(deps), ...recordEndpoints(deps), ...startEndpoints(deps)];
}

function listEndpoints(deps: PolicyEndpointDeps): Endpoint[] {
  const { automations } = deps;
  return [
    defineEndpoint({
      ...policyShared,
      id: 'listPolicies',
      method: 'GET',
      path: 'policies',
      summary: 'List automations as policies',
      notes: 'In their order. `/api/v1/automations` shows more of them.',
      returns: { description: 'The policies', json: (joi) => joi.array().items(policySchema(joi)).label('Policies') },
      errors: [...codes],
      handle: async ({ principal }) => {
        const sources = await deps.sourcesOf(principal);
        return { json: (await listed(automations, principal)).map((one) => shownPolicy(deps, one, sources)) };
      },
    }),
    defineEndpoint({
      ...policyShared,
      id: 'orderPolicies',
      access: { right: 'automations' },
      method: 'PUT',
      path: 'policies/order',
      summary: 'Set the order of policies',
      notes: 'The body is a list of ids. Policies that it leaves out follow in their order.',
      // In the contract the whole body is a list, which the type of endpoints does not support.
      request: { payload: (joi) => joi.array().items(joi.string()).max(10_000) as unknown as ObjectSchema },
      returns: { description: 'Ordered', status: 204 },
      errors: [
        ...codes,
        'INPUT_INVALID',
        'INPUT_MALFORMED',
        'INPUT_MEDIA_TYPE',
        'AUTOMATION_READ_ONLY',
        'AUTOMATION_CONFLICT',
      ],
      handle: async ({ principal, payload }) => {
        await automations.order(principal, payload as unknown as readonly string[]);
        return { status: 204 };
      },
    }),
    defineEndpoint({
      ...policyShared,
      id: 'getPolicyOverview',
      method: 'GET',
      path: 'policies/overview',
      summary: 'Get figures and a row for each policy',
      returns: { description: 'All, enabled and paused policies, and rows by name', json: policyOverviewSchema },
      errors: [...codes],
      handle: async ({ principal }) => {
        const sources = await deps.sourcesOf(principal);
        const own = (await listed(automations, principal)).map((one) => shownPolicy(deps, one, sources));
        return { json: overview(own, sources) };
      },
    }),
    defineEndpoint({
      ...policyShared,
      id: 'listPolicyTriggers',
      method: 'GET',
      path: 'policies/triggers',
      summary: 'List the kinds of trigger',
      returns: {
        description: 'By type',
        json: (joi) =>
          joi
            .array()
            .items(
              joi
                .object({
                  type: joi.string().required(),
                  requiresSource: joi.boolean().required(),
                  supportedSourceTypes: joi.array().items(joi.string()).required(),
                })
                .label('PolicyTriggerKind'),
            )
            .label('PolicyTriggerKinds'),
      },
      errors: [...codes],
      handle: async () => ({
        json: Object.entries(policyTriggers).map(([type, needed]) => ({
          type,
          requiresSource: needed !== undefined,
          supportedSourceTypes: needed === undefined ? [] : [needed],
        })),
      }),
    }),
  ];
}

/** Without processing folders, which have their own list. */
async function listed(automations: Automations, principal: Principal): Promise<readonly Automation[]> {
  return (await automations.list(principal)).filter(({ storageFolder }) => storageFolder === undefined);
}

function recordEndpoints(deps: PolicyEndpointDeps): Endpoint[] {
  const { automations, history } = deps;
  return [
    defineEndpoint({
      ...policyShared,
      id: 'savePolicy',
      access: { right: 'automations' },
      method: 'POST',
      path: 'policies',
      summary: 'Create or change a policy',
      notes: 'The whole policy is replaced; without an id, or with a new one, it is created.',
      request: { payload: sentPolicySchema },
      returns: {
        description: 'The policy',
        json: policySchema,
        links: ['getPolicy', 'deletePolicy'].map((to) => ({ to, parameters: { policyId: '$response.body#/id' } })),
      },
      errors: [...editCodes, 'INPUT_MALFORMED', 'INPUT_MEDIA_TYPE', 'AUTOMATION_INVALID'],
      handle: async ({ principal, payload, signal }) => {
        const sent = payload as unknown as SentPolicy;
        const saved = await save(deps, principal, sent, signal).catch((error: unknown) =>
          Promise.reject(asPolicyError(error, sent)),
        );
        return { json: shownPolicy(deps, saved, await deps.sourcesOf(principal)) };
      },
    }),
    defineEndpoint({
      ...policyShared,
      id: 'getPolicy',
      method: 'GET',
      path: 'policies/{policyId}',
      summary: 'Get a policy',
      request: { params: policyParams },
      returns: { description: 'The policy', json: policySchema },
      errors: [...ownCodes],
      handle: async ({ principal, params }) => {
        const found = await automations.get(principal, idOf(params));
        return { json: shownPolicy(deps, found, await deps.sourcesOf(principal)) };
      },
    }),
    defineEndpoint({
      ...policyShared,
      id: 'deletePolicy',
      method: 'DELETE',
      path: 'policies/{policyId}',
      summary: 'Delete a policy and its history',
      request: { params: policyParams },
      returns: { description: 'Deleted', status: 204 },
      errors: [...ownCodes, 'AUTOMATION_READ_ONLY'],
      handle: async ({ principal, params }) => {
        await automations.remove(principal, idOf(params));
        return { status: 204 };
      },
    }),
    defineEndpoint({
      ...policyShared,
      id: 'resetPolicyHistory',
      method: 'DELETE',
      path: 'policies/{policyId}/processed-history',
      summary: 'Forget which files a policy has processed',
      notes: 'The next start takes everything again. Files that are being processed stay.',
      request: { params: policyParams },
      returns: { description: 'Forgotten', status: 204 },
      errors: [...ownCodes, 'AUTOMATION_READ_ONLY'],
      handle: async ({ principal, params }) => {
        await automations.editable(principal, idOf(params));
        await history.reset(idOf(params));
        return { status: 204 };
      },
    }),
  ];
}

function startEndpoints(deps: PolicyEndpointDeps): Endpoint[] {
  const { automations, engine, items, run } = deps;
  return [
    defineEndpoint({
      ...policyShared,
      id: 'runPolicy',
      method: 'POST',
      path: 'policies/{policyId}/run',
      summary: 'Run a policy on your files',
      notes: 'In place of its sources; also while it is paused.',
      request: {
        params: policyParams,
        payloadType: 'multipart',
        files: [{ field: 'fileInput', description: 'The files', kinds: ['any'], many: true, requiredWhen: 'always' }],
      },
      returns: { description: 'The run was started', status: 202, json: startedSchema },
      errors: [...runCodes],
      handle: async ({ principal, params, files, jobUuid }) => {
        const found = await automations.get(principal, idOf(params));
        const jobId = await run(found, { files: files['fileInput'] ?? [], principal, uuid: jobUuid });
        return { status: 202, json: { async: true, jobId, result: null } };
      },
    }),
    defineEndpoint({
      ...policyShared,
      id: 'startPolicy',
      method: 'POST',
      path: 'policies/{policyId}/trigger',
      summary: 'Start a policy on its sources now',
      notes: 'Also while it is paused.',
      request: { params: policyParams },
      returns: { description: 'The sources were listed', status: 202, json: policyTriggeredSchema },
      errors: [...ownCodes, 'AUTOMATION_CONFLICT'],
      handle: async ({ principal, params }) => {
        const found = await automations.get(principal, idOf(params));
        return { status: 202, json: await policyTriggered(engine, items, found) };
      },
    }),
  ];
}

async function save(
  deps: PolicyEndpointDeps,
  principal: Principal,
  { id, ...sent }: SentPolicy,
  signal: AbortSignal,
): Promise<Automation> {
  const { automations, kinds } = deps;
  const optionsOf = (type: string): ReadonlySet<string> | undefined => {
    const described = kinds.destinations.get(type)?.options.describe() as { readonly keys?: object } | undefined;
    return described === undefined ? undefined : new Set(Object.keys(described.keys ?? {}));
  };
  const policy = { ...sent, output: sent.output ?? { type: 'inline', options: {} } };
  const sources = await deps.sourcesOf(principal);
  if (id === undefined || id === null || id.trim() === '')
    return automations.create(principal, fromPolicy(policy, undefined, sources, optionsOf), signal);
  const before = await automations.find(principal, id);
  if (before === undefined)
    return automations.create(principal, fromPolicy(policy, undefined, sources, optionsOf), signal, id);
  return automations.change(principal, id, fromPolicy(policy, before.content, sources, optionsOf), signal);
}

export function shownPolicy(
  { hiding }: Pick<PolicyEndpointDeps, 'hiding'>,
  automation: Automation,
  sources: ReadonlyMap<string, Source>,
) {
  return toPolicy(automation, hideContent(automation.content, hiding), sources);
}

function overview(policies: readonly ReturnType<typeof shownPolicy>[], sources: ReadonlyMap<string, Source>) {
  const enabled = policies.filter((one) => one.enabled).length;
  const byName = [...policies].sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1));
  return {
    kpis: [
      { value: policies.length, description: 'Policies' },
      { value: enabled, description: 'Enabled' },
      { value: policies.length - enabled, description: 'Paused' },
    ],
    pipelines: byName.map((one) => ({
      id: one.id,
      name: one.name,
      enabled: one.enabled,
      status: one.enabled ? 'active' : 'paused',
      trigger: one.trigger?.type ?? 'manual',
      sources: one.sourceIds.map((id) => ({ id, name: sources.get(id)?.name ?? id })),
      steps: stepsWithin(one.steps).map(({ step }) => pathOf(step)),
      output: one.output.type,
      owner: one.owner,
    })),
  };
}
