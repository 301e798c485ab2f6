import { defineOperation, type ReportFact } from '@quire/registry';
import {
  type ExtractFieldsParams,
  extracted,
  extractionErrors,
  extractionNeeds,
  extractionNotes,
  extractionParams,
  modelEffects,
} from './fields-run.js';

/** Largest JSON in the header; longer values are only named. */
const ROOM = 6000;

/** Extracts typed fields; the PDF passes through (`docs/interface/docparse.yml`, extract-fields). */
export const extractFields = defineOperation<ExtractFieldsParams>({
  path: 'docparse/extract-fields',
  since: '0.2.0',
  summary: 'Extract typed fields into the report header',
  title: 'Extract fields to a report',
  icon: 'file-output',
  order: 20,
  keywords: ['invoice', 'data extraction', 'key value', 'receipt'],
  notes:
    `The PDF is returned unchanged. \`X-Tool-Report\` holds \`values\` by name, \`evidence\` by name (page, ` +
    `source, confidence), \`missing\` required fields and \`model\`; \`evidence\`, then long values, are left ` +
    `out if the header is too small for them (\`cut\`). \`docparse/extract-fields/json\` returns ` +
    `everything.\n\n${extractionNotes}`,
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'same', name: '{base}', unchanged: true, pages: 'same' },
  effects: modelEffects,
  params: extractionParams,
  needs: extractionNeeds,
  limits: { timeoutMs: 600_000 },
  errors: extractionErrors,
  examples: [
    {
      title: 'an invoice',
      files: ['invoice.pdf'],
      params: { fields: '[{"name":"invoiceNumber"},{"name":"dueDate","type":"date"}]' },
      expect: { pages: [2], names: ['invoice.pdf'] },
    },
    {
      title: 'fields that are not a list',
      files: ['invoice.pdf'],
      params: { fields: '{"name":"a"}' },
      expect: { refused: 'INPUT_INVALID' },
    },
    {
      title: 'a damaged file',
      files: ['header-only.pdf'],
      params: { fields: '[{"name":"a"}]' },
      expect: { refused: 'PDF_DAMAGED' },
    },
  ],
  run: async (file, params, ctx) => {
    const {
      fields,
      missing,
      model,
      modelFault,
      truncated,
      pages: _pages,
      ...scanned
    } = await extracted(file, params, ctx);
    const found = fields.filter((field) => field.found);
    const values = found.map(({ name, value }) => [name, value] as const);
    const evidence = found.map(({ name, page, source, confidence }) => [name, { page, source, confidence }] as const);
    const facts = {
      missing,
      model,
      ...scanned,
      ...(modelFault === undefined ? {} : { modelFault }),
      ...(truncated === undefined ? {} : { truncated }),
    };
    const length = (facts: object): number => JSON.stringify(facts).replace(/[^\x20-\x7e]/g, '\\u0000').length;
    let report: object = { values: Object.fromEntries(values), evidence: Object.fromEntries(evidence), ...facts };
    if (length(report) > ROOM) report = { values: Object.fromEntries(values), ...facts, cut: true };
    if (length(report) > ROOM)
      report = {
        values: Object.fromEntries(values.filter(([, value]) => JSON.stringify(value).length <= 40)),
        ...facts,
        cut: true,
      };
    ctx.report(
      (length(report) > ROOM ? { found: found.length, model, cut: true } : report) as Readonly<
        Record<string, ReportFact>
      >,
    );
    return [ctx.keep(file)];
  },
});
