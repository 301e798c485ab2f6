import { defineEndpoint, InputError, tokens } from '@quire/registry';
import { editorSessions } from '../services/editor-sessions.js';
import { openEditor } from '../tasks/editor-tasks.js';
import { fontSchema, metadataSchema } from './editor-answers.js';
import { fileOnce, ownerOf, sessionCodes } from './editor-fields.js';

/** Begins an editing session (`docs/interface/convert.yml`, pdf/text-editor/metadata). */
export const editorMetadata = defineEndpoint({
  id: 'openEditorSession',
  method: 'POST',
  path: 'convert/pdf/text-editor/metadata',
  since: '0.2.0',
  summary: 'Open an editing session for a PDF',
  notes:
    'The header `X-Job-Id` is the key of the session. The document is kept for its owner for 30 minutes after ' +
    'its last use, also across restarts of the server. A user may have 20 sessions and the server 200, with 10 ' +
    'GiB in total; the least recently used one is removed for a new one.',
  tag: 'convert',
  request: {
    payloadType: 'multipart',
    files: [{ field: 'fileInput', description: 'The PDF', kinds: ['pdf'], requiredWhen: 'always' }],
    fileIdFor: 'fileInput',
  },
  examples: [{ title: 'a page with text', files: { fileInput: ['editor-sample.pdf'] } }],
  returns: {
    links: ['getEditorPage', 'getEditorFonts', 'applyEditorPages', 'endEditorSession'].map((to) => ({
      to,
      parameters: { jobId: '$response.header.x-job-id' },
    })),
    description:
      'Facts about the document: metadata, xmpMetadata, lazyImages (true), fonts[] without programs, ' +
      'pageDimensions[] {pageNumber, width, height, rotation}',
    json: (joi) =>
      joi
        .object({
          metadata: metadataSchema(joi),
          xmpMetadata: joi.string().description('base64'),
          lazyImages: joi.boolean().valid(true).required(),
          fonts: joi.array().items(fontSchema(joi)),
          pageDimensions: joi
            .array()
            .items(
              joi.object({
                pageNumber: joi.number().integer(),
                width: joi.number(),
                height: joi.number(),
                rotation: joi.number().integer().description('Left out when 0'),
              }),
            )
            .required(),
        })
        .unknown(true),
  },
  errors: [
    ...sessionCodes.filter((code) => code !== 'EDIT_SESSION_GONE'),
    'INPUT_FILE_MISSING',
    'INPUT_FILE_EMPTY',
    'INPUT_FILE_UNKNOWN',
    'INPUT_TOO_LARGE',
    'INPUT_TOO_MANY_PAGES',
    'PDF_ENCRYPTED',
    'PDF_ENCRYPTION_UNSUPPORTED',
    'PDF_NO_PAGES',
    'PDF_SIGNED',
  ],
  handle: async ({ files, principal, signal }, ctx) => {
    const [file] = files['fileInput'] ?? [];
    if (file === undefined || file.size === 0)
      throw new InputError(file === undefined ? 'INPUT_FILE_MISSING' : 'INPUT_FILE_EMPTY', { field: 'fileInput' });
    const sessions = ctx.use(editorSessions);
    const owner = ownerOf(principal);
    const session = await sessions.create(owner, { path: file.path(), size: file.size });
    const target = session.scratch();
    try {
      const { signed } = await ctx
        .use(tokens.workerTasks)
        .run(
          openEditor,
          { path: session.path, target, maxPages: ctx.use(tokens.settings).get<number>('limits.maxPages') },
          signal,
        );
      if (signed && ctx.use(tokens.settings).get('policy.signedInput') === 'refuse')
        throw new InputError('PDF_SIGNED', {
          field: 'fileInput',
          operation: 'editing',
          reason: 'the edited document is rewritten',
        });
    } catch (error) {
      await sessions.drop(owner, session.jobId);
      throw error;
    }
    return {
      ...fileOnce(sessions, 'metadata.json', 'application/json', target, 'inline'),
      headers: { 'x-job-id': session.jobId },
    };
  },
});
