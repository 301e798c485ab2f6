import { defineEndpoint, type JoiRoot } from '@quire/registry';
import { orchestrateCall, orchestrateFields } from './orchestrate-call.js';

/** Carries out what a user asks for in words (`contract/ai.yml`, orchestrate). */
export const orchestrate = defineEndpoint({
  id: 'orchestrate',
  method: 'POST',
  path: 'ai/orchestrate',
  since: '0.2.0',
  summary: 'Answer a question about documents, or do what is asked',
  notes:
    'Send PDFs as `fileInputs[0].fileInput` and on. A question is answered from their text; every passage in `evidence` was found on the page that it names. What is to be done is planned by the model as steps, which are checked like a ' +
    'pipeline, run, and answered with files for `GET /api/v1/general/files/{fileId}`. Steps that talk to other machines are never planned. Outcomes: `answer`, `not_found`, `completed`, `need_clarification`, `cannot_do`, `cannot_continue`, `unsupported_capability`.',
  tag: 'ai',
  access: { cost: 1 },
  request: { payloadType: 'multipart', payload: orchestrateFields },
  returns: { description: 'What came of it', json: outcomeSchema },
  errors: ['INPUT_INVALID', 'INPUT_KIND', 'INPUT_TOO_LARGE', 'INPUT_FILE_EMPTY', 'INPUT_FILE_COUNT', 'INPUT_MEDIA_TYPE', 'INPUT_TEXT_TOO_LONG', 'PDF_DAMAGED', 'PDF_ENCRYPTED', 'PDF_NO_PAGES', 'KEY_INVALID', 'SERVICE_NOT_SET_UP', 'REMOTE_ANSWER', 'REMOTE_TIMEOUT', 'QUEUE_FULL', 'TIMEOUT'],
  handle: async (request, ctx) => ({ json: await orchestrateCall(request, ctx).run(() => undefined, request.signal) }),
});

function outcomeSchema(joi: JoiRoot) {
  const text = joi.string().allow(null, '').required();
  const file = joi.object({ fileId: joi.string().required(), fileName: joi.string().required(), contentType: joi.string().required(), sourceIndex: joi.number().integer().allow(null).required() });
  return joi.object({
    outcome: joi.string().required().valid('answer', 'not_found', 'need_clarification', 'cannot_do', 'completed', 'unsupported_capability', 'cannot_continue'),
    answer: text, content: text, filename: text, summary: text, rationale: text, reason: text, question: text, capability: text, message: text,
    evidence: joi.array().required().items(joi.object({ pageNumber: joi.number().integer().required(), text: joi.string().required(), fileName: joi.string() })),
    steps: joi.array().required().items(joi.object({ operation: joi.string().required(), parameters: joi.object().required() })), tool: text, parameters: joi.object().allow(null).required(), fileId: text, fileName: text, contentType: text,
    resultFiles: joi.array().required().items(file), files: joi.array().required(), filesToIngest: joi.array().required(), maxPages: joi.number().integer().allow(null).required(), maxCharacters: joi.number().integer().allow(null).required(),
    resumeWith: text, report: joi.any(), errorCode: text, errorSubscribed: joi.boolean().allow(null).required(),
  }).label('OrchestrateAnswer');
}
