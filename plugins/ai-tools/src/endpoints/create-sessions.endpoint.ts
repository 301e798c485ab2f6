import {
  defineEndpoint,
  type EndpointAnswer,
  type EndpointContext,
  type EndpointRequest,
  type ErrorCode,
  type JoiRoot,
  tokens,
} from '@quire/registry';
import type { DocumentModel } from '../functions/create/document-model.js';
import type { OutlinePart, SessionContent } from '../functions/create/session.js';
import { type Ask, refuseUnlessUsable } from '../functions/model-use.js';
import { documentSchema, styleSchema } from '../operations/document-fields.js';
import { type CreateSession, createSessions } from '../services/create-sessions.js';
import { headFields, sessionAnswer, sessionSchema } from './create-session-answer.js';

const shared = { since: '0.3.0', tag: 'ai' } as const;
/** They are there on the hosted cloud alone (`docs/interface/ai.yml`), and belong to users. */
const access = { needsLogin: true, hosting: 'cloud' } as const;
const asking = { ...access, cost: 1 } as const;
const path = 'ai/create/sessions';
const codes = ['NOT_FOUND', 'LICENCE_REQUIRED', 'STORE_DOWN'] as const satisfies readonly ErrorCode[];
const bodyCodes = [
  ...codes,
  'INPUT_INVALID',
  'INPUT_MALFORMED',
  'INPUT_TOO_LARGE',
  'INPUT_MEDIA_TYPE',
  'STORAGE_CONFLICT',
] as const satisfies readonly ErrorCode[];
const modelCodes = [
  ...bodyCodes,
  'INPUT_TEXT_TOO_LONG',
  'SERVICE_NOT_SET_UP',
  'REMOTE_ANSWER',
  'REMOTE_BUSY',
  'REMOTE_TIMEOUT',
] as const satisfies readonly ErrorCode[];
const MAX_BODY_BYTES = 4 * 1024 * 1024;

const params = (joi: JoiRoot) =>
  joi.object({ sessionId: joi.string().guid().required().description('Id of the session') });
const promptField = (joi: JoiRoot) => joi.string().trim().min(1).max(20_000).required();
const typeField = (joi: JoiRoot) =>
  joi.string().trim().max(100).empty('').allow(null).description('Type of document to write').example('invoice');
const outlineField = (joi: JoiRoot) =>
  joi
    .array()
    .max(60)
    .items(
      joi.object({
        heading: joi.string().trim().allow('').max(2000).required(),
        points: joi.array().max(40).items(joi.string().trim().allow('').max(2000)).default([]),
      }),
    );

/** Begins a session. */
export const beginCreateSession = defineEndpoint({
  ...shared,
  id: 'beginDocumentSession',
  method: 'POST',
  path,
  access,
  summary: 'Begin a document session',
  notes:
    'A session is a document that is written step by step: `outline`, `draft`, `reprompt`, `template`, ' +
    '`fields`, in any order. Each user has at most 200 sessions with 50 million characters in total; the least ' +
    'recently changed ones are removed for new ones. Available on the hosted cloud only.',
  request: {
    maxBytes: MAX_BODY_BYTES,
    payload: (joi) =>
      joi
        .object({
          prompt: promptField(joi).description('The document to write').example('An offer for painting a fence'),
          documentType: typeField(joi),
          style: styleSchema(joi),
        })
        .example({ prompt: 'An offer for painting a fence', documentType: 'offer' }),
  },
  returns: {
    description: 'The session',
    json: sessionSchema,
    links: [
      'getDocumentSession',
      'outlineDocumentSession',
      'draftDocumentSession',
      'repromptDocumentSession',
      'styleDocumentSession',
      'fillDocumentSession',
      'deleteDocumentSession',
    ].map((to) => ({ to, parameters: { sessionId: '$response.body#/sessionId' } })),
  },
  errors: [...bodyCodes, 'SERVICE_NOT_SET_UP'],
  handle: async ({ payload, principal }, ctx) => {
    refuseUnlessUsable(ctx.use(tokens.languageModel), 'createPdf');
    const { prompt, documentType, style } = payload as {
      readonly prompt: string;
      readonly documentType?: string | null;
      readonly style?: DocumentModel['style'];
    };
    return {
      json: sessionAnswer(
        await ctx.use(createSessions).begin(principal, {
          prompts: [prompt],
          documentType: documentType ?? null,
          style: style ?? null,
          outline: null,
          document: null,
          values: {},
        }),
      ),
    };
  },
});

