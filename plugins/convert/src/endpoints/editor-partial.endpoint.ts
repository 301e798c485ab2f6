import { defineEndpoint, tokens } from '@quire/registry';
import { resultName } from '../functions/editor/result-name.js';
import { editorSessions } from '../services/editor-sessions.js';
import { putPages } from '../tasks/editor-tasks.js';
import { fileOnce, jobIdField, ownerOf, sessionCodes } from './editor-fields.js';

/** Enough for many pages with their pictures. */
const MAX_BODY_BYTES = 256 * 1024 * 1024;

/** Puts edited pages into the document of a session (`docs/interface/convert.yml`, pdf/text-editor/partial). */
export const editorPartial = defineEndpoint({
  id: 'applyEditorPages',
  method: 'POST',
  path: 'convert/pdf/text-editor/partial/{jobId}',
  since: '0.2.0',
  summary: 'Put edited pages into the PDF of an editing session',
  notes:
    'The body holds the pages that changed, and fonts where new ones are used. Pages without `pageNumber` and ' +
    'pages beyond the document are skipped; without pages the document is returned unchanged. The session ' +
    'continues with the result, so edits add up; calls on one session run one after another. A missing list ' +
    'leaves the elements of a page unchanged; an empty one removes them. The document is rewritten: nothing of ' +
    'what was removed stays in it.',
  tag: 'convert',
  request: {
    params: (joi) => joi.object({ jobId: jobIdField(joi) }),
    query: (joi) =>
      joi.object({
        filename: joi
          .string()
          .max(1000)
          .allow('')
          .description("Base of the result's name; default: the title in the body or the document"),
      }),
    payload: (joi) =>
      joi
        .object({
          pages: joi.array().items(joi.object()).description('As `pages[]` of `convert/pdf/text-editor`'),
          fonts: joi.array().items(joi.object()).description('As `fonts[]` there'),
          metadata: joi.object().description('As there'),
        })
        .unknown(true)
        .example({ pages: [] }),
    maxBytes: MAX_BODY_BYTES,
    asFile: true,
  },
  returns: { description: 'The PDF with all edits so far', mediaType: 'application/pdf' },
  errors: [
    ...sessionCodes,
    'INPUT_MALFORMED',
    'INPUT_MEDIA_TYPE',
    'INPUT_TOO_LARGE',
    'INPUT_TOO_SLOW',
    'IMAGE_UNREADABLE',
    'IMAGE_TOO_LARGE',
  ],
  handle: async ({ params, query, files, principal, signal }, ctx) => {
    const edits = files['body']?.[0]?.path() ?? '';
    const sessions = ctx.use(editorSessions);
    const { answer, title } = await sessions.use(
      ownerOf(principal),
      params['jobId'] ?? '',
      'alone',
      async (session) => {
        const target = session.scratch();
        const { changed, title: own } = await ctx.use(tokens.workerTasks).run(
          putPages,
          {
            path: session.path,
            edits: { path: edits },
            target,
            modified: ctx.use(tokens.clock).now().getTime(),
            ownFont: ctx.use(tokens.settings).get<string>('pdfEditor.fallback-font'),
          },
          signal,
        );
        if (changed) await session.replace(target);
        return { answer: await session.copy(), title: own };
      },
    );
    return fileOnce(sessions, resultName(query['filename'], title), 'application/pdf', answer);
  },
});
