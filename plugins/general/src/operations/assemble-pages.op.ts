import { defineOperation, InputError, type JoiRoot, jsonField, shown, tokens } from '@quire/registry';
import type { AssembledPage } from '../functions/pages/assemble-pages.js';

interface AssemblePagesParams {
  pages: string;
}

/** Most pages that can be listed; `limits.maxPages` may allow fewer. */
const MAX_LISTED = 50_000;
/** Points: the smallest and the largest page (ISO 32000-1, annex C). */
const MIN_SIDE = 3;
const MAX_SIDE = 14_400;

const listed = (pages: string): AssembledPage[] => JSON.parse(pages) as AssembledPage[];

function tooMany(found: number, allowed: number): InputError {
  const detail = `lists ${found} pages; at most ${allowed} are allowed`;
  return new InputError('INPUT_INVALID', { detail: `"pages" ${detail}` }, [{ pointer: '/pages', detail }]);
}

function pageSchema(joi: JoiRoot) {
  const side = joi.number().min(MIN_SIDE).max(MAX_SIDE);
  const placed = joi.object({
    file: joi.number().integer().min(1).max(10_000),
    page: joi.number().integer().min(1).max(1_000_000).required(),
    rotate: joi.number().integer().multiple(90),
  });
  const blank = joi.object({ blank: joi.boolean().valid(true).required(), width: side, height: side });
  return joi.alternatives().conditional(joi.object({ blank: joi.any().required() }).unknown(), {
    then: blank,
    otherwise: placed,
  });
}

/** Puts a document together from pages of one or several files. */
export const assemblePages = defineOperation<AssemblePagesParams>({
  path: 'general/assemble-pages',
  since: '0.3.0',
  summary: 'Put a document together from pages of several files',
  title: 'Assemble pages',
  icon: 'layers',
  order: 35,
  keywords: ['organize', 'organise', 'reorder', 'insert pages', 'blank page', 'combine', 'rotate single pages'],
  notes:
    '`pages` lists the pages of the result in order. `{"file": 2, "page": 5, "rotate": 90}` is the fifth page of ' +
    'the second file, turned clockwise by 90 degrees in addition to its own rotation; `file` is 1 and `rotate` is ' +
    '0 when absent. `{"blank": true, "width": 595, "height": 842}` is an empty page with its size in points, A4 ' +
    'when absent. A page may be listed several times; every copy is a page of its own with its own annotations, ' +
    'while a form field on it remains one field with one value.\n\n' +
    'Bookmarks, links, named destinations, form fields, page labels, layers, tags and attachments are kept as in ' +
    '`general/merge-pdfs` and `general/rearrange-pages`: pages that are not listed are removed with everything ' +
    'that only they used, and a file of which no page is listed is ignored. Pages of several files lose their ' +
    'signature fields, whose appearance stays.',
  accepts: ['pdf'],
  files: 'all',
  returns: {
    kind: 'pdf',
    name: '{base}_assembled',
    pages: (_inputPages, { pages }: AssemblePagesParams) => listed(pages).length,
  },
  writes: 'assemble',
  params: (joi) =>
    joi.object<AssemblePagesParams, true>({
      pages: shown(
        jsonField(joi, joi.array().items(pageSchema(joi)).min(1).max(MAX_LISTED), {
          what: 'a JSON array',
          longest: 5_000_000,
        })
          .required()
          .description('JSON array of the pages in order: file, page and rotate, or blank, width and height')
          .example('[{"page":2},{"blank":true},{"page":1,"rotate":90}]'),
        { label: 'Pages', help: 'The pages in order: file, page and rotate, or blank, width and height.' },
      ),
    }),
  needs: { services: [tokens.clock, tokens.settings] },
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'pages of two files, one rotated, with a blank page between them',
      files: ['handbook.pdf', 'two-pages.pdf'],
      params: { pages: '[{"page":4},{"blank":true},{"file":2,"page":1,"rotate":90},{"page":2}]' },
      expect: { pages: [4], names: ['handbook_assembled.pdf'] },
    },
    {
      title: 'one page three times',
      files: ['handbook.pdf'],
      params: { pages: '[{"page":2},{"page":2},{"page":2,"rotate":-90}]' },
      expect: { pages: [3] },
    },
    {
      title: 'a page that the file does not have',
      files: ['two-pages.pdf'],
      params: { pages: '[{"page":3}]' },
      expect: { refused: 'INPUT_INVALID' },
    },
    {
      title: 'blank pages only',
      files: ['two-pages.pdf'],
      params: { pages: '[{"blank":true}]' },
      expect: { refused: 'INPUT_INVALID' },
    },
  ],
  run: async (files, { pages }, ctx) => {
    const { assemblePages: assemble } = await import('../functions/pages/assemble-pages.js');
    const list = listed(pages);
    const maxPages = Number(ctx.use(tokens.settings).get('limits.maxPages') ?? MAX_LISTED);
    if (list.length > maxPages) throw tooMany(list.length, maxPages);
    const folder = await ctx.folder();
    const target = `${folder}/assembled.pdf`;
    const first = await assemble(
      files.map((file) => ({ name: file.name, path: file.path() })),
      list,
      target,
      {
        temporary: (name) => `${folder}/${name}`,
        modified: ctx.use(tokens.clock).now(),
        onProgress: (done, total) => ctx.progress(done, total),
      },
    );
    return [await ctx.adopt(files[first], target)];
  },
});
