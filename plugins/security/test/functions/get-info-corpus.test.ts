import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { infoOfFile, type InfoResult, type ToldElement, type ToldPage } from './info-files.js';

const corpus = [process.env['QUIRE_CORPUS'], new URL('../../../../../shared/corpus', import.meta.url).pathname].find(
  (path) => path !== undefined && existsSync(path),
);
const programs = ['pdfinfo', 'pdftotext', 'pdffonts', 'pdfimages', 'pdfdetach', 'qpdf'];
const there = programs.every((program) =>
  (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(join(folder, program))),
);
const FILES = 60;

/**
 * Files where the programs differ for good reason: they count fonts and images of annotations as the page's, and accept
 * an empty crop box.
 */
const annotationsOnly = new Set(['Courier', 'Helvetica', 'ZapfDingbats', 'MyriadPro-Regular']);

const run = (program: string, ...args: readonly string[]): string | undefined => {
  const { status, stdout } = spawnSync(program, args, { encoding: 'utf8', timeout: 20_000 });
  return status === 0 ? stdout : undefined;
};

/** Files of the corpus that are valid and open without a password, spread over all of it. */
function sample(): string[] {
  const rows = readFileSync(join(corpus ?? '', 'manifest.csv'), 'utf8')
    .split('\n')
    .slice(1)
    .map((row) => row.split(','));
  const good = rows.filter(([, , fileClass]) => fileClass === 'good').map(([file = '']) => join(corpus ?? '', file));
  const step = Math.floor(good.length / FILES);
  return good.filter((_file, i) => i % step === 1);
}

const boxNumbers = (page: ToldPage | undefined, key: string): number[] =>
  JSON.parse(String(page?.[key] ?? '[]')) as number[];

