import type { JoiRoot } from '@quire/registry';
import { imageId } from '../functions/signature-image-names.js';

/**
 * Access of the addresses under which signatures are kept: they exist with login alone, on servers of one's own (spec,
 * 2.2).
 */
export const forKeepers = { needsLogin: true, hosting: 'selfHosted' } as const;

/** Codes that each of them may answer. */
export const keeperCodes = [
  'KEY_INVALID',
  'TOKEN_INVALID',
  'ACCOUNT_DISABLED',
  'DEMO_REFUSED',
  'LOGIN_REQUIRED',
  'STORAGE_FULL',
  'SERVICE_NOT_SET_UP',
] as const;

/** An id as a call gives it. */
export const idField = (joi: JoiRoot) =>
  joi
    .string()
    .pattern(imageId, 'letters, digits, underscore, hyphen and dot')
    .required()
    .description('Letters, digits, underscore, hyphen and dot, at most 100, without .. and not ending with a dot')
    .example('my-signature');

/** A label as a call gives it. */
export const labelField = (joi: JoiRoot) =>
  joi.string().max(1000).description('Name that people read').example('Short');

/** A saved signature as the wire has it. */
export const recordAnswer = (joi: JoiRoot) =>
  joi
    .object({
      id: joi.string().required(),
      label: joi.string().allow(null, '').required(),
      type: joi.string().allow(null, '').required().description('canvas, image or text; not checked'),
      scope: joi.string().valid('personal', 'shared').required(),
      dataUrl: joi.string().allow(null).required().description('Address of the image; null if there is none'),
      signerName: joi.string().allow(null, '').required(),
      fontFamily: joi.string().allow(null, '').required(),
      fontSize: joi.number().integer().allow(null).required(),
      textColor: joi.string().allow(null, '').required(),
      createdAt: joi.number().integer().required().description('Milliseconds since 1970'),
      updatedAt: joi.number().integer().required(),
    })
    .label('SavedSignature');
