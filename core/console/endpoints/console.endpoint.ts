import { defineEndpoint, InputError, type Endpoint, type EndpointAnswer, type EndpointRequest } from '@quire/registry';
import { acceptedEncodings } from '../../http/request/index.js';
import type { CatalogAnswers } from '../catalog-answers.js';
import { isKnown, type AnswerEncoding, type EncodedAnswer } from '../../http/response/index.js';
import type { ToolTexts } from '../tool-texts.js';
import { consoleCatalogSchema } from './catalog-schema.js';

/** The endpoints that the console needs besides those of every client. */
export function consoleEndpoints(answers: CatalogAnswers, texts: ToolTexts, visited: () => void): Endpoint[] {
  const access = { needsSettings: ['console.enabled'] };
  return [
    defineEndpoint({
      id: 'getConsoleCatalog',
      method: 'GET',
      path: 'console/catalog',
      since: '1.2.0',
      summary: 'Get the tools as people see them',
      notes:
        'Titles, icons, fields with their widgets and conditions, examples, and whether the caller may use each ' +
        'tool now. The answer has an ETag: send it as If-None-Match, and an unchanged catalog is answered by 304.',
      access,
      returns: {
        description: 'Categories and operations',
        json: consoleCatalogSchema,
        also: { 304: { description: 'Not changed' } },
      },
      errors: ['KEY_INVALID', 'FEATURE_OFF'],
      handle: ({ principal, headers }) => {
        visited();
        return answerOnce('catalog.json', headers, (encoding) => answers.answer(principal, encoding));
      },
    }),
    defineEndpoint({
      id: 'getConsoleTexts',
      method: 'GET',
      path: 'console/texts/{language}',
      since: '1.2.0',
      summary: 'Get the texts of the tools in a language',
      notes:
        'Translations by the English text: titles, summaries, keywords, labels, help and values, as the ' +
        'packages of the plugins contain them (`texts/<language>.json`). Texts without a translation are missing. ' +
        'The answer has an ETag, as the catalog has.',
      access,
      request: {
        params: (joi) =>
          joi.object({
            language: joi
              .string()
              .required()
              .pattern(/^[a-z]{2,3}$/, 'two or three lower-case letters')
              .description('Primary language tag (RFC 5646)')
              .example('de'),
          }),
      },
      returns: {
        description: 'Translations by English text',
        json: (joi) => joi.object().pattern(joi.string(), joi.string()),
        also: { 304: { description: 'Not changed' } },
      },
      examples: [{ title: 'German', parameters: { language: 'de' } }],
      errors: ['KEY_INVALID', 'FEATURE_OFF'],
      handle: ({ params: { language = '' }, headers }) =>
        answerOnce('texts.json', headers, (encoding) => texts.answer(language, encoding)),
    }),
    defineEndpoint({
      id: 'getConsoleSample',
      method: 'GET',
      path: 'console/samples/{category}/{name}',
      since: '1.2.0',
      summary: 'Get a file of an example',
      notes: 'Only files that examples of operations use, by the names in the catalog of the console.',
      access,
      request: {
        params: (joi) =>
          joi.object({
            category: joi.string().required().max(100).description('Category of the operation').example('general'),
            name: joi.string().required().max(255).description('Name of the file').example('two-pages.pdf'),
          }),
      },
      returns: { description: 'The file', mediaType: 'application/octet-stream' },
      examples: [{ title: 'a PDF', parameters: { category: 'general', name: 'two-pages.pdf' } }],
      errors: ['KEY_INVALID', 'FEATURE_OFF', 'NOT_FOUND'],
      handle: async ({ params: { category = '', name = '' } }) => {
        const path = await answers.samplePath(category, name);
        if (path === undefined) throw new InputError('NOT_FOUND');
        // Some files are pages or drawings with scripts: a browser must save them and never display them.
        return { file: { name, mediaType: 'application/octet-stream', path } };
      },
    }),
  ];
}

/** Answers with a body in the caller's encoding, or with 304 where the caller has it. */
async function answerOnce(
  name: string,
  headers: EndpointRequest['headers'],
  answer: (encoding: AnswerEncoding) => Promise<EncodedAnswer>,
): Promise<EndpointAnswer> {
  const [encoding = 'identity'] = acceptedEncodings(headers['accept-encoding']);
  const { etag, body } = await answer(encoding);
  const shared = {
    etag,
    'cache-control': 'private, no-cache',
    vary: 'accept-encoding, authorization, x-api-key',
  };
  if (isKnown(headers['if-none-match'], etag)) return { status: 304, headers: shared };
  return {
    file: { name, mediaType: 'application/json', bytes: await body(), disposition: 'inline' },
    headers: encoding === 'identity' ? shared : { ...shared, 'content-encoding': encoding },
  };
}
