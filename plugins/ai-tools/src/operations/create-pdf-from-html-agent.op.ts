import {
  InputError,
  OperationalError,
  type SettingsReader,
  defineOperation,
  jsonField,
  shown,
  tokens,
} from '@quire/registry';
import type { DocumentModel } from '../functions/create/document-model.js';
import { documentSchema } from './document-fields.js';

interface CreatePdfParams {
  /** JSON of a `DocumentModel`. */
  document: string;
  filename: string;
}

/** Lays a structured document out (`docs/interface/ai.yml`, create-pdf-from-html-agent). */
export const createPdfFromHtmlAgent = defineOperation<CreatePdfParams>({
  path: 'ai/tools/create-pdf-from-html-agent',
  name: 'createPdfFromDocument',
  since: '0.2.0',
  summary: 'Lay a structured document out as a PDF',
  title: 'Lay out a document',
  icon: 'layout-template',
  order: 40,
  keywords: ['generate', 'report', 'letter', 'invoice'],
  notes:
    'There is no file part: `document` is JSON with `title`, `subtitle`, `referenceNumber`, `style` ' +
    '(`primaryColor`, `backgroundColor`, `bodyTextColor` as `#RRGGBB`) and `sections`. A section can have ' +
    '`heading`, `body` (paragraphs separated by empty lines), `pairs` (`[[key, value]]`), a table of ' +
    '`columns`, `rows` and `totalRow`, `items`, `signatories` (names, or objects with `name`, `title`, ' +
    '`organisation`, `date`). Its `type` is free text; these have a special layout: `numbered_list`, ' +
    '`checklist`, `note`, `quote`, `two_columns` (of text), `page_break`, `divider`. No model is used; ' +
    'available while `aiEngine.enabled` is on. Tables repeat their header on every page; documents with ' +
    'several pages get page numbers.',
  accepts: [],
  files: 'all',
  returns: { kind: 'pdf', name: 'generated-document', pages: 'any' },
  needs: {
    programs: ['chromium'],
    services: [tokens.htmlToPdf, tokens.settings, tokens.clock],
    settings: ['aiEngine.enabled', 'aiEngine.features.createPdf'],
  },
  limits: { timeoutMs: 60_000 },
  pipeline: false,
  params: (joi) =>
    joi.object<CreatePdfParams, true>({
      document: shown(
        jsonField(joi, documentSchema(joi), { what: 'a JSON object', longest: 2_000_000 })
          .required()
          .description('The document')
          .example('{"title":"Offer","sections":[{"type":"paragraph","body":"Dear reader"}]}'),
        { help: 'Title and sections of the document, as JSON.' },
      ),
      filename: shown(
        joi
          .string()
          .trim()
          .max(255)
          .required()
          .description('Name of the PDF; one that does not end in .pdf becomes generated-document.pdf')
          .example('offer.pdf'),
        { label: 'File name', help: 'Name of the PDF, ending in .pdf.' },
      ),
    }),
  errors: ['NOT_FOUND'],
  examples: [
    {
      title: 'an invoice',
      files: [],
      expect: { pages: [1], names: ['invoice.pdf'] },
      params: {
        filename: 'invoice.pdf',
        document:
          '{"title":"Invoice","referenceNumber":"2026-17","sections":[{"type":"table","columns":["Item",' +
          '"Price"],"rows":[["Paper",12.5],["Ink",7.5]],"totalRow":["Total",20]}]}',
      },
    },
    {
      title: 'another name',
      files: [],
      params: { filename: 'letter', document: '{"sections":[{"body":"Dear reader"}]}' },
      expect: { pages: [1], names: ['generated-document.pdf'] },
    },
    {
      title: 'refuses invalid documents',
      files: [],
      params: { filename: 'x.pdf', document: '[]' },
      expect: { refused: 'INPUT_INVALID' },
    },
    {
      title: 'refuses a colour by name',
      files: [],
      params: { filename: 'x.pdf', document: '{"style":{"primaryColor":"red"}}' },
      expect: { refused: 'INPUT_INVALID' },
    },
  ],
  run: async (_files, { document, filename }, ctx) => {
    refuseWhileOff(ctx.use(tokens.settings));
    const { printDocument } = await import('../functions/create/print-document.js');
    const path = await printDocument(JSON.parse(document) as DocumentModel, {
      folder: await ctx.folder(),
      now: ctx.use(tokens.clock).now(),
      signal: ctx.signal,
      print: (page, output, pageNumbers) => ctx.use(tokens.htmlToPdf).print(page, output, { pageNumbers }, ctx.signal),
    });
    const name = /^(.*[^\s.].*)\.pdf$/is.exec(filename)?.[1];
    return [await ctx.adopt(undefined, path, name === undefined ? {} : { name })];
  },
});

/** The address is not there while the tools are off, and is not set up while its own switch is. */
function refuseWhileOff(settings: SettingsReader): void {
  if (!settings.get<boolean>('aiEngine.enabled')) throw new InputError('NOT_FOUND');
  if (!settings.get<boolean>('aiEngine.features.createPdf'))
    throw new OperationalError('SERVICE_NOT_SET_UP', {
      service: 'createPdf',
      detail: 'aiEngine.features.createPdf is false',
    });
}
