import { layerNames } from '../../isolation/index.js';
import type { JoiRoot } from '@quire/registry';
import type Joi from 'joi';
import { pluginWarning } from '../../metrics/index.js';

/** The shape of `GET /api/v1/capabilities`. */
export function capabilitiesSchema(joi: JoiRoot): Joi.Schema {
  const names = () => joi.array().items(joi.string());
  return joi
    .object({
      version: joi.string().required(),
      hosting: joi.string().valid('selfHosted', 'cloud').required(),
      licence: joi.object({ tier: joi.string().valid('free', 'team', 'enterprise').required() }).required(),
      login: joi.boolean().required().description('Every call needs a key or a session'),
      operations: joi
        .array()
        .required()
        .items(
          joi
            .object({
              path: joi.string().required(),
              key: joi.string().required().description('Name in endpoints.toRemove'),
              summary: joi.string().required(),
              plugin: joi.string().required(),
              since: joi.string().required().description('Plugin version that added it'),
              accepts: names().required().description('File types'),
              files: joi
                .string()
                .valid('each', 'all')
                .required()
                .description('each: one document per call; all: several at once'),
              parts: joi
                .array()
                .required()
                .items(
                  joi
                    .object({
                      field: joi.string().required(),
                      kinds: names().required(),
                      many: joi.boolean().required(),
                      requiredWhen: joi.any().description('always, the parameters that require it, or null'),
                    })
                    .label('CapabilityPart'),
                ),
              effects: names().required().description('Additional effects on the document'),
              writes: joi.string().description('How results are written'),
              needs: names().required().description('Programs'),
              pipeline: joi.boolean().required(),
              async: joi.boolean().required(),
              enabled: joi.boolean().required(),
              reason: joi.string().valid('CONFIG', 'DEPENDENCY', 'ROLE').allow(null).required(),
              missing: names().required(),
            })
            .label('Capability'),
        ),
      plugins: joi
        .array()
        .required()
        .items(joi.object({ name: joi.string().required(), version: joi.string().required() }).label('PluginVersion')),
      engines: joi
        .array()
        .required()
        .items(
          joi
            .object({ name: joi.string().required(), version: joi.string().required(), usedBy: names().required() })
            .label('EngineVersion'),
        )
        .description('Document libraries used by the server'),
      programs: joi
        .array()
        .required()
        .items(
          joi
            .object({
              name: joi.string().required(),
              found: joi.boolean().required(),
              version: joi.string().allow(null).required(),
              isolation: joi
                .array()
                .items(joi.string().valid(...layerNames))
                .description('What confines it; absent for one that is missing'),
              languages: names(),
              install: joi.string().description('How to install it'),
            })
            .label('ProgramState'),
        ),
      programsComplete: joi.boolean().required().description('The versions of all programs are known'),
      ocrLanguages: names().required(),
      missing: joi
        .array()
        .required()
        .items(
          joi
            .object({
              program: joi.string().required(),
              neededBy: names().required(),
              install: joi.string().required(),
            })
            .label('MissingProgram'),
        ),
      warnings: joi.array().required().items(pluginWarning(joi)).description('Optional plugins that were left out'),
      limits: joi
        .object()
        .pattern(joi.string(), joi.number().allow(null))
        .required()
        .description('Bytes, seconds, counts'),
      isolation: joi
        .array()
        .items(joi.string().valid(...layerNames))
        .required()
        .description('What confines the worker processes that read documents'),
    })
    .label('Capabilities');
}
