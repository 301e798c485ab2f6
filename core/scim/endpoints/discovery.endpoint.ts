import { AccessError, InputError, type Endpoint, type EndpointRequest, type JoiRoot } from '@quire/registry';
import { listBody, MOST_RESULTS } from '../model/list.js';
import { resourceTypes, type Attribute, type Resource, type ResourceType, type Schema } from '../model/schema.js';
import { paths } from '../scim-routes.js';
import { listAnswer } from './bodies.js';
import { idParams, resourceAnswer, scimEndpoint, type ScimEndpointDeps, type ScimRoute } from './scim-endpoint.js';

const query = (joi: JoiRoot) => joi.object({ filter: joi.string().description('Refused: nothing is filtered here') });
const described = (joi: JoiRoot, label: string) =>
  joi
    .object({ schemas: joi.array().items(joi.string()).required().description('URNs of the schemas') })
    .unknown()
    .label(label);

/** What the server supports (RFC 7644, 4). */
export function discoveryEndpoints(deps: ScimEndpointDeps): Endpoint[] {
  return [configuration(deps), ...typeEndpoints(deps), ...schemaEndpoints(deps)];
}

function discovery(deps: ScimEndpointDeps, route: Omit<ScimRoute, 'method'>): Endpoint {
  return scimEndpoint(deps, {
    ...route,
    method: 'GET',
    request: { query, ...route.request },
    errors: ['INPUT_INVALID', 'SCIM_DISCOVERY_FILTER', ...(route.errors ?? [])],
    handle: (request, call) => {
      refuseFilter(request);
      return route.handle(request, call);
    },
  });
}

function configuration(deps: ScimEndpointDeps): Endpoint {
  return discovery(deps, {
    id: 'getScimConfiguration',
    path: paths.configuration,
    summary: 'Get what SCIM supports here',
    returns: { description: 'The configuration', json: (joi) => described(joi, 'ScimConfiguration') },
    handle: async (_, { base }) =>
      resourceAnswer({
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
        patch: { supported: true },
        bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
        filter: { supported: true, maxResults: MOST_RESULTS },
        changePassword: { supported: false },
        sort: { supported: true },
        etag: { supported: true },
        authenticationSchemes: [
          {
            type: 'oauthbearertoken',
            name: 'Bearer token',
            description: 'The token of the setting scim.token',
            specUri: 'https://www.rfc-editor.org/info/rfc6750',
            primary: true,
          },
        ],
        meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
      }),
  });
}

function typeEndpoints(deps: ScimEndpointDeps): Endpoint[] {
  return [
    discovery(deps, {
      id: 'listScimResourceTypes',
      path: paths.resourceTypes,
      summary: 'List the types of resources of SCIM',
      returns: { description: 'The types', json: listAnswer },
      handle: async (_, { base }) => resourceAnswer(wholeList(resourceTypes.map((type) => typeBody(type, base)))),
    }),
    discovery(deps, {
      id: 'getScimResourceType',
      path: paths.resourceType,
      summary: 'Get a type of resources of SCIM',
      request: { params: (joi) => idParams(joi, 'type: User or Group') },
      returns: { description: 'The type', json: (joi) => described(joi, 'ScimResourceType') },
      errors: ['SCIM_UNKNOWN'],
      handle: async ({ params: { id = '' } }, { base }) => {
        const type = resourceTypes.find(({ name }) => name.toLowerCase() === id.toLowerCase());
        if (type === undefined) throw unknown('resource type', id);
        return resourceAnswer(typeBody(type, base));
      },
    }),
  ];
}

function schemaEndpoints(deps: ScimEndpointDeps): Endpoint[] {
  const schemas = resourceTypes.flatMap(({ schema, extensions }) => [schema, ...extensions]);
  const body = (schema: Schema, base: string): Resource => schemaBody(schema, base, deps.rolesFollowGroups);
  return [
    discovery(deps, {
      id: 'listScimSchemas',
      path: paths.schemas,
      summary: 'List the schemas of SCIM',
      returns: { description: 'The schemas', json: listAnswer },
      handle: async (_, { base }) => resourceAnswer(wholeList(schemas.map((schema) => body(schema, base)))),
    }),
    discovery(deps, {
      id: 'getScimSchema',
      path: paths.schema,
      summary: 'Get a schema of SCIM',
      request: { params: (joi) => idParams(joi, 'schema, its URN') },
      returns: { description: 'The schema', json: (joi) => described(joi, 'ScimSchema') },
      errors: ['SCIM_UNKNOWN'],
      handle: async ({ params: { id = '' } }, { base }) => {
        const schema = schemas.find((one) => one.id.toLowerCase() === id.toLowerCase());
        if (schema === undefined) throw unknown('schema', id);
        return resourceAnswer(body(schema, base));
      },
    }),
  ];
}

function typeBody({ name, endpoint, description, schema, extensions }: ResourceType, base: string): Resource {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    id: name,
    name,
    endpoint,
    description,
    schema: schema.id,
    schemaExtensions: extensions.map(({ id }) => ({ schema: id, required: false })),
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
  };
}

function schemaBody({ id, name, description, attributes }: Schema, base: string, rolesFollowGroups: boolean): Resource {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    id,
    name,
    description,
    attributes: attributes.map((attribute) =>
      attributeBody(
        rolesFollowGroups && attribute.name === 'roles' ? { ...attribute, mutability: 'readOnly' } : attribute,
      ),
    ),
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${id}` },
  };
}

/** With the usual values of RFC 7643, 2.2. */
function attributeBody(attribute: Attribute): Resource {
  const { name, type, description, canonicalValues, referenceTypes, subAttributes } = attribute;
  return {
    name,
    type,
    multiValued: attribute.multiValued ?? false,
    description,
    required: attribute.required ?? false,
    ...(canonicalValues === undefined ? {} : { canonicalValues }),
    ...(type === 'complex' || type === 'boolean' ? {} : { caseExact: attribute.caseExact ?? type === 'reference' }),
    mutability: attribute.mutability ?? 'readWrite',
    returned: attribute.returned ?? 'default',
    uniqueness: attribute.uniqueness ?? 'none',
    ...(referenceTypes === undefined ? {} : { referenceTypes }),
    ...(subAttributes === undefined ? {} : { subAttributes: subAttributes.map(attributeBody) }),
  };
}

function wholeList(resources: readonly Resource[]): Resource {
  return listBody({ total: resources.length, resources }, 1);
}

/** RFC 7644, 4. */
function refuseFilter(request: EndpointRequest): void {
  if (request.query['filter'] !== undefined) throw new AccessError('SCIM_DISCOVERY_FILTER');
}

function unknown(resource: string, id: string): InputError {
  return new InputError('SCIM_UNKNOWN', { resource, id: id.slice(0, 100) });
}
