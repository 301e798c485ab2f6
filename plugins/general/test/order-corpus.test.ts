import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withPdf } from '@quire/document/file/open';
import { allFieldNodes, fullName, isField, isSignatureField, readFields } from '@quire/document/forms/fields';
import { readAnnotations } from '@quire/document/structure/annotations';
import { readAttachments } from '@quire/document/structure/attachments';
import { readLayers } from '@quire/document/structure/layers';
import { readPageLabels, type PageLabel } from '@quire/document/structure/pages';
import { withDocument } from '@quire/document/engines/pdfium';
import { expect } from 'chai';
import { goodFiles, type RichFile } from '../../../document/test/checks/choose.js';
import { corpus, danglingReferences, hasProgram, runOn } from '../../../document/test/support.js';
import { isNightly } from '../../../test/suites/nightly.js';
import { placedBookmarks, type PlacedBookmark } from '../src/functions/bookmarks.js';
import { planChapters, splitByChapters } from '../src/functions/chapters.js';
import { rearrangePages } from '../src/functions/pages/rearrange-pages.js';

/** The document's structures apart from the content of its pages. */
interface Meaning {
  readonly pages: number;
  readonly texts: readonly string[];
  /** Titles with the 0-based page, depth first. */
  readonly bookmarks: readonly (readonly [title: string, page: number | undefined])[];
  readonly fields: readonly string[];
  /** Number of field widgets on each page, without those of signatures. */
  readonly widgets: readonly number[];
  readonly labels: readonly PageLabel[] | undefined;
  readonly attachments: readonly string[];
  readonly layers: number;
  readonly tree: readonly PlacedBookmark[];
}

async function meaningOf(path: string): Promise<Meaning> {
  const texts = await withDocument(readFileSync(path), {}, (document) =>
    Array.from({ length: document.pageCount }, (_unused, i) => document.pageText(i)),
  );
  return withPdf({ path }, {}, (opened) => {
    const { context } = opened.document;
    const nodes = [...allFieldNodes(readFields(context))];
    const own = new Set(nodes.filter((node) => !isSignatureField(context, node)).map(({ dict }) => dict));
    const tree = placedBookmarks(opened);
    const flat = (list: readonly PlacedBookmark[]): [string, number | undefined][] =>
      list.flatMap(({ title, page, children }) => [[title, page], ...flat(children)]);
    return {
      pages: opened.pages.length,
      texts,
      bookmarks: flat(tree),
      tree,
      fields: nodes
        .filter(isField)
        .map((node) => fullName(context, node))
        .sort(),
      widgets: opened.pages.map(
        ({ dict }) => readAnnotations(context, dict).filter((annotation) => own.has(annotation.dict)).length,
      ),
      labels: readPageLabels(context, opened.pages.length),
      attachments: readAttachments(context, []).map(({ name }) => name),
      layers: readLayers(context).length,
    };
  });
}

/** Files for each feature that matters here. */
const EACH = isNightly ? 4 : 2;

/** A few files for each feature that matters here; the same ones each time. */
function chosenFiles(root: string): RichFile[] {
  const all = goodFiles(root).filter(({ pages, size }) => pages >= 2 && pages <= 24 && size < 500_000);
  const chosen = [
    'outlines',
    'page-labels',
    'acroform',
    'tagged',
    'ocg',
    'embedded-files',
    'names-dests',
    'threads',
  ].flatMap((feature) => {
    const having = all.filter(({ features }) => features.includes(feature));
    return having.filter((_file, i) => i % Math.max(1, Math.floor(having.length / EACH)) === 0).slice(0, EACH);
  });
  return [...new Map(chosen.map((file) => [file.file, file])).values()];
}

