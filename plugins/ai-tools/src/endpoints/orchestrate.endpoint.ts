import { defineEndpoint, type JoiRoot } from '@quire/registry';
import { outcomeNames } from '../functions/orchestrate/outcome.js';
import { orchestrateCall, orchestrateFields } from './orchestrate-call.js';

/** Carries out what a user asks for in words (`docs/interface/ai.yml`, orchestrate). */
export const orchestrate = defineEndpoint({
  id: 'orchestrate',
  method: 'POST',
  path: 'ai/orchestrate',
  since: '0.2.0',
  summary: 'Answer a question about documents, or do what is asked',
  notes: [
    'Send PDFs as `fileInputs[0].fileInput` and on. A question is answered from their text; every passage in ' +
      '`evidence` was found on the page that it names. What is to be done is planned by the model as steps, ' +
      'which are checked like a pipeline, run, and answered with files for `GET /api/v1/general/files/{fileId}`. ' +
      'Steps that talk to other machines are never planned. A text that is asked for comes back as `draft`. A ' +
      'question without documents is answered from those that the caller had ingested.',
    'Some outcomes ask the client for something, and name in `resumeWith` the address to which it, or the same ' +
      'request with it, is sent: `need_clarification` for words (`question`); `need_content` for documents, or ' +
      'for the text of the pages in `files`; `need_ingest` for the documents in `filesToIngest` to be indexed, ' +
      'as all of them together are too long for one question; `tool_call` for a document for `tool` and ' +
      '`parameters`; `plan` for documents to run `steps` over; `generate_file` for `tool` to be called with ' +
      '`parameters`, which makes the file `filename`. Ids of files there are the SHA-256 of their bytes, as ' +
      '`docparse/ingest` names them.',
  ].join('\n\n'),
  tag: 'ai',
  access: { cost: 1 },
  request: { payloadType: 'multipart', payload: orchestrateFields },
  returns: { description: 'The outcome', json: outcomeSchema },
  errors: [
    'INPUT_INVALID',
    'INPUT_KIND',
    'INPUT_TOO_LARGE',
    'INPUT_FILE_EMPTY',
    'INPUT_FILE_COUNT',
    'INPUT_MEDIA_TYPE',
    'INPUT_TEXT_TOO_LONG',
    'PDF_DAMAGED',
    'PDF_ENCRYPTED',
    'PDF_NO_PAGES',
    'KEY_INVALID',
    'SERVICE_NOT_SET_UP',
    'REMOTE_ANSWER',
    'REMOTE_TIMEOUT',
    'QUEUE_FULL',
    'TIMEOUT',
  ],
  handle: async (request, ctx) => ({ json: await orchestrateCall(request, ctx).run(() => undefined, request.signal) }),
});

/** The answer, which is also the data of the event `result` of the stream. */
export function outcomeSchema(joi: JoiRoot) {
  const text = joi.string().allow(null, '').required();
  const file = joi.object({
    fileId: joi.string().required(),
    fileName: joi.string().required(),
    contentType: joi.string().required(),
    sourceIndex: joi.number().integer().allow(null).required(),
  });
  const named = joi.object({ id: joi.string(), name: joi.string() });
  return joi
    .object({
      outcome: joi
        .string()
        .required()
        .valid(...outcomeNames),
      answer: text,
      content: text,
      filename: text,
      summary: text,
      rationale: text,
      reason: text,
      question: text,
      capability: text,
      message: text,
      evidence: joi
        .array()
        .required()
        .items(
          joi.object({
            pageNumber: joi.number().integer().required(),
            text: joi.string().required(),
            fileName: joi.string(),
          }),
        ),
      steps: joi
        .array()
        .required()
        .items(joi.object({ operation: joi.string().required(), parameters: joi.object().required() })),
      tool: text,
      parameters: joi.object().allow(null).required().description('Fields of the tool'),
      fileId: text,
      fileName: text,
      contentType: text,
      resultFiles: joi.array().required().items(file),
      files: joi
        .array()
        .required()
        .items(
          joi.object({
            file: named,
            pageNumbers: joi.array().items(joi.number().integer()),
            contentTypes: joi.array().items(joi.string()),
          }),
        ),
      filesToIngest: joi.array().required().items(named),
      maxPages: joi.number().integer().allow(null).required(),
      maxCharacters: joi.number().integer().allow(null).required(),
      resumeWith: text,
      report: joi.any().description('Of a partial reading `{"pagesRead": n}`; of an engine whatever it says'),
      errorCode: text,
      errorSubscribed: joi.boolean().allow(null).required(),
    })
    .label('OrchestrateAnswer');
}
