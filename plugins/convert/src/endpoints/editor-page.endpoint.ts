import { defineEndpoint, type EndpointContext, type EndpointRequest, tokens, type WorkerTask } from '@quire/registry';
import { editorSessions } from '../services/editor-sessions.js';
import { tellPage, tellPageFonts } from '../tasks/editor-tasks.js';
import { fontSchema, pageSchema } from './editor-answers.js';
import { fileOnce, jobIdField, ownerOf, pageNumberField, sessionCodes } from './editor-fields.js';

/** Returns one page of an editing session (`docs/interface/convert.yml`, pdf/text-editor/page). */
export const editorPage = defineEndpoint({
  id: 'getEditorPage',
  method: 'GET',
  path: 'convert/pdf/text-editor/page/{jobId}/{pageNumber}',
  since: '0.2.0',
  summary: 'Get one page of an editing session',
  notes: 'As `pages[]` of `convert/pdf/text-editor`, images inside; resources and content streams are left out.',
  tag: 'convert',
  request: { params: (joi) => joi.object({ jobId: jobIdField(joi), pageNumber: pageNumberField(joi) }) },
  returns: {
    description: 'The page: pageNumber, width, height, rotation, textElements[], imageElements[], annotations[]',
    json: pageSchema,
  },
  errors: sessionCodes,
  handle: (request, ctx) => pageFile(request, ctx, tellPage, 'page'),
});

/** Returns the fonts of one page (`docs/interface/convert.yml`, pdf/text-editor/fonts). */
export const editorFonts = defineEndpoint({
  id: 'getEditorFonts',
  method: 'GET',
  path: 'convert/pdf/text-editor/fonts/{jobId}/{pageNumber}',
  since: '0.2.0',
  summary: 'Get the fonts of one page of an editing session',
  notes: 'As `fonts[]` of `convert/pdf/text-editor`, programs included, by `uid`: those in which the page has text.',
  tag: 'convert',
  request: { params: (joi) => joi.object({ jobId: jobIdField(joi), pageNumber: pageNumberField(joi) }) },
  returns: {
    description: 'The fonts; an empty list when the page has none',
    json: (joi) => joi.array().items(fontSchema(joi)),
  },
  errors: sessionCodes,
  handle: (request, ctx) => pageFile(request, ctx, tellPageFonts, 'page_fonts'),
});

async function pageFile(
  { params, principal, signal }: EndpointRequest,
  ctx: EndpointContext,
  task: WorkerTask<{ readonly path: string; readonly pageNumber: number; readonly target: string }, null>,
  name: string,
) {
  const pageNumber = Number(params['pageNumber']);
  const sessions = ctx.use(editorSessions);
  const target = await sessions.use(ownerOf(principal), params['jobId'] ?? '', 'together', async (session) => {
    const path = session.scratch();
    await ctx.use(tokens.workerTasks).run(task, { path: session.path, pageNumber, target: path }, signal);
    return path;
  });
  return fileOnce(sessions, `${name}_${pageNumber}.json`, 'application/json', target);
}
