import type { JoiRoot } from '@quire/registry';

/** A provider as the login offers it, for clients. */
export const offeredProviderShape = (joi: JoiRoot) =>
  joi
    .object({
      id: joi.string().required(),
      name: joi.string().required(),
      path: joi.string().required().description('Where a login begins, without the sub-path'),
    })
    .label('LoginProvider');
