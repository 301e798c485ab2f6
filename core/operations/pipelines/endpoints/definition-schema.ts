import { facts } from '../flow/facts.js';
import { reactions } from '../flow/model.js';

/** Steps inside of steps, or conditions inside of conditions. */
const objects = { type: 'array', items: { type: 'object', additionalProperties: true } };

/** JSON Schema of a condition; those inside of it are described in words, so that it does not contain itself. */
const conditionSchema = {
  type: 'object',
  description: 'A comparison of a fact, a filter of this server, or conditions that are combined',
  properties: {
    fact: {
      type: 'string',
      enum: Object.keys(facts),
      description: Object.entries(facts)
        .map(([name, { summary }]) => `${name}: ${summary}`)
        .join('; '),
    },
    is: { description: 'The fact has this value' },
    in: { type: 'array', items: {}, description: 'The fact has one of these values' },
    above: { type: 'number' },
    below: { type: 'number' },
    atLeast: { type: 'number' },
    atMost: { type: 'number' },
    filter: { type: 'string', description: 'Path of a filter; true for a file that it keeps' },
    parameters: { type: 'object', additionalProperties: true, description: 'Form fields of the filter' },
    ...Object.fromEntries(
      (['all', 'any'] as const).map((name) => [name, { ...objects, description: `${name} of these are true` }]),
    ),
    not: { type: 'object', additionalProperties: true, description: 'The condition is false' },
  },
};

/** JSON Schema of a step: of one that has an operation, `if`, `parallel` or `each`. */
const stepSchema = {
  type: 'object',
  properties: {
    operation: { type: 'string', description: 'Path of the operation, for example /api/v1/general/rotate-pdf' },
    parameters: { type: 'object', additionalProperties: true, description: 'Form fields of the operation' },
    fileParameters: {
      type: 'object',
      additionalProperties: true,
      description: 'Stored files (`policies/assets`) by file field of the operation: `asset:<id>`',
    },
    if: conditionSchema,
    then: { ...objects, description: 'Steps for the files for which the condition is true' },
    else: { ...objects, description: 'Steps for the others; without it they go on as they are' },
    parallel: { type: 'array', items: objects, description: 'Branches, each with all files; all results go on' },
    each: { ...objects, description: 'Steps that run for each file alone' },
    onError: {
      type: 'string',
      enum: [...reactions],
      default: 'stop',
      description: 'When the step fails: end the run, leave the file out, or pass it on as it was',
    },
    name: {
      type: 'string',
      description: 'Name of the results, with placeholders: `{{file.base}}-signed`, `{{invoice.number}}`',
    },
  },
};

/** JSON Schema of the definition in the field `json`; the server accepts further members. */
export const definitionSchema = {
  type: 'object',
  required: ['pipeline'],
  properties: {
    name: { type: 'string' },
    values: {
      type: 'object',
      additionalProperties: true,
      description:
        'With it, placeholders in texts of parameters are replaced: `{{input.<name>}}` by these values, `{{date}}`, ' +
        '`{{time}}` (UTC), `{{file.name}}`, `{{file.base}}`, `{{file.extension}}`, and `{{invoice.number}}`, ' +
        '`{{invoice.date}}`, `{{invoice.due}}`, `{{invoice.type}}`, `{{invoice.seller}}`, `{{invoice.buyer}}`, ' +
        '`{{invoice.total}}`, `{{invoice.currency}}` by the electronic invoice that the file carries',
    },
    pipeline: {
      type: 'array',
      minItems: 1,
      items: stepSchema,
    },
  },
};
