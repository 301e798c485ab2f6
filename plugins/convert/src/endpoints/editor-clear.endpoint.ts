import { defineEndpoint } from '@quire/registry';
import { editorSessions } from '../services/editor-sessions.js';
import { jobIdField, ownerOf } from './editor-fields.js';

/** Ends an editing session (`docs/interface/convert.yml`, pdf/text-editor/clear-cache). */
export const editorClear = defineEndpoint({
  id: 'endEditorSession',
  method: 'POST',
  path: 'convert/pdf/text-editor/clear-cache/{jobId}',
  since: '0.2.0',
  summary: 'End an editing session',
  notes:
    "Drops the document. A key that is unknown, or of somebody else's session, is answered alike, and nothing happens.",
  tag: 'convert',
  request: { params: (joi) => joi.object({ jobId: jobIdField(joi) }) },
  returns: { description: 'An empty body', status: 200 },
  errors: ['INPUT_INVALID', 'KEY_INVALID', 'TOKEN_INVALID', 'ACCOUNT_DISABLED', 'OPERATION_DISABLED'],
  handle: async ({ params, principal }, ctx) => {
    await ctx.use(editorSessions).drop(ownerOf(principal), params['jobId'] ?? '');
    return { status: 200 };
  },
});
