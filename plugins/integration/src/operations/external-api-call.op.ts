import { booleanField, defineOperation, integerField, tokens, type JoiRoot, shown } from '@quire/registry';
import { jsonPathFault } from '../functions/json-path.js';
import { isDeeper, MOST_LEVELS } from '../functions/json-depth.js';
import { headerNameFault } from '../functions/header-rules.js';
import { apiCalls } from '../services/api-calls.js';
import { connections } from '../services/connections.js';
import type { AnswerParams } from '../services/external-answer.js';
import type { SendParams } from '../services/external-call.js';
import type { ApiConfig } from '../functions/connection-types.js';

interface ExternalApiCallParams extends SendParams, AnswerParams {
  connectionId: number;
}

/** Sends a file to another service (`docs/interface/integration.yml`, external-api-call). */
export const externalApiCall = defineOperation<ExternalApiCallParams>({
  path: 'integration/external-api-call',
  name: 'callExternalApi',
  since: '0.2.0',
  summary: 'Send a file to a saved API connection',
  title: 'Send to an API',
  icon: 'webhook',
  order: 10,
  keywords: ['webhook', 'http request', 'rest', 'connector'],
  notes: [
    'In `report` mode the file is returned unchanged, and `X-Tool-Report` contains `status`, `contentType` ' +
      'and, for JSON, the `body` (`bodyTruncated`: the beginning of a long one as text; `bodyParseError`: the ' +
      'text of invalid JSON), otherwise `bodyBytes`. In `replace` mode the answer replaces the file: the answer ' +
      'itself, the content of the result URL in its header or JSON, or the file of a zip that `responseSelect` ' +
      'names.',
    'Placeholders in `path` (percent-encoded), `fields`, `headers` and `bodyTemplate`: ' +
      '`{{document.filename}}`, and of `document` also safeFilename, extension, contentType, ' +
      'resolvedContentType, sizeBytes, sha256, base64, pageCount, encrypted, title, author, subject, keywords, ' +
      'creator, producer, created, modified; `{{classification.…}}`; labelId, name, siteId, method, protected of ' +
      '`sensitivityLabel`; policyName, runId, timestamp of `run`. What a document does not say is empty; a name ' +
      'that is not known is refused. With `bodyTemplate`, `fields` and `bodyMode` have no effect.',
    'Redirects are not followed, and an answer has at most 64 MiB. A service that cannot be reached, is too ' +
      'slow, or answers anything else than success or something of no use is 502 or 504. Loopback and private ' +
      'addresses are called only with `policies.allowPrivateApiEndpoints`, metadata services of clouds never.',
  ].join('\n\n'),
  accepts: ['any'],
  // Sent as it is: a locked or damaged file can be sent as well.
  input: 'raw',
  files: 'each',
  returns: { kind: 'any', name: '{base}' },
  effects: ['needsNetwork', 'nondeterministic'],
  params: (joi) =>
    joi.object<ExternalApiCallParams, true>({
      connectionId: shown(integerField(joi, 'Number of an API connection').min(1).required().example(1), {
        label: 'Connection',
      }),
      path: shown(
        joi
          .string()
          .allow('')
          .max(4000)
          .default('')
          .description("Path below the connection's address; may carry a query")
          .example('documents/{{document.safeFilename}}'),
        { help: "Below the connection's address; may include a query." },
      ),
      method: shown(
        joi
          .string()
          .insensitive()
          .uppercase()
          .empty('')
          .valid('POST', 'PUT', 'PATCH')
          .default('POST')
          .description('Method of the call'),
        { help: '' },
      ),
      bodyMode: shown(
        joi
          .string()
          .insensitive()
          .lowercase()
          .empty('')
          .valid('multipart', 'json', 'binary')
          .default('multipart')
          .description('How the file is sent: as a form, in base64 within JSON, or as the body itself'),
        {
          label: 'Send the file as',
          help: '',
          options: { multipart: 'A form', json: 'Base64 in JSON', binary: 'The body itself' },
        },
      ),
      fileFieldName: shown(
        joi.string().empty('').max(200).default('file').description('Name of the file in the form (multipart)'),
        { label: 'Field of the file', help: 'Name of the file in the form.', when: { bodyMode: 'multipart' } },
      ),
      responseMode: shown(
        joi
          .string()
          .insensitive()
          .lowercase()
          .empty('')
          .valid('report', 'replace')
          .default('report')
          .description('How the answer is used'),
        { label: 'Use the answer', help: '', options: { report: 'For the report', replace: 'As the new file' } },
      ),
      resultUrlPath: shown(dotted(joi, 'Place of the result URL in the JSON answer').example('result.url'), {
        label: 'Member with the result URL',
        help: 'Place of the result URL in the JSON answer, such as result.url.',
        when: { responseMode: 'replace' },
        advanced: true,
      }),
      resultUrlHeader: shown(
        joi
          .string()
          .empty('')
          .custom((value: string, helpers) =>
            headerNameFault(value, true) === undefined ? value : helpers.error('any.invalid'),
          )
          .messages({ 'any.invalid': '{#label} is not a header name' })
          .description('Header of the answer that holds the result URL; wins over resultUrlPath')
          .example('Location'),
        {
          label: 'Header with the result URL',
          help: 'Takes precedence over the member.',
          when: { responseMode: 'replace' },
          advanced: true,
        },
      ),
      responseSelect: shown(
        joi
          .string()
          .empty('')
          .max(500)
          .description('Which file of an answered zip is the result: a pattern (*.pdf), or its place from 0 on')
          .example('*.pdf'),
        {
          label: 'File of a zip',
          help: 'Which file of a zip is the result: a pattern such as *.pdf, or its position, starting at 0.',
          when: { responseMode: 'replace' },
          advanced: true,
        },
      ),
      requireTrue: shown(dotted(joi, 'Place in the JSON answer where true must stand').example('verdict.ok'), {
        label: 'Member that must be true',
        help: 'Place in the JSON answer.',
        advanced: true,
      }),
      fields: shown(
        shallow(joi)
          .empty('')
          .default({})
          .description('JSON object of further form fields or JSON members')
          .example({ folder: 'in' }),
        { label: 'Further fields', help: 'Form fields, or members of the JSON.', advanced: true },
      ),
      bodyTemplate: shown(
        joi
          .string()
          .empty('')
          .max(1_000_000)
          .description('JSON with placeholders that is the whole body')
          .example('{"name": "{{document.filename}}", "data": "{{document.base64}}"}'),
        { label: 'Template of the whole body', help: 'JSON with placeholders.', widget: 'multiline', advanced: true },
      ),
      headers: shown(
        shallow(joi)
          .empty('')
          .default({})
          .description('JSON object of further headers')
          .example({ 'X-Source': 'quire' }),
        { label: 'Further headers', help: '', advanced: true },
      ),
      includeContext: shown(booleanField(joi, 'Sends what is known of the document along'), {
        label: 'Send facts about the document',
        help: '',
        advanced: true,
      }),
      includeFile: shown(booleanField(joi, 'Sends the file', true), {
        label: 'Send the file',
        help: '',
        advanced: true,
      }),
    }),
  needs: { services: [connections, apiCalls, tokens.workerTasks, tokens.clock] },
  runsIn: 'host',
  // Two exchanges and a login of ten minutes each, and what goes before and after.
  limits: { timeoutMs: 1_900_000 },
  errors: ['CONNECTION_UNUSABLE', 'ADDRESS_REFUSED'],
  examples: [
    {
      title: 'reported',
      files: ['labelled.pdf'],
      params: { connectionId: 1, path: 'inbox', fields: { title: '{{document.title}}' } as never },
      expect: { pages: [1], names: ['labelled.pdf'] },
    },
    {
      title: 'a connection that is not there',
      files: ['labelled.pdf'],
      params: { connectionId: 4711 },
      expect: { refused: 'CONNECTION_UNUSABLE' },
    },
    {
      title: 'an unknown mode',
      files: ['labelled.pdf'],
      params: { connectionId: 1, bodyMode: 'xml' as never },
      expect: { refused: 'INPUT_INVALID' },
    },
  ],
  run: async (file, { connectionId, ...params }, ctx) => {
    const [{ callerOf }, { sendDocument }, { takeAnswer }] = await Promise.all([
      import('../services/caller.js'),
      import('../services/external-call.js'),
      import('../services/external-answer.js'),
    ]);
    const connection = await ctx.use(connections).use<ApiConfig>(callerOf(ctx), connectionId, 'API');
    return [await takeAnswer(connection, await sendDocument(connection, file, params, ctx), file, params, ctx)];
  },
});

function shallow(joi: JoiRoot) {
  return joi
    .object<Record<string, never>>()
    .unknown(true)
    .custom((value: Record<string, never>, helpers) => (isDeeper(value) ? helpers.error('any.invalid') : value))
    .messages({ 'any.invalid': `{#label} has more than ${MOST_LEVELS} levels` });
}

function dotted(joi: JoiRoot, description: string) {
  return joi
    .string()
    .empty('')
    .custom((value: string, helpers) => (jsonPathFault(value) === undefined ? value : helpers.error('any.invalid')))
    .messages({ 'any.invalid': '{#label} is not a dotted path (result.files.0.url)' })
    .description(description);
}