describe(
  corpus === undefined ? 'Information about real files (skipped: no ../shared/corpus)' : 'Information about real files',
  function suite() {
    this.timeout(60_000);
    const told: (readonly [file: string, info: InfoResult])[] = [];
    before(async function open() {
      if (corpus === undefined || !there) return this.skip();
      for (const file of sample()) {
        try {
          told.push([file, (await infoOfFile(file)).info]);
        } catch (error) {
          expect((error as { code?: string }).code, file).to.equal('PDF_ENCRYPTED');
        }
      }
      expect(told.length).to.be.greaterThan(FILES - 10);
    });

    it('has the pages, boxes, rotation, version and encryption that pdfinfo finds', () => {
      for (const [file, info] of told) {
        const found = run('pdfinfo', '-box', '-l', '-1', file) ?? '';
        const pages = Object.values(info.PerPageInfo);
        const [, count, version, encrypted] =
          /^Pages: +(\d+)[^]*^Encrypted: +(\w+)[^]*^PDF version: +([\d.]+)/m.exec(found) ?? [];
        expect([count, version, encrypted], file).to.deep.equal([
          String(pages.length),
          info.Encryption['IsEncrypted'] === true ? 'yes' : 'no',
          (info.DocumentInfo['PDF version'] as number).toFixed(1),
        ]);
        for (const [, page, rotation] of found.matchAll(/^Page +(\d+) rot: +(\d+)/gm))
          expect(pages[Number(page) - 1]?.Rotation, file).to.equal(Number(rotation));
        for (const [, page, key, ...sides] of found.matchAll(
          /^Page +(\d+) (\w+Box): +([-\d.]+) +([-\d.]+) +([-\d.]+) +([-\d.]+)/gm,
        )) {
          const [left, bottom, right, top] = sides.map(Number) as [number, number, number, number];
          if (left >= right || bottom >= top) continue;
          boxNumbers(pages[Number(page) - 1], key ?? '').forEach((side, i) =>
            expect(side, `${file}, ${key} of page ${page}`).to.be.closeTo([left, bottom, right, top][i] ?? NaN, 0.011),
          );
        }
      }
    });

    it('has the fonts that pdffonts finds, and whether they are embedded', () => {
      let compared = 0;
      for (const [file, info] of told) {
        const ours = new Map(
          Object.values(info.PerPageInfo)
            .flatMap(({ Fonts = [] }) => Fonts)
            .map(({ Name, IsEmbedded }) => [Name, IsEmbedded]),
        );
        for (const row of (run('pdffonts', file) ?? '').split('\n').slice(2)) {
          const [name, embedded] = [row.slice(0, 36).trim(), row.slice(72).trim().split(/\s+/)[0]];
          // Longer names are truncated, and Type 3 fonts have none.
          const known = [...ours.keys()].find((each) => each === name || (name.length >= 35 && each.startsWith(name)));
          if (name === '' || name === '[none]' || (known === undefined && annotationsOnly.has(name))) continue;
          expect([known !== undefined, known !== undefined && ours.get(known)], `${name} in ${file}`).to.deep.equal([
            true,
            embedded === 'yes',
          ]);
          compared++;
        }
      }
      expect(compared).to.be.greaterThan(20);
    });

    it("has the images that pdfimages finds in the pages' resources", () => {
      let compared = 0;
      for (const [file, info] of told) {
        if (
          Object.values(info.PerPageInfo).some(
            (page) => (page['Annotations'] as { AnnotationsCount: number }).AnnotationsCount > 0,
          )
        )
          continue;
        // Masks belong to their images, and inline images to the content.
        const rows = (run('pdfimages', '-list', file) ?? '')
          .split('\n')
          .slice(2)
          .map((row) => row.trim().split(/\s+/))
          .filter(
            (cells) =>
              cells.length > 10 && !['smask', 'mask', 'stencil'].includes(cells[2] ?? '') && cells[10] !== '[inline]',
          );
        const drawn = new Set(rows.map((cells) => `${cells[0]} ${cells[10]}`)).size;
        // Images in the resources are not necessarily drawn.
        expect(info.BasicInfo['TotalImages'], file).to.be.at.least(drawn);
        compared += drawn;
      }
      expect(compared).to.be.greaterThan(5);
    });

    it('has as many files as pdfdetach finds', () => {
      for (const [file, info] of told)
        expect(info.Other.EmbeddedFiles.length + info.Other.Attachments.length, file).to.equal(
          Number(/^(\d+) embedded/m.exec(run('pdfdetach', '-list', file) ?? '')?.[1] ?? 0),
        );
    });

    it('has nearly as many words as pdftotext finds on pages without annotations', () => {
      let [ours, theirs] = [0, 0];
      for (const [file, info] of told) {
        // pdftotext ignores text outside the page.
        if (
          file.endsWith('pdf.js/issue1350.pdf') ||
          Object.values(info.PerPageInfo).some(
            (page) => (page['Annotations'] as { AnnotationsCount: number }).AnnotationsCount > 0,
          )
        )
          continue;
        ours += info.BasicInfo['WordCount'] as number;
        theirs += (run('pdftotext', file, '-') ?? '').split(/\s+/).filter((word) => word !== '').length;
      }
      expect(theirs).to.be.greaterThan(500);
      expect(ours / theirs).to.be.within(0.95, 1.05);
    });

    it('has the text that pdfinfo finds in structure trees', () => {
      const letters = (elements: readonly ToldElement[]): string =>
        elements
          .map(({ Content, Children = [] }) => Content + letters(Children))
          .join('')
          .replace(/\s/g, '');
      const texts = (file: string): string =>
        [...(run('pdfinfo', '-struct-text', join(corpus ?? '', file)) ?? '').matchAll(/^ +"(.*)"$/gm)]
          .map(([, text]) => text)
          .join('')
          .replace(/\s/g, '');
      return Promise.all(
        ['dss/sample_document_mra.pdf', 'veraPDF-corpus/7.1-t10-fail-b.pdf', 'veraPDF-corpus/8.2.5.20-t02-pass-b.pdf']
          .filter((file) => existsSync(join(corpus ?? '', file)))
          .map(async (file) => {
            const { info } = await infoOfFile(join(corpus ?? '', file));
            expect(letters(info.Other.StructureTree ?? []), file)
              .to.equal(texts(file))
              .and.not.to.equal('');
          }),
      );
    });

    it('allows the same permissions as qpdf', async () => {
      const names = {
        'Extracting for accessibility': 'extract for accessibility',
        'Extracting Content': 'extract for any purpose',
        'Document Assembly': 'modify document assembly',
        'Form Filling': 'modify forms',
        'Modifying annotations': 'modify annotations',
        Modifying: 'modify other',
        Printing: 'print low resolution',
      };
      const encrypted = [
        'qpdf/enc-R2,V1.pdf',
        'qpdf/enc-R3,V2.pdf',
        'qpdf/enc-R2,V1,O=master.pdf',
        'qpdf/enc-R3,V2,O=master.pdf',
        'qpdf/bad-encryption-length.pdf',
      ]
        .map((name) => join(corpus ?? '', name))
        .filter((path) => existsSync(path));
      for (const file of [
        ...encrypted,
        ...told.filter(([, { Encryption }]) => Encryption['IsEncrypted'] === true).map(([path]) => path),
      ]) {
        const { info } = await infoOfFile(file);
        const found = run('qpdf', '--show-encryption', file) ?? '';
        for (const [key, words] of Object.entries(names)) {
          const wanted = new RegExp(`^${words}: (.+)$`, 'm').exec(found)?.[1];
          if (wanted !== undefined)
            expect([key, info.Permissions[key]], file).to.deep.equal([
              key,
              wanted === 'allowed' ? 'Allowed' : 'Not Allowed',
            ]);
        }
        const revision = /^R = (\d)/m.exec(found)?.[1];
        if (revision !== undefined) expect(String(info.Encryption['Revision']), file).to.equal(revision);
      }
    });
  },
);
