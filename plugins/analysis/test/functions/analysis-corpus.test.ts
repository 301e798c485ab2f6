import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { securityInfo } from '../../src/functions/document-facts.js';
import { look } from '../../src/functions/look.js';
import { pageSizes } from '../../src/functions/page-sizes.js';
import { countAnnotations } from '../../src/functions/page-tallies.js';

const corpus = [process.env['QUIRE_CORPUS'], new URL('../../../../../shared/corpus', import.meta.url).pathname].find(
  (path) => path !== undefined && existsSync(path),
);
const there = ['pdfinfo', 'qpdf'].every((program) =>
  (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(join(folder, program))),
);
/** Of each kind; QUIRE_FULL asks for all. */
const FILES = process.env['QUIRE_FULL'] === '1' ? Infinity : 20;

const run = (program: string, ...args: readonly string[]): string =>
  spawnSync(program, args, { encoding: 'utf8', timeout: 20_000, maxBuffer: 256 * 1024 * 1024 }).stdout;

/** Good files that open without a password and are encrypted or not, spread over the corpus. */
function sample(encrypted: boolean): string[] {
  const rows = readFileSync(join(corpus ?? '', 'manifest.csv'), 'utf8')
    .split('\n')
    .slice(1)
    .filter((row) => !row.startsWith('"'))
    .map((row) => row.split(','));
  const good = rows.flatMap(([file, , fileClass, , , , , , , , , , , , , , locked, , password]) =>
    fileClass === 'good' && (locked === 'yes') === encrypted && password !== 'yes'
      ? [join(corpus ?? '', file ?? '')]
      : [],
  );
  const step = Math.max(1, Math.floor(good.length / FILES));
  return good.filter((_file, i) => i % step === 0);
}

describe(
  corpus === undefined ? 'Questions about real files (skipped: no ../shared/corpus)' : 'Questions about real files',
  function suite() {
    this.timeout(FILES === Infinity ? 1_200_000 : 60_000);
    before(function open() {
      if (corpus === undefined || !there) this.skip();
    });

    it('have the sizes that pdfinfo finds', async () => {
      for (const file of sample(false)) {
        const found = [
          ...run('pdfinfo', '-box', '-f', '1', '-l', '-1', file).matchAll(
            /^Page +\d+ CropBox: +([-\d.]+) +([-\d.]+) +([-\d.]+) +([-\d.]+)/gm,
          ),
        ].map((box) => box.slice(1).map(Number) as [number, number, number, number]);
        const sizes = await look(file, pageSizes);
        for (const [i, { width, height }] of sizes.entries()) {
          const [left, bottom, right, top] = found[i] ?? [0, 0, 0, 0];
          // pdfinfo counts the page that /Count promises, and believes a crop box without area.
          if (left >= right || bottom >= top) continue;
          expect(
            [Math.abs(right - left - width), Math.abs(top - bottom - height)].every((off) => off < 0.011),
            `${file}, page ${i + 1}: ${width} x ${height}`,
          ).to.equal(true);
        }
      }
    });

    it('have the annotations that qpdf finds', async () => {
      for (const file of sample(false).filter((_file, i) => FILES === Infinity || i % 2 === 0)) {
        const { totalCount, typeBreakdown } = await look(file, countAnnotations);
        expect(totalCount, file).to.equal(Object.values(typeBreakdown).reduce((sum, count) => sum + count, 0));
        expect(typeBreakdown, file).to.deep.equal(
          annotationsOf(
            run('qpdf', '--json=2', '--json-key=pages', '--json-key=qpdf', '--json-stream-data=none', file),
          ),
        );
      }
    });

    it('have the protection that qpdf finds', async () => {
      const files = sample(true);
      expect(files).not.to.have.length(0);
      for (const file of files) {
        const shown = run('qpdf', '--show-encryption', file);
        const bits = Number(/^P = (-?\d+)/m.exec(shown)?.[1]);
        const [preventPrinting, preventModify, preventExtractContent, preventModifyAnnotations] = [4, 8, 16, 32].map(
          (bit) => (bits & bit) === 0,
        );
        expect((await look(file, securityInfo)).permissions, file).to.deep.equal({
          preventPrinting,
          preventModify,
          preventExtractContent,
          preventModifyAnnotations,
        });
      }
    });
  },
);

interface QpdfJson {
  readonly pages: readonly { readonly object: string }[];
  readonly qpdf: readonly [
    unknown,
    Readonly<Record<string, { readonly value?: unknown; readonly stream?: { readonly dict: unknown } } | undefined>>,
  ];
}

/** Annotations of all pages by kind, in what qpdf writes a document as. */
function annotationsOf(text: string): Record<string, number> {
  const {
    pages,
    qpdf: [, objects],
  } = JSON.parse(text) as QpdfJson;
  const valueOf = (value: unknown): unknown =>
    typeof value === 'string' && value.endsWith(' R')
      ? (objects[`obj:${value}`]?.value ?? objects[`obj:${value}`]?.stream?.dict)
      : value;
  const at = (value: unknown, key: string): unknown =>
    valueOf((valueOf(value) as Record<string, unknown> | undefined)?.[key]);
  const counts: Record<string, number> = {};
  for (const { object } of pages) {
    for (const annotation of (at(object, '/Annots') ?? []) as unknown[]) {
      const kind = String(at(annotation, '/Subtype') ?? '/Unknown').slice(1);
      counts[kind] = (counts[kind] ?? 0) + 1;
    }
  }
  return counts;
}
