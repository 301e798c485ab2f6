import type { JoiRoot } from '@quire/registry';
import type Joi from 'joi';

/** The shape of `GET /api/v1/console/catalog`: `ConsoleCatalog` of the registry. */
export function consoleCatalogSchema(joi: JoiRoot): Joi.Schema {
  const text = () => joi.string().required();
  const names = () => joi.array().items(joi.string()).required();
  const flag = () => joi.boolean().required();
  const when = () => joi.any().description('always, or values by field');
  const field = shownFieldSchema(joi);
  const part = joi
    .object({
      field: text(),
      label: text(),
      help: joi.string(),
      kinds: names(),
      extensions: names(),
      required: flag(),
      requiredWhen: when(),
      widget: joi.string().valid('signature').description('People can draw or type it'),
      many: flag(),
      when: when(),
    })
    .label('ShownPart');
  return joi
    .object({
      version: text(),
      uploadBytes: joi.number().integer().description('Most bytes of one call; missing without a limit'),
      categories: joi
        .array()
        .required()
        .items(
          joi
            .object({ id: text(), title: text(), icon: text(), order: joi.number().required() })
            .label('ShownCategory'),
        ),
      templates: joi
        .array()
        .required()
        .items(
          joi
            .object({
              id: text(),
              title: text(),
              summary: text(),
              icon: text(),
              steps: joi
                .array()
                .required()
                .items(
                  joi
                    .object({
                      operation: text(),
                      parameters: joi.object().required(),
                      ask: joi
                        .array()
                        .items(joi.string())
                        .description('Fields that people must fill in before the first run'),
                      name: joi.string().description('Name of the results, with placeholders'),
                    })
                    .label('TemplateStep'),
                ),
            })
            .label('PipelineTemplate'),
        ),
      facts: joi.array().items(factSchema(joi)).required().description('Facts that conditions of pipelines compare'),
      operations: joi
        .array()
        .required()
        .items(
          joi
            .object({
              path: text().description('The call is POST /api/v1/ and this path'),
              category: text(),
              title: text(),
              summary: text(),
              notes: joi.string().description('Markdown'),
              keywords: names(),
              icon: text().description('Name of an icon, or an SVG path of a 24 by 24 grid'),
              order: joi.number().required(),
              screen: joi.string().description('Screen of the console that does the same with the pages in view'),
              password: joi.string().description('Field with the password that opens the input'),
              resultPassword: joi.string().description('Field with the password that opens the result'),
              files: joi.string().valid('each', 'all').required(),
              parts: joi.array().items(part).required(),
              groups: joi.array().items(groupSchema(joi)).required(),
              fields: joi.array().items(field).required(),
              returns: joi
                .object({
                  type: joi.string().valid('file', 'json').required(),
                  kinds: names(),
                  many: flag(),
                  mayDrop: flag(),
                })
                .required()
                .label('ShownReturns'),
              effects: names(),
              pipeline: flag(),
              job: flag(),
              deprecated: joi.object({ use: joi.string() }).label('ShownDeprecation'),
              availability: availabilitySchema(joi),
              examples: joi.array().items(exampleSchema(joi)).required(),
            })
            .label('ShownOperation'),
        ),
    })
    .label('ConsoleCatalog');
}

function factSchema(joi: JoiRoot): Joi.Schema {
  const names = () => joi.array().items(joi.string());
  return joi
    .object({
      name: joi.string().required(),
      type: joi.string().valid('number', 'boolean', 'text').required(),
      title: joi.string().required(),
      words: names().required().description('The words that compare it'),
      kinds: names().description('The only file types that have it'),
      values: names().description('The values that it can have'),
    })
    .label('ShownFact');
}

function groupSchema(joi: JoiRoot): Joi.Schema {
  return joi
    .object({
      id: joi.string().required(),
      title: joi.string().required(),
      widget: joi.string().valid('area', 'point'),
      roles: joi.object().pattern(joi.string(), joi.string()).description('Fields by role'),
      picture: joi.string().description('File part with the picture that is placed in the area'),
      frame: joi.string().valid('page', 'shown').description('What the points are measured from'),
    })
    .label('ShownGroup');
}

function availabilitySchema(joi: JoiRoot): Joi.Schema {
  return joi
    .object({
      state: joi.string().valid('available', 'off', 'missing', 'licence', 'role').required(),
      reason: joi.string(),
      missing: joi
        .array()
        .items(
          joi
            .object({ name: joi.string().required(), install: joi.string().description('Command that installs it') })
            .label('ShownMissing'),
        ),
    })
    .required()
    .label('ShownAvailability');
}

function exampleSchema(joi: JoiRoot): Joi.Schema {
  return joi
    .object({
      title: joi.string().required(),
      files: joi.array().items(joi.string()).required().description('Names of samples of the category'),
      parts: joi.object().pattern(joi.string(), joi.string()).required(),
      params: joi.object().unknown().required(),
    })
    .label('ShownExample');
}

/** A field as people see it: `ShownField` of the registry. */
export function shownFieldSchema(joi: JoiRoot): Joi.ObjectSchema {
  const text = () => joi.string().required();
  const when = () => joi.any().description('always, or values by field');
  return joi
    .object({
      name: text(),
      label: text(),
      help: joi.string(),
      widget: text(),
      type: joi.string().valid('text', 'number', 'integer', 'boolean', 'list', 'map', 'json').required(),
      required: joi.boolean().required(),
      requiredWhen: when(),
      default: joi.any(),
      example: joi.any(),
      minimum: joi.number(),
      maximum: joi.number(),
      above: joi.boolean().description('The minimum itself is not allowed'),
      below: joi.boolean().description('The maximum itself is not allowed'),
      shortest: joi.number(),
      longest: joi.number(),
      pattern: joi.string().description('Regular expression that the text must match'),
      values: joi.array().items(joi.object({ value: joi.any().required(), label: text() }).label('ShownValue')),
      unit: joi.string(),
      group: joi.string(),
      when: when(),
      advanced: joi.boolean(),
      element: joi.string().description('Custom element of the plugin that shows it'),
    })
    .label('ShownField');
}