describe(
  corpus === undefined
    ? 'the order of pages in real files (skipped: no ../shared/corpus)'
    : 'the order of pages in real files',
  () => {
    let folder: string;
    let files: RichFile[];
    let written = 0;

    before(function () {
      if (corpus === undefined) this.skip();
      folder = mkdtempSync(join(tmpdir(), 'quire-order-'));
      files = chosenFiles(corpus);
    });
    after(() => {
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    });

    /** Rearranges every file and returns the faults of the results, one line each. */
    async function faultsOf(
      orderOf: (pages: number) => number[],
      check: (before: Meaning, after: Meaning, order: readonly number[], report: (fault: string) => void) => void,
    ): Promise<string[]> {
      const faults: string[] = [];
      for (const { file, path } of files) {
        const target = join(folder, `${++written}.pdf`);
        const before = await meaningOf(path);
        const order = orderOf(before.pages);
        await rearrangePages(path, target, () => order);
        const bytes = readFileSync(target);
        const after = await meaningOf(target);
        const report = (fault: string): void => void faults.push(`${file}: ${fault}`);
        if (JSON.stringify(after.texts) !== JSON.stringify(order.map((index) => before.texts[index]))) report('texts');
        if (
          after.labels !== undefined &&
          JSON.stringify(after.labels) !== JSON.stringify(order.map((index) => before.labels?.[index]))
        )
          report('labels');
        if ((before.labels === undefined) !== (after.labels === undefined)) report('labels came or went');
        if (JSON.stringify(after.attachments) !== JSON.stringify(before.attachments))
          report(`attachments ${after.attachments.join()}`);
        for (const dangling of (await danglingReferences(bytes)).slice(0, 3)) report(`dangling ${dangling}`);
        if (
          hasProgram('qpdf') &&
          runOn(bytes, 'qpdf', ['--check', 'DIR/in.pdf']).code !== 0 &&
          runOn(readFileSync(path), 'qpdf', ['--check', 'DIR/in.pdf']).code === 0
        )
          report('qpdf complains');
        check(before, after, order, report);
      }
      return faults;
    }

    const at =
      (order: readonly number[]) =>
      (page: number | undefined): number | undefined =>
        page === undefined ? undefined : order.indexOf(page);

    it('changes nothing but the order when pages are reversed', async function () {
      this.timeout(60_000);
      expect(files.length).to.be.at.least(4 * EACH);
      const faults = await faultsOf(
        (pages) => Array.from({ length: pages }, (_unused, i) => pages - 1 - i),
        (before, after, order, report) => {
          const place = at(order);
          if (
            JSON.stringify(after.bookmarks) !==
            JSON.stringify(before.bookmarks.map(([title, page]) => [title, place(page)]))
          )
            report('bookmarks');
          if (JSON.stringify(after.fields) !== JSON.stringify(before.fields)) report('fields');
          if (JSON.stringify(after.widgets) !== JSON.stringify(order.map((index) => before.widgets[index])))
            report('widgets');
          if (after.layers !== before.layers) report('layers');
        },
      );
      expect(faults).to.deep.equal([]);
    });

    it('removes pages with the bookmarks and fields that only led to them', async function () {
      this.timeout(60_000);
      const faults = await faultsOf(
        (pages) => Array.from({ length: Math.ceil(pages / 2) }, (_unused, i) => 2 * i),
        (before, after, order, report) => {
          const place = at(order);
          const kept = before.bookmarks
            .filter(([, page]) => page !== undefined && order.includes(page))
            .map(([title, page]) => [title, place(page)]);
          const found = after.bookmarks.filter(([, page]) => page !== undefined);
          if (JSON.stringify(found) !== JSON.stringify(kept)) report('bookmarks');
          if (JSON.stringify(after.widgets) !== JSON.stringify(order.map((index) => before.widgets[index])))
            report('widgets');
          if (after.fields.some((name) => !before.fields.includes(name))) report('fields that were not there');
          if (after.layers > before.layers) report('layers');
        },
      );
      expect(faults).to.deep.equal([]);
    });

    it('repeats pages with their widgets, but neither bookmarks nor fields', async function () {
      this.timeout(60_000);
      const faults = await faultsOf(
        (pages) => Array.from({ length: pages }, (_unused, i) => [i, i]).flat(),
        (before, after, order, report) => {
          const place = at(order);
          if (
            JSON.stringify(after.bookmarks) !==
            JSON.stringify(before.bookmarks.map(([title, page]) => [title, place(page)]))
          )
            report('bookmarks');
          if (JSON.stringify(after.fields) !== JSON.stringify(before.fields)) report('fields');
          if (JSON.stringify(after.widgets) !== JSON.stringify(order.map((index) => before.widgets[index])))
            report(`widgets ${after.widgets.join()} of ${before.widgets.join()}`);
        },
      );
      expect(faults).to.deep.equal([]);
    });

    it('splits at the bookmarks into parts with the pages of each chapter', async function () {
      this.timeout(60_000);
      const faults: string[] = [];
      let parts = 0;
      for (const { file, path } of files) {
        const before = await meaningOf(path);
        const chapters = planChapters(before.tree, before.pages, 1, false);
        if (chapters.length === 0) continue;
        const target = mkdtempSync(join(folder, 'chapters-'));
        await splitByChapters(path, (n) => join(target, `${n}.pdf`), {
          bookmarkLevel: 1,
          allowDuplicates: false,
          includeMetadata: false,
          onPart: () => undefined,
        });
        for (const [i, { first, last }] of chapters.entries()) {
          const after = await meaningOf(join(target, `${i + 1}.pdf`));
          parts++;
          if (JSON.stringify(after.texts) !== JSON.stringify(before.texts.slice(first, last + 1)))
            faults.push(`${file}, part ${i + 1}: texts`);
          if (after.bookmarks.length === 0) faults.push(`${file}, part ${i + 1}: no bookmark`);
          if (after.widgets.join() !== before.widgets.slice(first, last + 1).join())
            faults.push(`${file}, part ${i + 1}: widgets`);
        }
      }
      expect(faults).to.deep.equal([]);
      expect(parts).to.be.at.least(4 * EACH);
    });
  },
);
