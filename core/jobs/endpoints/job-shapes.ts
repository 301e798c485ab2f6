import type { JoiRoot } from '@quire/registry';

/** Shape of what a failed job reports for programs. */
export const failureShape = (joi: JoiRoot) => ({
  failureCode: joi
    .string()
    .allow(null)
    .required()
    .description('`code` of the problem that the call without a job would have answered with; null unless it failed'),
  failureStatus: joi
    .number()
    .integer()
    .allow(null)
    .required()
    .description('HTTP status of that problem; null unless it failed'),
});

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
