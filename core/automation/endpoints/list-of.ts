import type { JoiRoot } from '@quire/registry';

/** A required list of objects with these members; `label`: the name of their type in the API document. */
export const listOf = (joi: JoiRoot, label: string, members: Parameters<JoiRoot['object']>[0]) =>
  joi.array().required().items(joi.object(members).label(label));