/** Lists the caller's sessions. */
export const listCreateSessions = defineEndpoint({
  ...shared,
  id: 'listDocumentSessions',
  method: 'GET',
  path,
  access,
  summary: 'List document sessions',
  returns: {
    description: "The caller's sessions, the last changed first",
    json: (joi) => joi.array().items(joi.object(headFields(joi))),
  },
  errors: codes,
  handle: async ({ principal }, ctx) => ({
    json: (await ctx.use(createSessions).list(principal)).map(
      ({ id, status, title, prompt, documentType, createdAt, updatedAt }) => ({
        sessionId: id,
        status,
        title,
        prompt,
        documentType,
        createdAt,
        updatedAt,
      }),
    ),
  }),
});

/** Answers one session. */
export const readCreateSession = defineEndpoint({
  ...shared,
  id: 'getDocumentSession',
  method: 'GET',
  path: `${path}/{sessionId}`,
  access,
  summary: 'Read a document session',
  request: { params },
  returns: { description: 'The session', json: sessionSchema },
  errors: ['INPUT_INVALID', ...codes],
  handle: async ({ params: { sessionId }, principal }, ctx) => ({
    json: sessionAnswer(await ctx.use(createSessions).read(principal, sessionId ?? '')),
  }),
});

/** Deletes a session. */
export const deleteCreateSession = defineEndpoint({
  ...shared,
  id: 'deleteDocumentSession',
  method: 'DELETE',
  path: `${path}/{sessionId}`,
  access,
  summary: 'Delete a document session',
  request: { params },
  returns: { description: 'Deleted', status: 204 },
  errors: ['INPUT_INVALID', ...codes],
  handle: async ({ params: { sessionId }, principal }, ctx) => {
    await ctx.use(createSessions).remove(principal, sessionId ?? '');
    return { status: 204 };
  },
});

export const outlineCreateSession = defineEndpoint({
  ...shared,
  id: 'outlineDocumentSession',
  method: 'POST',
  path: `${path}/{sessionId}/outline`,
  access: asking,
  summary: 'Plan the outline of a document',
  notes:
    'Without `outline` (send `{}`) the model makes one, or makes the one that is there better; with it, it is ' +
    'kept as it is sent.',
  request: {
    params,
    maxBytes: MAX_BODY_BYTES,
    payload: (joi) =>
      joi.object({ outline: outlineField(joi).min(1).description('An outline of the caller') }).example({}),
  },
  returns: { description: 'The session', json: sessionSchema },
  errors: modelCodes,
  handle: (request, ctx) =>
    step(request, ctx, async (session, ask) => {
      const { cleanOutline, planOutline } = await import('../functions/create/session-steps.js');
      const own = request.payload['outline'] as readonly OutlinePart[] | undefined;
      return own === undefined ? planOutline(session, ask()) : { ...session, outline: cleanOutline(own) };
    }),
});

/** Asks for something more. */
export const repromptCreateSession = defineEndpoint({
  ...shared,
  id: 'repromptDocumentSession',
  method: 'POST',
  path: `${path}/{sessionId}/reprompt`,
  access: asking,
  summary: 'Ask for a change of a document',
  notes: 'Changes the document, where there is one, else the outline; before both it is kept for them.',
  request: {
    params,
    payload: (joi) =>
      joi.object({ prompt: promptField(joi).description('The change to make').example('Make it more formal') }),
  },
  returns: { description: 'The session', json: sessionSchema },
  errors: modelCodes,
  handle: (request, ctx) =>
    step(request, ctx, async (session, ask) =>
      (await import('../functions/create/session-steps.js')).askAgain(
        session,
        String(request.payload['prompt']),
        ask(),
      ),
    ),
});

