import type { JoiRoot } from '@quire/registry';
import type Joi from 'joi';

/** Returns the schema of a plugin that was left out, with the reason. */
export function pluginWarning(joi: JoiRoot): Joi.Schema {
  return joi
    .object({
      plugin: joi.string().required(),
      version: joi.string(),
      problems: joi.array().items(joi.string()).required(),
    })
    .label('PluginWarning');
}
