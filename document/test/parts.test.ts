import { expect } from 'chai';
import {
  PDFArray,
  PDFDict,
  PDFDocument,
  type PDFHexString,
  PDFName,
  type PDFRawStream,
  PDFString,
  type PDFContext,
  type PDFObject,
} from 'pdf-lib';
import { mergePdfs } from '../structure/merge/index.js';
import { resolve } from '../file/objects/index.js';
import { openPdf } from '../file/open/index.js';
import { syncXmp, readClaims, readXmp, writeXmp } from '../structure/metadata/index.js';
import { dropAnnotations, readAnnotations } from '../structure/annotations/index.js';
import { dropAttachments, readAttachments } from '../structure/attachments/index.js';
import { dropPermissions, readDocMdp } from '../signatures/fields/index.js';
import { readDocumentScripts, readScript } from '../structure/actions/index.js';
import { readFields } from '../forms/fields/index.js';
import { readLayers } from '../structure/layers/index.js';
import { renameInScript } from '../structure/actions/field-scripts.js';
import {
  claimsOf,
  INFO_KEYS,
  infoValue,
  withInfoValue,
  withoutClaims,
  withoutPageFacts,
} from '../structure/metadata/xmp.js';
import { extractPages } from '../structure/split/index.js';
import { look } from './parts-support.js';

const named = (bytes: Uint8Array, name: string) => ({ bytes, name });
const catalogEntry = (document: PDFDocument, ...path: string[]): PDFObject | undefined =>
  path.reduce<PDFObject | undefined>(
    (at, key) => (at instanceof PDFDict ? resolve(document.context, at.get(PDFName.of(key))) : undefined),
    document.catalog,
  );

async function made(build: (document: PDFDocument, context: PDFContext) => void): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  document.addPage([100, 100]);
  build(document, document.context);
  return document.save({ updateFieldAppearances: false });
}

async function merged(...files: Uint8Array[]): Promise<PDFDocument> {
  return look((await mergePdfs(files.map((bytes, i) => named(bytes, `${i}.pdf`)))).bytes);
}

describe('renameInScript', () => {
  const names = {
    field: (name: string) => ({ sum: 'sum_2', 'sum.a': 'sum_2.a' })[name],
    destination: (name: string) => ({ top: 'top_2' })[name],
  };
  const cases: readonly (readonly [why: string, script: string, after: string])[] = [
    ['an argument of getField', 'this.getField("sum").value = 1', 'this.getField("sum_2").value = 1'],
    ['a field below it, in single quotes and with spaces', "getField( 'sum.a' )", "getField( 'sum_2.a' )"],
    [
      'lists of names',
      'this.resetForm(["sum", "other"]); AFSimple_Calculate("SUM", new Array("sum.a", "x"))',
      'this.resetForm(["sum_2", "other"]); AFSimple_Calculate("SUM", new Array("sum_2.a", "x"))',
    ],
    [
      'names within one string',
      'AFSimple_Calculate("AVG", "sum, other,sum.a")',
      'AFSimple_Calculate("AVG", "sum_2, other,sum_2.a")',
    ],
    [
      'named members of an argument',
      'this.submitForm({cURL: "sum.example", aFields: ["sum"]})',
      'this.submitForm({cURL: "sum.example", aFields: ["sum_2"]})',
    ],
    [
      'comparisons with a name',
      'if (event.target.name == "sum" || "sum" === f.name) x()',
      'if (event.target.name == "sum_2" || "sum_2" === f.name) x()',
    ],
    ['names written with escapes', 'getField("s\\u0075m")', 'getField("sum_2")'],
    ['destinations', 'this.gotoNamedDest("top")', 'this.gotoNamedDest("top_2")'],
  ];
  for (const [why, before, after] of cases)
    it(`renames names: ${why}`, () => expect(renameInScript(before, names)).to.equal(after));

  const same: readonly (readonly [why: string, script: string])[] = [
    ['text that happens to be equal', 'app.alert("sum"); var sum = "sum";'],
    ['longer names', 'getField("summary"); getField("sum.b")'],
    ['comments', '// getField("sum")\n/* getField("sum") */ getField(x /* "sum" */)'],
    ['regular expressions', 'var r = /getField("sum")/g; y = a / b; z = "/"'],
    ['calls around that are closed again', 'getField(n); alert(("sum"))'],
    ['strings that never end', 'getField("sum'],
  ];
  for (const [why, script] of same)
    it(`keeps text: ${why}`, () => expect(renameInScript(script, names)).to.equal(script));

  it('follows renamed fields and destinations through a merge, in field actions, scripts and streams', async () => {
    const file = () =>
      made((document, context) => {
        const script = (text: string) => context.obj({ S: 'JavaScript', JS: PDFString.of(text) });
        const stream = context.register(context.flateStream('getField("total").value = getField("total.sub").value;'));
        const kid = context.register(
          context.obj({
            T: PDFString.of('sub'),
            FT: 'Tx',
            Subtype: 'Widget',
            Type: 'Annot',
            Rect: [0, 0, 9, 9],
            AA: { C: { S: 'JavaScript', JS: stream } },
          }),
        );
        const field = context.register(
          context.obj({
            T: PDFString.of('total'),
            FT: 'Tx',
            Kids: [kid],
            AA: { K: script('getField("total.sub.0")') },
          }),
        );
        context.lookup(kid, PDFDict).set(PDFName.of('Parent'), field);
        document.getPage(0).node.addAnnot(kid);
        document.catalog.set(PDFName.of('AcroForm'), context.obj({ Fields: [field] }));
        document.catalog.set(
          PDFName.of('Names'),
          context.obj({
            JavaScript: { Names: [PDFString.of('init'), script('this.gotoNamedDest("top"); getField("total.sub")')] },
            Dests: { Names: [PDFString.of('top'), [document.getPage(0).ref, 'Fit']] },
          }),
        );
      });
    const { context } = await merged(await file(), await file());
    const [, second] = readFields(context);
    const action = (dict: PDFDict | undefined, key: string): string | undefined =>
      readScript(
        context,
        resolve(context, (resolve(context, dict?.get(PDFName.of('AA'))) as PDFDict).get(PDFName.of(key))) as PDFDict,
      );
    expect(action(second?.dict, 'K')).to.equal('getField("total_2.sub.0")');
    expect(action(second?.children[0]?.dict, 'C')).to.equal(
      'getField("total_2").value = getField("total_2.sub").value;',
    );
    expect(readDocumentScripts(context).map(({ script }) => script)).to.deep.equal([
      'this.gotoNamedDest("top"); getField("total.sub")',
      'this.gotoNamedDest("top_2"); getField("total_2.sub")',
    ]);
  });
});

