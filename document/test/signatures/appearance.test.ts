import { execFileSync, spawnSync } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { degrees, PDFArray, type PDFDict, PDFDocument, PDFName, type PDFPage, PDFString } from 'pdf-lib';
import { type CmsSigner, planCms, signCms, signWith } from '../../signatures/cms/index.js';
import { asDict, asName, asNumber, elements, entry, readNumberTree } from '../../file/objects/index.js';
import { editFile, openPdf } from '../../file/open/index.js';
import { withDocument } from '../../engines/pdfium/index.js';
import { renderPage } from '../../engines/rendering/index.js';
import { corpus } from '../support.js';
import { addSignature, seenSignature, signFile, type SignatureLook } from '../../signatures/index.js';
import { codeOf } from '../../../test/suites/code-of.js';

const look = (name: string, reason = 'Approved', logo = true): SignatureLook => ({
  texts: [{ text: name }, { text: '2026-11-22 04:30:00 UTC' }, { text: reason, field: 'reason' }],
  logo,
});

const isInstalled = (program: string): boolean => spawnSync('which', [program]).status === 0;

describe('a visible signature', () => {
  let folder: string;
  let count = 0;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'quire-look-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  /** A page that was signed visibly, as a file. */
  async function signed(
    change: (page: PDFPage, document: PDFDocument) => void,
    wanted: SignatureLook = look('Ann Example'),
    size: [number, number] = [300, 200],
  ): Promise<string> {
    const document = await PDFDocument.create();
    change(document.addPage(size), document);
    const [source, target] = [join(folder, `${count}.pdf`), join(folder, `${count++}-signed.pdf`)];
    writeFileSync(source, await document.save());
    await editFile(source, target, { mode: 'append' }, async ({ document: opened, pages: [page] }) => {
      if (page === undefined) throw new Error('no page');
      addSignature(opened.context, {
        subFilter: 'ETSI.CAdES.detached',
        capacity: 10,
        page,
        seen: await seenSignature(opened, page, wanted),
      });
    });
    return target;
  }

  /** Where anything is drawn, as PDFium shows the page: left, bottom, right, top in pixels of a point each. */
  async function inkOf(path: string, width: number, height: number): Promise<readonly number[]> {
    const pixels = await withDocument(new Uint8Array(readFileSync(path)), {}, (document) =>
      renderPage(document, 0, { width, height, annotations: true }),
    );
    const box = [width, height, 0, 0];
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        if ((pixels[(y * width + x) * 4] ?? 255) > 230) continue;
        box.splice(
          0,
          4,
          Math.min(box[0] ?? 0, x),
          Math.min(box[1] ?? 0, height - 1 - y),
          Math.max(box[2] ?? 0, x + 1),
          Math.max(box[3] ?? 0, height - y),
        );
      }
    return box;
  }
  const text = (path: string, ...more: string[]): string =>
    execFileSync('pdftotext', ['-layout', ...more, path, '-'], { encoding: 'utf8' });
  const expectInBox = (
    box: readonly number[],
    [width, height]: readonly [number, number],
    [left, bottom] = [0, 0],
  ): void => {
    const [x = -1, y = -1, right = 0, top = 0] = box;
    expect(x, `${box}`).to.be.within(left, left + 8);
    expect(y, `${box}`).to.be.within(bottom, bottom + 12);
    expect(right, `${box}`).to.be.within(left + width * 0.9, left + width);
    expect(top, `${box}`).to.be.within(bottom + height * 0.7, bottom + height);
  };

  it('is at the place that was chosen on the page as shown, moved into the page', async () => {
    for (const angle of [0, 90, 180, 270]) {
      const [width, height] = angle % 180 === 0 ? [300, 200] : [200, 300];
      const at = async (left: number, bottom: number) =>
        inkOf(
          await signed((page) => page.setRotation(degrees(angle)), { ...look('Ann'), place: { left, bottom } }),
          width,
          height,
        );
      if (width === 300) expectInBox(await at(80, 120), [200, 50], [80, 120]);
      expectInBox(await at(9999, 9999), [200, 50], [width - 200, height - 50]);
    }
  });

  it('is at the lower left corner as shown, 200 by 50 points, for any rotation and crop box', async () => {
    for (const angle of [0, 90, 180, 270]) {
      const [width, height] = angle % 180 === 0 ? [300, 200] : [200, 300];
      expectInBox(await inkOf(await signed((page) => page.setRotation(degrees(angle))), width, height), [200, 50]);
    }
    for (const angle of [0, 90, 270]) {
      const [width, height] = angle % 180 === 0 ? [280, 210] : [210, 280];
      const file = await signed((page) => {
        page.setMediaBox(-50, -40, 600, 500);
        page.setCropBox(30, 25, 280, 210);
        page.setRotation(degrees(angle));
      });
      expectInBox(await inkOf(file, width, height), [200, 50]);
    }
  });

  it('keeps its size in points where a page counts in other units', async () => {
    const file = await signed(
      (page, { context }) => page.node.set(PDFName.of('UserUnit'), context.obj(2)),
      look('Ann Example'),
      [150, 100],
    );
    const { document } = await openPdf(readFileSync(file));
    const rect = elements(document.context, entry(widgetOf(document), 'Rect')).map((value) =>
      asNumber(document.context, value),
    );
    expect(rect).to.deep.equal([0, 0, 100, 25]);
  });

  it('becomes smaller on a page that has no space for it', async () => {
    expectInBox(await inkOf(await signed(() => undefined, undefined, [100, 60]), 100, 60), [100, 25]);
    const [, , right, top] = await inkOf(await signed(() => undefined, undefined, [5, 3]), 5, 3);
    expect([(right ?? 9) <= 5, (top ?? 9) <= 3]).to.deep.equal([true, true]);
  });

  it('shows names of any script as text, and long ones in smaller letters', async () => {
    for (const name of ['Ann Müller-Łukasiewicz', 'Иван Петров', '山田太郎', '김철수', 'Ελένη', 'שרה כהן'])
      expect(text(await signed(() => undefined, look(name))), name).to.contain(name.normalize('NFC'));
    expect(text(await signed(() => undefined, look('محمد'))).normalize('NFKC')).to.match(/محمد|دمحم/);
    const long = 'A very long name of a limited liability company with many partners registered somewhere';
    const file = await signed(
      () => undefined,
      look(long, 'I have read all of it and agree with every word of the annexes too'),
    );
    expect(text(file).replaceAll(/\s+/g, ' ')).to.contain(long).and.to.contain('every word of the annexes too');
    expectInBox(await inkOf(file, 300, 200), [200, 50]);
    // Without end: cut, and never outside the box.
    const [, , right, top] = await inkOf(
      await signed(() => undefined, look('X'.repeat(5000), 'Y'.repeat(1000))),
      300,
      200,
    );
    expect([(right ?? 999) <= 200, (top ?? 999) <= 50]).to.deep.equal([true, true]);
  });

  it('draws a question mark for what no font has in a name, and refuses it in what the caller wrote', async () => {
    expect(text(await signed(() => undefined, look('Ann \u{12000}')))).to.contain('Ann ?');
    expect(await codeOf(signed(() => undefined, look('Ann', 'ok \u{12000}')))).to.equal('INPUT_INVALID');
  });

  it('has the seal behind the text at half opacity, and none when none is wanted', async () => {
    const [, , right] = await inkOf(await signed(() => undefined, look('Ann', 'ok', false)), 300, 200);
    expect(right).to.be.lessThan(150);
    const file = await signed((page) => page.drawRectangle({ x: 150, y: 0, width: 50, height: 50 }));
    const pixels = await withDocument(new Uint8Array(readFileSync(file)), {}, (document) =>
      renderPage(document, 0, { width: 300, height: 200, annotations: true }),
    );
    // Black shows through the disc of the seal: half of its grey remains.
    expect(pixels[((200 - 36) * 300 + 175) * 4]).to.be.within(60, 95);
  });

  it('brings no transparency and no colours of unknown devices into PDF/A', async () => {
    const file = await signed((_page, document) => {
      const xmp =
        '<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF ' +
        'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" ' +
        'xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/"><pdfaid:part>1</pdfaid:part><pdfaid:conformance>' +
        'B</pdfaid:conformance></rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>';
      document.catalog.set(
        PDFName.of('Metadata'),
        document.context.register(document.context.stream(xmp, { Type: 'Metadata', Subtype: 'XML' })),
      );
    });
    const {
      document: { context },
      pages,
    } = await openPdf(readFileSync(file));
    expect(pages).to.have.length(1);
    const shown = [...context.enumerateIndirectObjects()].map(([, object]) => object.toString());
    expect(shown.filter((object) => /\/ca 0?\.5|\/Transparency/.test(object))).to.deep.equal([]);
    expect(shown.some((object) => object.includes('/CalGray'))).to.equal(true);
    expect(shown.some((object) => object.includes('/FontFile2'))).to.equal(true);
    expectInBox(await inkOf(file, 300, 200), [200, 50]);
  });

  it(
    'leaves PDF/A what it is, and tagged documents accessible, seen or ' +
      `not${corpus === undefined ? ' (skipped: no ../shared/corpus)' : ''}`,
    async function () {
      this.timeout(60_000);
      const fixtures = fileURLToPath(new URL('../../../plugins/', import.meta.url));
      if (corpus === undefined || !isInstalled('verapdf')) return this.skip();
      const sources = [
        join(corpus, 'veraPDF-corpus/6-3-5-t02-pass-a.pdf'),
        join(corpus, 'veraPDF-corpus/7.1-t06-pass-a.pdf'),
        join(fixtures, 'security/fixtures/pdfa-2b.pdf'),
      ];
      const key = createPrivateKey(readFileSync(join(fixtures, 'signing/fixtures/signer.key')));
      const signer: CmsSigner = {
        certificate: new Uint8Array(
          new X509Certificate(readFileSync(join(fixtures, 'signing/fixtures/signer.pem'))).raw,
        ),
        chain: [],
        sign: (data, scheme) => signWith(key, data, scheme),
      };
      const plan = planCms(signer);
      if (plan === undefined) throw new Error('no plan');
      const targets: string[] = [];
      for (const source of sources)
        for (const visible of [true, false]) {
          const target = join(folder, `standard-${targets.length}.pdf`);
          targets.push(target);
          await signFile(source, target, {
            entries: async ({ document, pages: [page] }) => {
              if (page === undefined) throw new Error('no page');
              return {
                subFilter: 'ETSI.CAdES.detached',
                capacity: plan.size,
                page,
                ...(visible ? { seen: await seenSignature(document, page, look('Ann Example')) } : {}),
              };
            },
            value: async (digest) => signCms({ signer, scheme: plan.scheme, digest: digest(plan.scheme.digest) }),
          });
        }
      // It ends with 1 when one does not pass.
      const { stdout } = spawnSync('verapdf', ['--flavour', '0', '--format', 'text', '-v', ...targets], {
        encoding: 'utf8',
        env: { ...process.env, JDK_JAVA_OPTIONS: '-XX:TieredStopAtLevel=1' },
      });
      expect(
        stdout
          .trim()
          .split('\n')
          .map((line) => /^(\w+) .* (\w+)$/.exec(line)?.slice(1)),
      ).to.deep.equal(
        [
          ['PASS', '1b'],
          ['PASS', '1b'],
          ['PASS', 'ua1'],
          ['PASS', 'ua1'],
          ['PASS', '2b'],
          ['PASS', '2b'],
        ],
        stdout,
      );
    },
  );

  it('has its place in the structure of a tagged document', async () => {
    for (const flat of [true, false]) {
      const file = await signed((page, { context, catalog }) => {
        const root = context.obj({ Type: 'StructTreeRoot' });
        const rootRef = context.register(root);
        const group = context.register(context.obj({ Type: 'StructElem', S: 'Document', P: rootRef, K: [] }));
        root.set(PDFName.of('K'), flat ? context.obj([group]) : group);
        const other = context.register(context.obj({ Type: 'StructElem', S: 'P', P: group, Pg: page.ref }));
        root.set(
          PDFName.of('ParentTree'),
          flat
            ? context.obj({ Nums: [7, [other]] })
            : context.obj({ Kids: [context.register(context.obj({ Limits: [7, 7], Nums: [7, [other]] }))] }),
        );
        catalog.set(PDFName.of('StructTreeRoot'), rootRef);
        catalog.set(PDFName.of('MarkInfo'), context.obj({ Marked: true }));
      });
      const { document } = await openPdf(readFileSync(file));
      const { context, catalog } = document;
      const widget = widgetOf(document);
      const key = asNumber(context, entry(widget, 'StructParent'));
      expect(key).to.equal(8);
      const tree = asDict(context, entry(catalog, 'StructTreeRoot'));
      const element = asDict(
        context,
        readNumberTree(context, tree === undefined ? undefined : entry(tree, 'ParentTree')).find(
          ([at]) => at === key,
        )?.[1],
      );
      if (element === undefined || tree === undefined) throw new Error('no element');
      expect(asName(context, entry(element, 'S'))).to.equal('Form');
      const parent = asDict(context, entry(element, 'P'));
      expect(asName(context, entry(parent ?? widget, 'S'))).to.equal('Document');
      expect(elements(context, entry(parent ?? widget, 'K')).map((kid) => asDict(context, kid))).to.include(element);
      expect(asDict(context, entry(asDict(context, entry(element, 'K')) ?? widget, 'Obj'))).to.equal(widget);
      expect(asNumber(context, entry(tree, 'ParentTreeNextKey'))).to.equal(9);
      expect(entry(widget, 'TU')).to.be.instanceOf(PDFString);
      expect(execFileSync('qpdf', ['--check', file], { encoding: 'utf8' })).to.contain('No syntax');
    }
  });

  function widgetOf({ context, catalog }: PDFDocument): PDFDict {
    const form = asDict(context, entry(catalog, 'AcroForm'));
    const widget = asDict(
      context,
      context.lookup(form === undefined ? undefined : entry(form, 'Fields'), PDFArray).get(0),
    );
    if (widget === undefined) throw new Error('no widget');
    return widget;
  }
});
