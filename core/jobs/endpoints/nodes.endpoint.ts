import { defineEndpoint, type Endpoint } from '@quire/registry';
import { READS_ATTACHED, type ClusterNodes } from '../cluster/index.js';

export interface NodesDeps {
  readonly nodes: ClusterNodes;
}

/** The list of cluster nodes for administrators. */
export function nodeEndpoints(deps: NodesDeps): Endpoint[] {
  return [
    defineEndpoint({
      id: 'listNodes',
      method: 'GET',
      path: 'admin/nodes',
      since: '1.0.0',
      tag: 'admin',
      summary: 'List the running nodes of the cluster',
      access: { role: 'admin', area: 'jobs' },
      notes:
        'Nodes that have sent no heartbeat for three intervals (`cluster.node.heartbeatIntervalMs`; at least ' +
        '10 seconds) are in `lost` for 24 hours, unless they were stopped or have started again.',
      returns: {
        description: 'Nodes, sorted by id',
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
                      address: joi
                        .string()
                        .description('Where the node can be reached, if `cluster.node.internalAddress` says so'),
                      startedAt: joi.string().isoDate().required(),
                      seenAt: joi.string().isoDate().required().description("Last heartbeat, by the store's clock"),
                      here: joi.boolean().required().description('True for the node that answered this request'),
                      load: joi
                        .object({
                          busyWorkers: joi.number().integer().required().description('Workers with a task'),
                          workers: joi.number().integer().required().description('Most workers'),
                          memoryBytes: joi.number().integer().required().description('Of the server, without workers'),
                        })
                        .label('NodeLoad')
                        .description('At the last heartbeat; missing for a node of an older version'),
                      backplane: joi
                        .string()
                        .valid('connected', 'disconnected')
                        .description(
                          'At the last heartbeat, if the settings of the node name one (`cluster.backplane`)',
                        ),
                      programs: joi.array().items(joi.string()).required(),
                      operations: joi
                        .object()
                        .pattern(joi.string(), joi.string())
                        .required()
                        .description('Operations that the node can run, with the versions of their plugins'),
                    })
                    .label('Node'),
                ),
              lost: joi
                .array()
                .required()
                .items(
                  joi
                    .object({
                      id: joi.string().required(),
                      role: joi.string().valid('both', 'web', 'worker').required(),
                      version: joi.string().required(),
                      host: joi.string().required(),
                      address: joi
                        .string()
                        .description('Where the node can be reached, if `cluster.node.internalAddress` says so'),
                      startedAt: joi.string().isoDate().required(),
                      seenAt: joi.string().isoDate().required().description("Last heartbeat, by the store's clock"),
                    })
                    .label('LostNode'),
                )
                .description('Nodes that fell silent, latest first'),
            })
            .label('Nodes'),
      },
      errors: ['KEY_INVALID', 'ADMIN_ONLY', 'STORE_DOWN'],
      handle: async () => {
        const { nodes, lost } = await deps.nodes.standing();
        const shown = nodes.map(({ operations, load, backplane, ...node }) => ({
          ...node,
          ...(load === undefined ? {} : { load }),
          ...(backplane === undefined ? {} : { backplane }),
          operations: Object.fromEntries([...operations].filter(([path]) => path !== READS_ATTACHED.path)),
        }));
        return { json: { nodes: shown, lost } };
      },
    }),
  ];
}
