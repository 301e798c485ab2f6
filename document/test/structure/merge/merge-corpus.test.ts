import { expect } from 'chai';
import { checkPair, pairSource, type PairSource, qpdfComplaint } from '../../checks/check-pair.js';
import { pairsOf, richFiles } from '../../checks/choose.js';
import { lostInMerge } from '../../checks/compare.js';
import { corpus, hasProgram } from '../../support.js';

/** `npm run check:merge` merges all pairs; this test takes a sample of this size, spread over all files. */
const PAIRS = Number(process.env['QUIRE_PAIRS'] ?? 60);

describe(
  corpus === undefined ? 'merging pairs of real files (skipped: no ../shared/corpus)' : 'merging pairs of real files',
  () => {
    let pairs: (readonly [PairSource, PairSource])[] = [];

    before(async function () {
      if (corpus === undefined) this.skip();
      this.timeout(60_000);
      const known = new Map<string, Promise<PairSource>>();
      const source = (file: string, path: string): Promise<PairSource> => {
        const found = known.get(file) ?? pairSource(file, path);
        known.set(file, found);
        return found;
      };
      const all = pairsOf(richFiles(corpus, 100));
      const step = Math.max(1, Math.floor(all.length / PAIRS));
      for (const [a, b] of all.filter((_pair, i) => i % step === 0).slice(0, PAIRS))
        pairs.push([await source(a.file, a.path), await source(b.file, b.path)]);
    });

    after(() => {
      pairs = [];
    });

    it('keeps every feature of both files, leaves no dangling reference and changes no page image', async function () {
      this.timeout(120_000);
      const faults: string[] = [];
      for (const [first, second] of pairs)
        faults.push(
          ...(await checkPair(first, second)).faults.map((fault) => `${first.file} + ${second.file}: ${fault}`),
        );
      expect(faults).to.deep.equal([]);
      expect(pairs.length).to.be.at.least(Math.min(PAIRS, 50));
    });

    it('creates files in which qpdf finds no errors', async function () {
      if (!hasProgram('qpdf')) {
        this.test!.title += ' (skipped: needs qpdf)';
        this.skip();
      }
      this.timeout(60_000);
      const complaints: string[] = [];
      for (const [first, second] of pairs.filter((_pair, i) => i % 6 === 0)) {
        const complaint = qpdfComplaint((await checkPair(first, second)).bytes);
        if (complaint !== undefined) complaints.push(`${first.file} + ${second.file}: ${complaint}`);
      }
      expect(complaints).to.deep.equal([]);
    });

    it('detects the loss of each of these features', () => {
      const [first] = pairs.find(([{ portrait }]) => portrait.outlines.length > 0) ?? [];
      const whole = first!.portrait;
      const none = {
        ...whole,
        pages: 0,
        shapes: [],
        labels: undefined,
        outlines: [],
        annotations: [],
        fields: [],
        attachments: [],
        destinations: [],
        layers: [],
        elements: [],
        tagged: 0,
        scripts: [],
        associated: 0,
        threads: 0,
      };
      const rich = {
        ...whole,
        labels: ['x|D|1'],
        annotations: [[0, 'Link', 0]],
        fields: [['a', 'Tx|1', [0]]],
        attachments: [['a', 'b']],
        destinations: [[0, 'Fit']],
        layers: ['a|shown'],
        elements: ['P'],
        tagged: 1,
        scripts: ['a'],
        associated: 1,
        threads: 1,
      } as typeof whole;
      const lost = lostInMerge(rich, none, none).map((line) => line.split(':', 1)[0]);
      expect(lost).to.deep.equal([
        'pages',
        'page shapes',
        'labels',
        'outlines',
        'annotations',
        'fields',
        'field names',
        'distinct field names',
        'attachments',
        'attachment names',
        'destinations',
        'layers',
        'structure',
        'tagged content',
        'scripts',
        'associated files',
        'threads',
      ]);
      expect(lostInMerge(rich, none, { ...rich, labels: rich.labels })).to.deep.equal([]);
    });
  },
);
