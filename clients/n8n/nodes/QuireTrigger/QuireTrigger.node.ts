import { NodeConnectionTypes, NodeOperationError } from 'n8n-workflow';
import type {
  IDataObject,
  INodeType,
  INodeTypeDescription,
  IWebhookFunctions,
  IWebhookResponseData,
} from 'n8n-workflow';
import { isSigned, keyOf } from './signature';

/** Starts a workflow when the server reports by call-back that a job has finished. */
export class QuireTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Quire Trigger',
    name: 'quireTrigger',
    icon: { light: 'file:quire.svg', dark: 'file:quire.dark.svg' },
    group: ['trigger'],
    version: 1,
    subtitle: '={{$parameter["events"].join(", ")}}',
    description: 'Starts the workflow when a job of a Quire server has finished',
    defaults: { name: 'Quire Trigger' },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook', rawBody: true }],
    properties: [
      {
        displayName:
          'Give the production URL of this node as call back URL of the jobs, and the secret below as their secret.',
        name: 'notice',
        type: 'notice',
        default: '',
      },
      {
        displayName: 'Secret',
        name: 'secret',
        type: 'string',
        typeOptions: { password: true },
        default: '',
        required: true,
        placeholder: 'e.g. whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
        description:
          'Key of the signatures: the secret of the call, or jobs.callbacks.secret of the server. Calls without a ' +
          'valid signature are refused.',
      },
      {
        displayName: 'Events',
        name: 'events',
        type: 'multiOptions',
        options: [
          { name: 'Job Cancelled', value: 'job.cancelled' },
          { name: 'Job Failed', value: 'job.failed' },
          { name: 'Job Succeeded', value: 'job.succeeded' },
        ],
        default: ['job.succeeded', 'job.failed', 'job.cancelled'],
        description: 'The events that start the workflow; others are only acknowledged',
      },
    ],
  };

  // Each job names the address itself, so there is nothing to register on the server.
  webhookMethods = {
    default: {
      checkExists: async (): Promise<boolean> => true,
      create: async (): Promise<boolean> => true,
      delete: async (): Promise<boolean> => true,
    },
  };

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const key = keyOf(this.getNodeParameter('secret') as string);
    if (key === undefined)
      throw new NodeOperationError(this.getNode(), 'The secret must be whsec_ followed by 24 to 64 bytes in base64');
    const headers = this.getHeaderData();
    const { rawBody } = this.getRequestObject() as { rawBody?: Buffer };
    if (rawBody === undefined || !isSigned(headers, rawBody, key, new Date())) {
      this.getResponseObject().status(401).json({ message: 'The signature is missing, wrong or too old' });
      return { noWebhookResponse: true };
    }
    const event = this.getBodyData() as { type?: string; data?: IDataObject };
    const events = this.getNodeParameter('events') as string[];
    if (!events.includes(event.type ?? '')) return { webhookResponse: { accepted: true } };
    const json = { event: event.type, webhookId: String(headers['webhook-id']), ...event.data };
    return { workflowData: [[{ json }]] };
  }
}
