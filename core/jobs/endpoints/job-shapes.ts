import type { JoiRoot } from '@quire/registry';

/** Shape of one result file (`docs/interface/jobs.yml`). */
export const resultFile = (joi: JoiRoot) =>
  joi
    .object({
      fileId: joi.string().required(),
      fileName: joi.string().required(),
      contentType: joi.string().required(),
      fileSize: joi.number().integer().required().description('Bytes'),
    })
    .label('ResultFile');
