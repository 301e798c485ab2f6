import { defineEndpoint, type Endpoint } from '@quire/registry';
import type { ClusterNodes } from '../cluster/index.js';

export interface NodesDeps {
  readonly nodes: ClusterNodes;
}

/** The nodes of a service, for administrators (Quire's own; no contract entry). */
export function nodeEndpoints(deps: NodesDeps): Endpoint[] {
  return [
    defineEndpoint({
      id: 'adminNodes',
      method: 'GET',
      path: 'admin/nodes',
      since: '1.0.0',
      tag: 'admin',
      summary: 'List the running nodes of this service',
      access: { role: 'admin' },
      notes:
        'A node that has been silent for three heartbeats (`cluster.node.heartbeatIntervalMs`; 10 seconds at ' +
        'least) is left out.',
      returns: {
        description: 'Nodes by id',
        json: (joi) =>
          joi
            .object({
              nodes: joi
                .array()
                .required()
                .items(
                  joi
                    .object({
                      id: joi.string().required(),
                      role: joi.string().valid('both', 'web', 'worker').required(),
                      version: joi.string().required(),
                      host: joi.string().required(),
                      startedAt: joi.string().isoDate().required(),
                      seenAt: joi
                        .string()
                        .isoDate()
                        .required()
                        .description('Last heartbeat, by the clock of the store'),
                      here: joi.boolean().required().description('True for the node that answers'),
                      programs: joi.array().items(joi.string()).required(),
                      operations: joi
                        .object()
                        .pattern(joi.string(), joi.string())
                        .required()
                        .description('Operations that the node can do, with the versions of their plugins'),
                    })
                    .label('Node'),
                ),
            })
            .label('Nodes'),
      },
      errors: ['KEY_INVALID', 'ADMIN_ONLY', 'STORE_DOWN'],
      handle: async () => ({
        json: {
          nodes: (await deps.nodes.list()).map(({ operations, ...node }) => ({
            ...node,
            operations: Object.fromEntries(operations),
          })),
        },
      }),
    }),
  ];
}