/** Writes the document. */
export const draftCreateSession = defineEndpoint({
  ...shared,
  id: 'draftDocumentSession',
  method: 'POST',
  path: `${path}/{sessionId}/draft`,
  access: asking,
  summary: 'Write a document by its outline',
  notes:
    'Without `document` (send `{}`) the model writes it, with fields in double braces (`{{customer_name}}`) ' +
    'for what it cannot know; with it, it is kept as it is sent. The `document` of the answer is what ' +
    '`ai/tools/create-pdf-from-html-agent` takes.',
  request: {
    params,
    maxBytes: MAX_BODY_BYTES,
    payload: (joi) => joi.object({ document: documentSchema(joi).description('A document of the caller') }).example({}),
  },
  returns: { description: 'The session', json: sessionSchema },
  errors: modelCodes,
  handle: (request, ctx) =>
    step(request, ctx, async (session, ask) => {
      const { ownDocument, writeDocument } = await import('../functions/create/session-steps.js');
      const own = request.payload['document'] as DocumentModel | undefined;
      return own === undefined
        ? writeDocument(session, ask())
        : { ...session, document: ownDocument(own), style: own.style ?? session.style };
    }),
});

/** Says how the document looks. */
export const templateCreateSession = defineEndpoint({
  ...shared,
  id: 'styleDocumentSession',
  method: 'POST',
  path: `${path}/{sessionId}/template`,
  access,
  summary: 'Choose how a document looks',
  notes: 'No model is asked. null takes away what was chosen.',
  request: {
    params,
    payload: (joi) =>
      joi
        .object({ documentType: typeField(joi), style: styleSchema(joi) })
        .or('documentType', 'style')
        .example({ documentType: 'invoice' }),
  },
  returns: { description: 'The session', json: sessionSchema },
  errors: bodyCodes,
  handle: ({ params: { sessionId }, payload, principal }, ctx) =>
    changed(
      ctx.use(createSessions).change(principal, sessionId ?? '', async (session) => ({
        ...session,
        ...('documentType' in payload ? { documentType: payload['documentType'] as string | null } : {}),
        ...('style' in payload ? { style: payload['style'] as DocumentModel['style'] } : {}),
      })),
    ),
});

/** Fills in what was left open. */
export const fieldsCreateSession = defineEndpoint({
  ...shared,
  id: 'fillDocumentSession',
  method: 'POST',
  path: `${path}/{sessionId}/fields`,
  access: asking,
  summary: 'Fill in the fields of a document',
  notes:
    'The fields of the document are the names in double braces. `values` sets them by name; from `text` the ' +
    "model takes the values it finds. The answer's `document` has the values filled in.",
  request: {
    params,
    maxBytes: MAX_BODY_BYTES,
    payload: (joi) =>
      joi
        .object({
          values: joi
            .object()
            .pattern(joi.string().max(80), joi.string().allow('').max(20_000))
            .max(500)
            .description('Values by name')
            .example({ customer_name: 'Ada Lovelace' }),
          text: joi.string().trim().min(1).max(200_000).description('Text that contains values'),
        })
        .or('values', 'text')
        .example({ values: { customer_name: 'Ada Lovelace' } }),
  },
  returns: { description: 'The session', json: sessionSchema },
  errors: modelCodes,
  handle: (request, ctx) =>
    step(request, ctx, async (session, ask) => {
      const { values = {}, text } = request.payload as {
        readonly values?: Readonly<Record<string, string>>;
        readonly text?: string;
      };
      return (await import('../functions/create/session-steps.js')).fillFields(
        session,
        values,
        text,
        text === undefined ? () => Promise.reject(new Error('nothing is asked')) : ask(),
      );
    }),
});

/** Does a step of a session and answers it. `ask` throws SERVICE_NOT_SET_UP while the model is off. */
function step(
  { params: { sessionId }, principal, signal }: EndpointRequest,
  ctx: EndpointContext,
  work: (session: SessionContent, ask: () => Ask) => Promise<SessionContent>,
): Promise<EndpointAnswer> {
  const model = ctx.use(tokens.languageModel);
  return changed(
    ctx.use(createSessions).change(principal, sessionId ?? '', (session) =>
      work(session, () => {
        refuseUnlessUsable(model, 'createPdf');
        return (question) => model.ask(question, signal, principal);
      }),
    ),
  );
}

async function changed(session: Promise<CreateSession>): Promise<EndpointAnswer> {
  return { json: sessionAnswer(await session) };
}
