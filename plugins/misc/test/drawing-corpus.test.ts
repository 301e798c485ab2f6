import { readFileSync } from 'node:fs';
import { editBytes, openPdf, type OpenedPdf } from '@quire/document/file/open';
import { walkPages } from '@quire/document/structure/pages';
import { withDocument } from '@quire/document/engines/pdfium';
import { expect } from 'chai';
import { type RichFile, richFiles } from '../../../document/test/checks/choose.js';
import { graphOf } from '../../../document/test/checks/graph.js';
import { type Portrait, portraitOf } from '../../../document/test/checks/portrait.js';
import { corpus, hasProgram, runOn } from '../../../document/test/support.js';
import { isNightly } from '../../../test/suites/nightly.js';
import { addComments } from '@quire/document/structure/annotations';
import { addImage } from '../src/functions/add-image.js';
import { addPageNumbers } from '../src/functions/add-page-numbers.js';
import { addTextStamp, readStampFacts } from '../src/functions/add-stamp.js';

const SAMPLE = isNightly ? 20 : 10;
const MARK = 'Zqxj';

async function portraitOfBytes(bytes: Uint8Array): Promise<{ portrait: Portrait; dangling: readonly string[] }> {
  const {
    document: { context },
  } = await openPdf(bytes);
  return { portrait: portraitOf(context, walkPages(context)), dangling: graphOf(context).dangling };
}

const everyPage = ({ pages }: OpenedPdf): number[] => pages.map((_page, i) => i);

/** The effect of each tool on every page, and the allowed changes of the rest of the document. */
const tools: Readonly<
  Record<
    string,
    {
      readonly edit: (opened: OpenedPdf) => unknown;
      readonly drawsText: boolean;
      readonly changes: readonly (keyof Portrait)[];
    }
  >
> = {
  'a stamp': {
    edit: (opened) =>
      addTextStamp(
        opened,
        {
          text: `${MARK} @page`,
          alphabet: 'roman',
          colour: '#f00',
          fontSize: 6,
          rotation: 0,
          opacity: 0.5,
          position: 1,
          overrideX: -1,
          overrideY: -1,
          customMargin: 'small',
          pages: everyPage(opened),
        },
        readStampFacts(opened, { now: new Date(0), fileName: 'a.pdf', uuid: () => '00000000' }),
      ),
    drawsText: true,
    changes: [],
  },
  'page numbers': {
    edit: (opened) =>
      addPageNumbers(opened, {
        text: `${MARK} {n}`,
        fileName: 'a',
        fontSize: 6,
        fontType: 'times',
        colour: '#00f',
        zeroPad: 0,
        position: 8,
        startingNumber: 1,
        customMargin: 'small',
        pages: everyPage(opened),
      }),
    drawsText: true,
    changes: [],
  },
  'a drawing': {
    edit: (opened) =>
      addImage(opened, {
        image: Buffer.from(
          `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="20"><text y="10" font-size="8">${MARK}` +
            '</text></svg>',
        ),
        kind: 'svg',
        x: 0,
        y: 0,
        pageNumber: 1,
        everyPage: true,
      }),
    drawsText: false,
    changes: [],
  },
  comments: {
    edit: (opened) =>
      addComments(
        opened,
        everyPage(opened).map((pageIndex) => ({ pageIndex, x: 20, y: 20, width: 20, height: 20, text: MARK })),
        { now: new Date(0), uuid: () => crypto.randomUUID() },
      ),
    drawsText: false,
    // In a tagged document a comment gets a structure element (ISO 14289-1, 7.18.1).
    changes: ['annotations', 'elements', 'tagged'],
  },
};

describe(
  corpus === undefined ? 'drawing on real files (skipped: no ../shared/corpus)' : 'drawing on real files',
  function () {
    this.timeout(60_000);
    let files: RichFile[];
    before(function () {
      if (corpus === undefined) return this.skip();
      files = richFiles(corpus, SAMPLE);
    });

    for (const [name, { edit, drawsText, changes }] of Object.entries(tools)) {
      it(`appends ${name} to the unchanged bytes, and the rest of the document stays`, async () => {
        const faults: string[] = [];
        for (const { file, path } of files) {
          const report = (fault: string): void => void faults.push(`${file}: ${fault}`);
          const input = new Uint8Array(readFileSync(path));
          const { portrait: before } = await portraitOfBytes(input);
          const output = await editBytes(input, { mode: 'append' }, edit);
          const { portrait: after, dangling } = await portraitOfBytes(output);
          if (!Buffer.from(output.subarray(0, input.length)).equals(Buffer.from(input)))
            report('the bytes before are not the same');
          for (const key of Object.keys(before) as (keyof Portrait)[])
            if (!changes.includes(key) && JSON.stringify(before[key]) !== JSON.stringify(after[key])) report(key);
          if (dangling.length > 0 && graphOf((await openPdf(input)).document.context).dangling.length === 0)
            report(`dangling ${dangling.slice(0, 3).join()}`);
          if (
            hasProgram('qpdf') &&
            runOn(output, 'qpdf', ['--check', 'DIR/in.pdf']).code !== 0 &&
            runOn(input, 'qpdf', ['--check', 'DIR/in.pdf']).code === 0
          )
            report('qpdf complains');
          if (drawsText) {
            const texts = await withDocument(output, {}, (document) =>
              Array.from({ length: document.pageCount }, (_unused, i) => document.pageText(i)),
            );
            texts.forEach((text, i) => {
              if (!new RegExp(`${MARK} ${i + 1}\\b`).test(text)) report(`the text of page ${i + 1} is not found`);
            });
          }
        }
        expect(faults).to.deep.equal([]);
      });
    }
  },
);