const packet = (body: string, attributes = ''): string =>
  `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:a="http://www.aiim.org/pdfa/ns/id/" xmlns:ua="http://www.aiim.org/pdfua/ns/id/" ${attributes}>${body}</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;
const level = (part: string, conformance: string): string =>
  `<a:part>${part}</a:part><a:conformance>${conformance}</a:conformance>`;

describe('metadata', () => {
  const archived = (xmp: string, profile = 'sRGB'): Promise<Uint8Array> =>
    made((document, context) => {
      document.setTitle('Title & all');
      document.catalog.set(PDFName.of('Metadata'), writeXmp(context, xmp));
      const intent = {
        Type: 'OutputIntent',
        S: 'GTS_PDFA1',
        OutputConditionIdentifier: PDFString.of('x'),
        DestOutputProfile: context.register(context.flateStream(profile, { N: 3 })),
      };
      document.catalog.set(PDFName.of('OutputIntents'), context.obj([intent]));
    });

  it('claims a standard only if all inputs claim the same part and level, in any notation', async () => {
    const same = await merged(
      await archived(packet(level('2', 'B'))),
      await archived(packet('', 'a:part="2" a:conformance="b"')),
    );
    expect([...readClaims(same.context)]).to.deep.equal([['PDF/A', '2|B|']]);
    expect(catalogEntry(same, 'OutputIntents')).to.be.instanceOf(PDFArray);
    for (const other of [
      packet(level('3', 'B')),
      packet(level('2', 'U')),
      packet(''),
      packet('<ua:part>1</ua:part>'),
    ]) {
      const mixed = await merged(
        await archived(packet(`${level('2', 'B')}<ua:part>1</ua:part>`)),
        await archived(other),
      );
      expect(readClaims(mixed.context).has('PDF/A'), other).to.equal(false);
      expect(readXmp(mixed.context)).to.not.include('pdfa/ns');
      expect(readClaims(mixed.context).has('PDF/UA')).to.equal(other.includes('ua:part'));
    }
  });

  it('removes claims and output intents if inputs define colours differently', async () => {
    const document = await merged(
      await archived(packet(level('2', 'B'))),
      await archived(packet(level('2', 'B')), 'CMYK'),
    );
    expect(readClaims(document.context).size).to.equal(0);
    expect(catalogEntry(document, 'OutputIntents')).to.equal(undefined);
  });

  it('makes XMP agree with the information dictionary, compressed or not', async () => {
    for (const packed of [false, true]) {
      const file = await made((document, context) => {
        document.setTitle('New <title>');
        document.setAuthor('B & C');
        document.setProducer('Old producer');
        document.setKeywords(['k']);
        document.setCreationDate(new Date('2024-05-06T07:08:09Z'));
        const xmp = packet(
          '<dc:title><rdf:Alt><rdf:li xml:lang="x-default">Old</rdf:li></rdf:Alt></dc:title><xmp:CreateDate>2001-01-01</xmp:CreateDate><pdf:Producer/>',
          'pdf:Keywords="old"',
        );
        const stream = packed
          ? context.register(context.flateStream(xmp, { Type: 'Metadata', Subtype: 'XML' }))
          : writeXmp(context, xmp);
        document.catalog.set(PDFName.of('Metadata'), stream);
      });
      const part = await look(await extractPages(await openPdf(file), [0]));
      for (const document of [await merged(file, await made(() => undefined)), part]) {
        const xmp = readXmp(document.context) ?? '';
        expect(xmp)
          .to.include('<rdf:li xml:lang="x-default">New &lt;title&gt;</rdf:li>')
          .and.to.include('<rdf:Seq><rdf:li>B &amp; C</rdf:li></rdf:Seq>');
        expect(xmp)
          .to.include('pdf:Keywords="k"')
          .and.to.include('<xmp:CreateDate>2024-05-06T07:08:09Z</xmp:CreateDate>')
          .and.to.include('<pdf:Producer>Quire</pdf:Producer>');
        expect(xmp).to.not.include('Old').and.to.not.include('2001');
        const info = resolve(document.context, document.context.trailerInfo.Info) as PDFDict;
        expect(syncXmp(document.context, xmp, info)).to.equal(xmp);
      }
    }
  });

  it('removes properties of the whole document: page count and thumbnail', async () => {
    const thumbnails =
      '<xmp:Thumbnails><rdf:Alt><rdf:li>pixels</rdf:li></rdf:Alt></xmp:Thumbnails><xmp:Label>kept</xmp:Label>';
    const file = await archived(
      packet(thumbnails, 'xmlns:xmpTPg="http://ns.adobe.com/xap/1.0/t/pg/" xmpTPg:NPages="1"'),
    );
    for (const document of [await merged(file, file), await look(await extractPages(await openPdf(file), [0]))]) {
      expect(readXmp(document.context)).to.include('kept').and.to.not.include('pixels').and.to.not.include('NPages');
    }
  });
});

describe('hostile texts', () => {
  const size = 200_000;
  for (const [what, xmp] of [
    ['elements that never end', packet('<a:part>'.repeat(size))],
    ['white space without end', packet(`${' '.repeat(size * 10)}<`)],
    ['tags that never close', packet('<a:part '.repeat(size))],
    ['attributes that never close', packet('', ' a:part="'.repeat(size))],
  ] as const) {
    it(`take linear time: ${what}`, () => {
      claimsOf(xmp);
      withoutPageFacts(withoutClaims(xmp, ['PDF/A', 'PDF/UA']));
      for (const key of INFO_KEYS) withInfoValue(xmp, key, infoValue(xmp, key) ?? 'x');
    });
  }

  it('take linear time: scripts of quotes, slashes and words', () => {
    const keep = { field: () => undefined, destination: () => undefined };
    for (const piece of ['"', "'", '/', '/*', 'getField("a")', '(', '.name == "x" ', '\\'])
      expect(renameInScript(piece.repeat(size / 2), keep) === piece.repeat(size / 2), piece).to.equal(true);
  }).timeout(50_000);
});

describe('merged structure', () => {
  const tagged = (role: string, map: Record<string, string>, language?: string): Promise<Uint8Array> =>
    made((document, context) => {
      const root = context.nextRef();
      const element = context.register(context.obj({ Type: 'StructElem', S: role, P: root }));
      context.assign(root, context.obj({ Type: 'StructTreeRoot', K: [element], RoleMap: map }));
      document.catalog.set(PDFName.of('StructTreeRoot'), root);
      if (language !== undefined) document.catalog.set(PDFName.of('Lang'), PDFString.of(language));
    });
  const meanings = (document: PDFDocument): string[] => {
    const roles = catalogEntry(document, 'StructTreeRoot', 'RoleMap') as PDFDict | undefined;
    return (catalogEntry(document, 'StructTreeRoot', 'K') as PDFArray).asArray().map((kid) => {
      let role = (resolve(document.context, kid) as PDFDict).get(PDFName.of('S')) as PDFName;
      for (let next = roles?.get(role); next instanceof PDFName; next = roles?.get(role)) role = next;
      return role.decodeText();
    });
  };

  it('keeps the meaning of roles of each input', async () => {
    expect(meanings(await merged(await tagged('Text', {}), await tagged('Text', { Text: 'Sect' })))[1]).to.equal(
      'Sect',
    );
    expect(meanings(await merged(await tagged('P', { P: 'Div' }), await tagged('P', {})))).to.deep.equal(['Div', 'P']);
    expect(meanings(await merged(await tagged('P', {}), await tagged('P', { P: 'Div' })))).to.deep.equal(['P', 'Div']);
    expect(
      meanings(await merged(await tagged('A', { A: 'B', B: 'Sect' }), await tagged('A', { A: 'B', B: 'Div' }))),
    ).to.deep.equal(['Sect', 'Div']);
  });

  it('keeps the language of each input', async () => {
    const document = await merged(
      await tagged('P', {}, 'en'),
      await tagged('P', {}, 'de'),
      await tagged('P', {}, 'en'),
    );
    const languages = (catalogEntry(document, 'StructTreeRoot', 'K') as PDFArray)
      .asArray()
      .map((kid) =>
        ((resolve(document.context, kid) as PDFDict).get(PDFName.of('Lang')) as PDFHexString | undefined)?.decodeText(),
      );
    expect(languages).to.deep.equal([undefined, 'de', undefined]);
  });
});

describe('document-level entries', () => {
  const certified = (): Promise<Uint8Array> =>
    made((document, context) => {
      const signature = context.register(
        context.obj({ Type: 'Sig', Reference: [{ TransformMethod: 'DocMDP', TransformParams: { P: 3 } }] }),
      );
      document.catalog.set(PDFName.of('Perms'), context.obj({ DocMDP: signature, UR3: { Type: 'Sig' } }));
      document.catalog.set(
        PDFName.of('ViewerPreferences'),
        context.obj({ DisplayDocTitle: true, PrintPageRange: [1, 1] }),
      );
    });

  it('reads and removes certification and usage rights, and copies them into no merge or part', async () => {
    const opened = await openPdf(await certified());
    expect(readDocMdp(opened.document.context)).to.equal(3);
    const part = await look(await extractPages(opened, [0], { keepDocumentLevel: true }));
    const joined = await merged(await certified(), await certified());
    for (const document of [part, joined]) expect(document.catalog.has(PDFName.of('Perms'))).to.equal(false);
    expect(dropPermissions(opened.document.context)).to.equal(true);
    expect([readDocMdp(opened.document.context), dropPermissions(opened.document.context)]).to.deep.equal([
      undefined,
      false,
    ]);
  });

  it('keeps viewer preferences except the pages to print', async () => {
    const joined = await merged(await certified(), await certified());
    expect(catalogEntry(joined, 'ViewerPreferences')?.toString().replaceAll(/\s+/g, ' ')).to.equal(
      '<< /DisplayDocTitle true >>',
    );
  });
});

describe('copied streams', () => {
  it('are not read before they are needed', async () => {
    const { document, pages } = await openPdf(
      await made((target, context) =>
        target.getPage(0).node.set(PDFName.of('Contents'), context.register(context.flateStream('q Q'))),
      ),
    );
    const ref = pages[0]!.dict.get(PDFName.of('Contents'));
    const stream = resolve(document.context, ref) as PDFRawStream;
    const bytes = stream.contents;
    let asked = 0;
    Object.defineProperty(stream, 'contents', {
      get: () => {
        asked++;
        return bytes;
      },
      configurable: true,
    });
    const { ObjectCopier } = await import('../file/objects/index.js');
    const { PDFContext: Context } = await import('pdf-lib');
    const target = Context.create();
    const copier = new ObjectCopier(document.context, target);
    const place = copier.copy(ref);
    copier.drain();
    expect(asked).to.equal(0);
    expect((resolve(target, place) as PDFRawStream).contents).to.equal(bytes);
    expect(asked).to.equal(1);
  });
});

describe('attachments', () => {
  const withFiles = (): Promise<Uint8Array> =>
    made((document, context) => {
      const spec = (name: string) =>
        context.register(
          context.obj({
            Type: 'Filespec',
            UF: PDFString.of(name),
            EF: { F: context.register(context.stream(`bytes of ${name}`, { Type: 'EmbeddedFile' })) },
          }),
        );
      const listed = spec('listed.txt');
      document.catalog.set(
        PDFName.of('Names'),
        context.obj({ EmbeddedFiles: { Names: [PDFString.of('key'), listed] } }),
      );
      document.catalog.set(PDFName.of('AF'), context.obj([listed, spec('associated.xml')]));
      document
        .getPage(0)
        .node.addAnnot(
          context.register(
            context.obj({ Type: 'Annot', Subtype: 'FileAttachment', Rect: [0, 0, 9, 9], FS: spec('noted.txt') }),
          ),
        );
    });

  it('are read once each, wherever they are listed', async () => {
    const { document, pages } = await openPdf(await withFiles());
    const files = readAttachments(document.context, pages);
    expect(files.map(({ name, from }) => [name, from])).to.deep.equal([
      ['listed.txt', 'document'],
      ['noted.txt', { page: 0 }],
      ['associated.xml', 'association'],
    ]);
    expect(Buffer.from(files[1]!.file!.contents).toString()).to.equal('bytes of noted.txt');
  });

  it('are merged from all inputs, including associations', async () => {
    const { bytes } = await mergePdfs([named(await withFiles(), 'a.pdf'), named(await withFiles(), 'b.pdf')]);
    const { document, pages } = await openPdf(bytes);
    expect(readAttachments(document.context, pages).map(({ name }) => name)).to.deep.equal([
      'listed.txt',
      'listed.txt',
      'noted.txt',
      'noted.txt',
      'associated.xml',
      'associated.xml',
    ]);
    expect((catalogEntry(document, 'AF') as PDFArray).size()).to.equal(4);
  });

  it('are removed with everything that shows them', async () => {
    const { document, pages } = await openPdf(await withFiles());
    expect(dropAttachments(document.context, pages)).to.equal(3);
    expect(readAttachments(document.context, pages)).to.deep.equal([]);
    expect([
      document.catalog.has(PDFName.of('AF')),
      pages[0]!.dict.has(PDFName.of('Annots')),
      dropAttachments(document.context, pages),
    ]).to.deep.equal([false, false, 0]);
  });
});

describe('layers', () => {
  const layered = (name: string, config: Record<string, unknown>): Promise<Uint8Array> =>
    made((document, context) => {
      const group = context.register(context.obj({ Type: 'OCG', Name: PDFString.of(name) }));
      const lists = Object.fromEntries(
        Object.entries(config).map(([key, value]) => [
          key,
          Array.isArray(value) && value.length === 0 ? context.obj([group]) : value,
        ]),
      ) as Record<string, string>;
      document.catalog.set(PDFName.of('OCProperties'), context.obj({ OCGs: [group], D: lists }));
    });

  it('keep visibility and locks in a merge, whatever base states the inputs have', async () => {
    const document = await merged(
      await layered('a', { BaseState: 'OFF', ON: [] }),
      await layered('b', { Locked: [] }),
      await layered('c', { BaseState: 'OFF' }),
      await layered('d', { OFF: [], Intent: 'Design' }),
    );
    expect(readLayers(document.context).map(({ name, shown, locked }) => `${name} ${shown} ${locked}`)).to.deep.equal([
      'a true false',
      'b true true',
      'c false false',
      'd false false',
    ]);
    expect(catalogEntry(document, 'OCProperties', 'D', 'Intent')?.toString()).to.equal('[ /View /Design ]');
  });
});

describe('annotations', () => {
  it('are removed with their pop-ups, and the others keep their order', async () => {
    const { document, pages } = await openPdf(
      await made((target, context) => {
        const { node } = target.getPage(0);
        const note = context.register(context.obj({ Type: 'Annot', Subtype: 'Text', Rect: [0, 0, 9, 9] }));
        for (const annotation of [
          note,
          context.register(context.obj({ Type: 'Annot', Subtype: 'Popup', Parent: note })),
          context.register(context.obj({ Type: 'Annot', Subtype: 'Link' })),
        ])
          node.addAnnot(annotation);
      }),
    );
    const { context } = document;
    expect(readAnnotations(context, pages[0]!.dict).map(({ kind }) => kind)).to.deep.equal(['Text', 'Popup', 'Link']);
    expect(dropAnnotations(context, pages[0]!.dict, ({ kind }) => kind === 'Text')).to.equal(1);
    expect(readAnnotations(context, pages[0]!.dict).map(({ kind }) => kind)).to.deep.equal(['Link']);
    expect(dropAnnotations(context, pages[0]!.dict, ({ kind }) => kind === 'Text')).to.equal(0);
  });
});
