import type { JoiRoot } from '@quire/registry';
import { shownFieldSchema } from '../../console/index.js';
import { pathOf, stepsWithin } from '../../operations/pipelines/index.js';
import { rights, type SavedPipeline, type Share, type VersionFacts } from '../model.js';
import type { SentPipeline } from '../saved-pipelines.js';
import { listOf } from './list-of.js';

/** Names are parts of addresses and commands. */
export const nameField = (joi: JoiRoot) =>
  joi
    .string()
    .pattern(/^[a-z][a-z0-9-]{0,62}$/, 'small letters, digits and hyphens, beginning with a letter, at most 63')
    .description('Unique on the server: the pipeline runs at `/api/v1/tools/<name>`')
    .example('stamp-invoices');

/** A step in a list of steps; the check of pipelines looks at its members. */
export const stepSchema = (joi: JoiRoot, label: string) =>
  joi
    .object({ operation: joi.string(), parameters: joi.object().unknown() })
    .unknown()
    .label(label)
    .description('An operation with its parameters, or a step with `if`, `parallel` or `each`');

const definitionSchema = (joi: JoiRoot) =>
  joi
    .object({
      pipeline: joi.array().min(1).required().items(stepSchema(joi, 'SavedStep')),
    })
    .unknown()
    .label('SavedDefinition')
    .description('The pipeline as `pipeline/handleData` takes it; other members are ignored');

const inputSchema = (joi: JoiRoot) =>
  joi
    .object({
      name: joi
        .string()
        .pattern(/^[a-zA-Z][a-zA-Z0-9_]{0,39}$/, 'letters, digits and _, beginning with a letter, at most 40')
        .invalid('fileInput', 'fileId', 'async', 'callbackUrl', 'callbackSecret')
        .required()
        .description('Field of the form, and `{{input.<name>}}` in texts of the steps'),
      field: joi
        .string()
        .description('The parameter of a step that it sets, as JSON Pointer (RFC 6901) into the definition')
        .example('/pipeline/0/parameters/angle'),
      label: joi.string().max(60).description('By default that of the parameter'),
      help: joi.string().max(300).description('By default that of the parameter'),
      type: joi
        .string()
        .valid('text', 'number', 'integer', 'boolean')
        .description('Of an input without `field`; by default text'),
      required: joi.boolean().description('Has no default'),
      default: joi.any().description('By default the value in the definition'),
      minimum: joi.number(),
      maximum: joi.number(),
      values: joi
        .array()
        .min(1)
        .max(200)
        .items(joi.alternatives().try(joi.string(), joi.number(), joi.boolean()).label('InputValue'))
        .description('The values that it allows'),
    })
    .label('PipelineInput');

const shareSchema = (joi: JoiRoot) =>
  joi
    .object({
      kind: joi.string().valid('user', 'team', 'everyone').required(),
      name: joi.string().max(200).description('Of the user or the team'),
      right: joi
        .string()
        .valid(...rights)
        .default('use')
        .description('`use`: run it; `edit`: see its steps and change it too'),
    })
    .label('PipelineShare');

/** The body of a new or changed pipeline. */
export const sentSchema = (joi: JoiRoot) =>
  joi.object({
    name: nameField(joi).required(),
    title: joi.string().trim().min(1).max(60).required().example('Stamp invoices'),
    description: joi.string().allow('').max(2000).default(''),
    definition: definitionSchema(joi).required(),
    inputs: joi.array().max(50).items(inputSchema(joi)).default([]),
    sharedWith: joi
      .array()
      .max(200)
      .items(shareSchema(joi))
      .default([])
      .description('Nobody else by default; only while login is on'),
  });

/** A pipeline as it is sent, with names in place of ids. */
export type SentBody = Omit<SentPipeline, 'sharedWith'> & {
  readonly sharedWith: readonly (Pick<Share, 'kind' | 'right'> & { readonly name?: string })[];
};

export const pipelineSchema = (joi: JoiRoot) => {
  const text = () => joi.string().required();
  return joi
    .object({
      name: text(),
      title: text(),
      description: joi.string().allow('').required(),
      owner: joi.string().allow(null).required(),
      version: joi.number().integer().required(),
      createdAt: joi.string().isoDate().required(),
      savedAt: joi.string().isoDate().required(),
      savedBy: joi.string().allow(null).required(),
      right: joi
        .string()
        .valid(...rights)
        .required(),
      path: joi.string().required().description('Where it runs'),
      operations: joi.array().items(joi.string()).required().description('Paths of its steps'),
      fields: joi.array().items(shownFieldSchema(joi)).required().description('Its inputs as people see them'),
      valid: joi.boolean().required().description('Whether it can run now'),
      errors: listOf(joi, 'FieldFault', { pointer: joi.string().allow(''), detail: joi.string() }).description(
        'Why it cannot',
      ),
      // Definition, inputs and shares only for those who may edit it.
      definition: definitionSchema(joi),
      inputs: joi.array().items(inputSchema(joi)),
      sharedWith: joi.array().items(shareSchema(joi)),
    })
    .label('SavedPipeline');
};

export const versionSchema = (joi: JoiRoot) =>
  joi
    .object({
      version: joi.number().integer().required(),
      savedAt: joi.string().isoDate().required(),
      savedBy: joi.string().allow(null).required(),
    })
    .label('PipelineVersion');

export function pipelineWire({ record, version, right, content, fields, faults }: SavedPipeline) {
  const { name, ownerName, createdAt, sharedWith } = record;
  const { title, description, definition, inputs } = content;
  return {
    name,
    title,
    description,
    owner: ownerName,
    ...versionWire(version),
    createdAt: new Date(createdAt).toISOString(),
    right,
    path: `/api/v1/tools/${name}`,
    operations: stepsWithin(definition.pipeline).map(({ step }) => pathOf(step)),
    fields,
    valid: faults.length === 0,
    errors: faults,
    ...(right === 'edit'
      ? {
          definition,
          inputs,
          sharedWith: sharedWith.map((share) => ({
            kind: share.kind,
            ...(share.name === null ? {} : { name: share.name }),
            right: share.right,
          })),
        }
      : {}),
  };
}

export function versionWire({ version, savedAt, savedBy }: Omit<VersionFacts, 'content'>) {
  return { version, savedAt: new Date(savedAt).toISOString(), savedBy };
}
