import { readFileSync } from 'node:fs';
import { editBytes, openPdf, type OpenedPdf } from '@quire/document/file/open';
import { walkPages } from '@quire/document/structure/pages';
import { withDocument } from '@quire/document/engines/pdfium';
import { expect } from 'chai';
import { type RichFile, richFiles } from '../../../document/test/checks/choose.js';
import { graphOf } from '../../../document/test/checks/graph.js';
import { type Portrait, portraitOf } from '../../../document/test/checks/portrait.js';
import { isNightly } from '../../../test/suites/nightly.js';
import { corpus, hasProgram, runOn } from '../../../document/test/support.js';
import { cropPages } from '../src/functions/pages/crop-pages.js';
import { cutPages } from '../src/functions/pages/cut-pages.js';
import { scalePages } from '../src/functions/pages/scale-pages.js';

const SAMPLE = isNightly ? 24 : 8;
/** Entries that are not bound to a place on a page. */
const PLACELESS = [
  'needsAppearances',
  'attachments',
  'layers',
  'elements',
  'scripts',
  'associated',
  'threads',
] as const;

async function portraitOfBytes(bytes: Uint8Array): Promise<{ portrait: Portrait; dangling: readonly string[] }> {
  const {
    document: { context },
  } = await openPdf(bytes);
  return { portrait: portraitOf(context, walkPages(context)), dangling: graphOf(context).dangling };
}

/** Returns the text of all pages as sorted words, ignoring hyphens at line ends and order. */
async function wordsOf(bytes: Uint8Array): Promise<string> {
  return withDocument(bytes, {}, (document) =>
    Array.from({ length: document.pageCount }, (_unused, i) => document.pageText(i).replaceAll(/\s/g, ''))
      .map((text) => [...text].sort().join(''))
      .join('\n'),
  );
}

describe(
  corpus === undefined
    ? 'scaled, cropped and cut pages of real files (skipped: no ../shared/corpus)'
    : 'scaled, cropped and cut pages of real files',
  function () {
    this.timeout(60_000);
    let files: RichFile[];
    before(function () {
      if (corpus === undefined) return this.skip();
      files = richFiles(corpus, SAMPLE);
    });

    /** Changes every file and returns the faults of the results, one line each. */
    async function faultsOf(
      edit: (opened: OpenedPdf) => void | Promise<void>,
      check: (before: Portrait, after: Portrait, report: (fault: string) => void) => void,
      sameText: boolean,
    ): Promise<string[]> {
      const faults: string[] = [];
      for (const { file, path } of files) {
        const input = new Uint8Array(readFileSync(path));
        const { portrait: before } = await portraitOfBytes(input);
        const output = await editBytes(input, { mode: 'rewrite' }, edit);
        const { portrait: after, dangling } = await portraitOfBytes(output);
        const report = (fault: string): void => void faults.push(`${file}: ${fault}`);
        for (const key of PLACELESS)
          if (JSON.stringify(before[key]) !== JSON.stringify(after[key]))
            report(
              `${key}: ${JSON.stringify(before[key]).slice(0, 80)} became ${JSON.stringify(after[key]).slice(0, 80)}`,
            );
        if (
          JSON.stringify(before.outlines.map(([depth, title]) => [depth, title])) !==
          JSON.stringify(after.outlines.map(([depth, title]) => [depth, title]))
        )
          report('bookmarks');
        if (dangling.length > 0) report(`dangling ${dangling.slice(0, 3).join()}`);
        if (sameText && (await wordsOf(input)) !== (await wordsOf(output))) report('text');
        if (
          hasProgram('qpdf') &&
          runOn(output, 'qpdf', ['--check', 'DIR/in.pdf']).code !== 0 &&
          runOn(input, 'qpdf', ['--check', 'DIR/in.pdf']).code === 0
        )
          report('qpdf complains');
        check(before, after, report);
      }
      return faults;
    }

    const alike = (before: Portrait, after: Portrait, report: (fault: string) => void): void => {
      for (const key of ['pages', 'labels', 'outlines', 'fields', 'tagged'] as const)
        if (JSON.stringify(before[key]) !== JSON.stringify(after[key])) report(key);
      const onPages = ({ annotations }: Portrait): unknown =>
        annotations.map(([page, what, target]) => [page, what.replace(/\|.*\|/, '|'), target]);
      if (JSON.stringify(onPages(before)) !== JSON.stringify(onPages(after))) report('annotations');
      if (
        JSON.stringify(before.destinations.map(([page]) => page)) !==
        JSON.stringify(after.destinations.map(([page]) => page))
      )
        report('destinations');
    };

    it('keep everything on them when scaled', async () => {
      expect(files).to.have.length(SAMPLE);
      expect(
        await faultsOf((opened) => scalePages(opened, { pageSize: 'A5', landscape: true, factor: 0.9 }), alike, true),
      ).to.deep.equal([]);
    });

    it('keep everything when only their boxes are cropped', async () => {
      expect(
        await faultsOf((opened) => cropPages(opened, { x: 100, y: 100, width: 200, height: 200 }, false), alike, true),
      ).to.deep.equal([]);
    });

    it('lose nothing visible when cropped beyond their content with removal', async () => {
      const whole = { x: -20_000, y: -20_000, width: 40_000, height: 40_000 };
      expect(
        await faultsOf(
          (opened) => cropPages(opened, whole, true),
          (before, after, report) => {
            for (const key of ['pages', 'labels', 'outlines'] as const)
              if (JSON.stringify(before[key]) !== JSON.stringify(after[key])) report(key);
          },
          false,
        ),
      ).to.deep.equal([]);
    });

    it('keep bookmarks, links, fields and document-level content when cut in four', async () => {
      const faults = await faultsOf(
        (opened) => void cutPages(opened, new Set(opened.pages.map((_page, i) => i)), { columns: 2, rows: 2 }),
        (before, after, report) => {
          const source = (page: number): number => (page < 0 ? page : Math.floor(page / 4));
          if (after.pages !== before.pages * 4) report('pages');
          const fieldsOf = ({ fields }: Portrait, from: (page: number) => number): unknown =>
            fields.map(([name, what, pages]) => [name, what, pages.map(from)]);
          if (JSON.stringify(fieldsOf(before, (page) => page)) !== JSON.stringify(fieldsOf(after, source)))
            report('fields');
          if (
            JSON.stringify(before.outlines.map(([, , page]) => page)) !==
            JSON.stringify(after.outlines.map(([, , page]) => source(page)))
          )
            report('bookmarks lead elsewhere');
          const links = (portrait: Portrait, from: (page: number) => number): unknown =>
            portrait.annotations
              .map(([page, what, target]) => [from(page), what.split('|')[0], from(target)].join())
              .sort();
          if (JSON.stringify(links(before, (page) => page)) !== JSON.stringify(links(after, source)))
            report('annotations');
          if (JSON.stringify(before.labels) !== JSON.stringify(after.labels?.filter((_label, i) => i % 4 === 0)))
            report('labels');
        },
        false,
      );
      expect(faults).to.deep.equal([]);
    });
  },
);
