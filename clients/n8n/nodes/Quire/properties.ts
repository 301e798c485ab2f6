import type { INodeProperties } from 'n8n-workflow';
import { namesOf, operationProperties } from './calls';

const jobs = namesOf(({ job }) => job);

const jobProperties: INodeProperties[] = [
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: ['job'] } },
    options: [
      {
        name: 'Cancel or Delete',
        value: 'delete',
        description: 'Stop a running job, or delete a finished one with its files',
        action: 'Cancel or delete a job',
      },
      { name: 'Get', value: 'get', description: 'Get status and progress of a job', action: 'Get a job' },
      {
        name: 'Get Result',
        value: 'getResult',
        description: 'Get the file or the JSON that a finished job produced',
        action: 'Get the result of a job',
      },
    ],
    default: 'get',
  },
  {
    displayName: 'Job ID',
    name: 'jobId',
    type: 'string',
    required: true,
    default: '={{ $json.jobId }}',
    displayOptions: { show: { resource: ['job'] } },
    description: 'ID that the start of the job returned',
  },
];

const inputProperties: INodeProperties[] = [
  {
    displayName: 'Input Binary Field',
    name: 'inputField',
    type: 'string',
    required: true,
    default: 'data',
    hint: 'The name of the input binary field containing the file to be processed',
    description: 'Several names are separated by commas; each file is processed by a call of its own',
    displayOptions: { show: { operation: namesOf(({ documents }) => documents === 'each') } },
  },
  {
    displayName: 'Input Binary Fields',
    name: 'inputField',
    type: 'string',
    required: true,
    default: 'data',
    hint: 'The names of the input binary fields containing the files, separated by commas',
    displayOptions: { show: { operation: namesOf(({ documents }) => documents === 'all') } },
  },
  {
    displayName: 'Use All Items Together',
    name: 'together',
    type: 'boolean',
    default: true,
    description:
      'Whether the files of all items are processed by one call, with the fields of the first item. Otherwise ' +
      'there is a call for each item.',
    displayOptions: { show: { operation: namesOf(({ documents }) => documents === 'all') } },
  },
];

const runProperties: INodeProperties[] = [
  {
    displayName: 'Run',
    name: 'runAs',
    type: 'options',
    noDataExpression: true,
    options: [
      { name: 'As a Call', value: 'call', description: 'Wait for the answer' },
      { name: 'As a Job', value: 'job', description: 'Start a job and wait for its result: for long work' },
      { name: 'As a Job, Without Waiting', value: 'start', description: 'Return the ID of the job at once' },
    ],
    default: 'call',
    displayOptions: { show: { operation: jobs } },
  },
  {
    displayName: 'Several Result Files',
    name: 'severalFiles',
    type: 'options',
    options: [
      { name: 'A Binary Field for Each', value: 'fields', description: 'One item: data, data1, data2 and so on' },
      { name: 'An Item for Each', value: 'items' },
      { name: 'One Zip File', value: 'zip' },
    ],
    default: 'zip',
    description: 'How several files are returned. Other than as a zip, they are made by a job.',
    displayOptions: {
      show: { operation: namesOf(({ many = false, job }) => many && job) },
      hide: { runAs: ['start'] },
    },
  },
  {
    displayName: 'Put Output File in Field',
    name: 'outputField',
    type: 'string',
    required: true,
    default: 'data',
    hint: 'The name of the output binary field to put the file in',
    displayOptions: {
      show: { operation: [...namesOf(({ returns }) => returns === 'file'), 'getResult'] },
      hide: { runAs: ['start'] },
    },
  },
  {
    displayName: 'Wait at Most (Minutes)',
    name: 'waitMinutes',
    type: 'number',
    typeOptions: { minValue: 1 },
    default: 30,
    description: 'How long to wait for the answer or for the end of the job',
    displayOptions: { show: { operation: namesOf(() => true) }, hide: { runAs: ['start'] } },
  },
  {
    displayName: 'Call Back URL',
    name: 'callbackUrl',
    type: 'string',
    default: '',
    placeholder: 'https://n8n.example.com/webhook/…/webhook',
    description: 'Address that the server calls when the job has finished: the production URL of a Quire Trigger',
    displayOptions: { show: { operation: jobs, runAs: ['start'] } },
  },
  {
    displayName: 'Call Back Secret',
    name: 'callbackSecret',
    type: 'string',
    typeOptions: { password: true },
    default: '',
    description: 'Key that signs the call: whsec_ and 24 to 64 bytes in base64. Empty for the one of the server.',
    displayOptions: { show: { operation: jobs, runAs: ['start'] } },
  },
];

/** All properties of the node, in the order in which they are shown. */
export const nodeProperties: INodeProperties[] = [
  ...operationProperties.filter(({ name }) => name === 'resource' || name === 'operation'),
  ...jobProperties,
  ...inputProperties,
  ...operationProperties.filter(({ name }) => name !== 'resource' && name !== 'operation'),
  ...runProperties,
];
