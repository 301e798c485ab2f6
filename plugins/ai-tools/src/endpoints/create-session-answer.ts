import type { JoiRoot } from '@quire/registry';
import { fieldsOf, filledDocument, statusOf } from '../functions/create/session.js';
import type { CreateSession } from '../services/create-sessions.js';

/** A session in lists. */
function headOf({ id, createdAt, updatedAt, content }: CreateSession) {
  return {
    sessionId: id,
    status: statusOf(content),
    title: content.document?.title ?? null,
    prompt: content.prompts.at(-1) ?? '',
    documentType: content.documentType,
    createdAt,
    updatedAt,
  };
}

/** A session with its document. */
export function sessionAnswer(session: CreateSession) {
  const { content } = session;
  return {
    ...headOf(session),
    prompts: content.prompts,
    style: content.style ?? null,
    outline: content.outline ?? [],
    document: filledDocument(content),
    fields: fieldsOf(content.document).map((name) => ({ name, value: content.values[name] ?? null })),
  };
}

export function headFields(joi: JoiRoot) {
  return {
    sessionId: joi.string().guid().required(),
    status: joi.string().valid('created', 'outlined', 'drafted').required(),
    title: joi.string().allow('', null).required(),
    prompt: joi.string().required().description('The last request'),
    documentType: joi.string().allow(null).required(),
    createdAt: joi.string().isoDate().required(),
    updatedAt: joi.string().isoDate().required(),
  };
}

export function sessionSchema(joi: JoiRoot) {
  return joi
    .object({
      ...headFields(joi),
      prompts: joi.array().items(joi.string()).required().description('All that was asked for, oldest first'),
      style: joi.object().allow(null).required().description('As it was sent'),
      outline: joi
        .array()
        .required()
        .items(
          joi.object({
            heading: joi.string().allow('').required(),
            points: joi.array().items(joi.string()).required(),
          }),
        ),
      document: joi.object().allow(null).required().description('With the values of its fields'),
      fields: joi
        .array()
        .required()
        .items(joi.object({ name: joi.string().required(), value: joi.string().allow('', null).required() })),
    })
    .label('CreateSession');
}
