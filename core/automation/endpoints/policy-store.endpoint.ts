import { defineEndpoint, type Endpoint, type JoiRoot } from '@quire/registry';
import { isObject, isSecretParameter, mapSteps, pathOf } from '../../operations/pipelines/index.js';
import { hideContent } from '../automations/hidden-values.js';
import { toPolicy } from '../automations/policy-form.js';
import type { Importer, Listing } from '../import/importer.js';
import { nameSchema } from './automation-wire.js';
import { editCodes, ownCodes } from './automations.endpoint.js';
import { policyParams, policyShared, shownPolicy, type PolicyEndpointDeps } from './policies.endpoint.js';
import { policySchema, stepSchema } from './policy-wire.js';

export interface PolicyStoreDeps extends PolicyEndpointDeps {
  readonly importer: Pick<Importer, 'listing'>;
}

const STORE_ID = /^sp-[0-9a-z]{8}$/;
const storeId = (joi: JoiRoot) => joi.string().pattern(STORE_ID, 'sp- and 8 letters or digits').example('sp-0a1b2c3d');

/** Policies and listings of a store (`docs/interface/automation.yml`, later versions). */
export function policyStoreEndpoints(deps: PolicyStoreDeps): Endpoint[] {
  return [importEndpoint(deps), exportEndpoint(deps), linkEndpoint(deps)];
}

function importEndpoint(deps: PolicyStoreDeps): Endpoint {
  return defineEndpoint({
    ...policyShared,
    id: 'importPolicy',
    access: { right: 'automations' },
    method: 'POST',
    path: 'policies/import',
    summary: 'Create a paused policy from a store listing',
    notes:
      'It has no inputs and an inline output; a taken name gets (2). Secrets that the listing leaves blank are ' +
      'entered later. `automations/import` reads files and reports what differs.',
    request: {
      payload: (joi) =>
        joi
          .object({
            name: nameSchema(joi).required(),
            icon: joi.string().allow('').max(100),
            storeId: storeId(joi),
            steps: joi.array().min(1).max(50).items(stepSchema(joi)).required(),
          })
          .unknown(),
    },
    returns: { description: 'The policy', status: 201, json: policySchema },
    errors: [...editCodes, 'INPUT_MALFORMED', 'INPUT_MEDIA_TYPE', 'AUTOMATION_INVALID'],
    handle: async ({ principal, payload, signal }) => {
      const saved = await deps.importer.listing(payload as unknown as Listing, { principal, signal });
      return { status: 201, json: shownPolicy(deps, saved, await deps.sourcesOf(principal)) };
    },
  });
}

function exportEndpoint({ automations, hiding, sourcesOf }: PolicyStoreDeps): Endpoint {
  return defineEndpoint({
    ...policyShared,
    id: 'exportPolicyForStore',
    method: 'GET',
    path: 'policies/{policyId}/store-export',
    summary: 'Export a policy for a store',
    notes: 'Secrets of its steps are blank, its output is inline, and it has no sources.',
    request: { params: policyParams },
    returns: { description: 'The policy', json: policySchema },
    errors: [...ownCodes, 'AUTOMATION_READ_ONLY'],
    handle: async ({ principal, params }) => {
      const found = await automations.editable(principal, params['policyId'] ?? '');
      const content = hideContent(found.content, hiding);
      const shown = toPolicy(found, { ...content, inputs: [], destinations: [] }, await sourcesOf(principal));
      const catalog = { operations: hiding.operations() };
      const steps = mapSteps(shown.steps, (step) => {
        const parameters = isObject(step['parameters']) ? step['parameters'] : {};
        const blank = Object.entries(parameters).map(([name, value]) => [
          name,
          isSecretParameter(catalog, pathOf(step), name) ? '' : value,
        ]);
        return { ...step, parameters: Object.fromEntries(blank) };
      });
      return { json: { ...shown, steps, output: { type: 'inline', options: {} } } };
    },
  });
}

function linkEndpoint(deps: PolicyStoreDeps): Endpoint {
  return defineEndpoint({
    ...policyShared,
    id: 'linkPolicyToStore',
    access: { right: 'automations' },
    method: 'PUT',
    path: 'policies/{policyId}/store-link',
    summary: 'Note the store listing of a policy',
    request: { params: policyParams, payload: (joi) => joi.object({ storeId: storeId(joi).required() }) },
    returns: { description: 'The policy', json: policySchema },
    errors: [...editCodes, 'INPUT_MALFORMED', 'INPUT_MEDIA_TYPE'],
    handle: async ({ principal, params, payload }) => {
      const linked = await deps.automations.link(principal, params['policyId'] ?? '', String(payload['storeId']));
      return { json: shownPolicy(deps, linked, await deps.sourcesOf(principal)) };
    },
  });
}
