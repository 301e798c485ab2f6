import { expect } from 'chai';
import { PDFDict, PDFHexString, PDFName, type PDFObject, type PDFRef, PDFString, StandardFonts } from 'pdf-lib';
import { redactDocumentData } from '../../../redaction/document-data/index.js';
import { openPdf } from '../../../file/open/index.js';
import { listAttachments } from '../../../structure/attachments/index.js';
import { readAnnotations } from '../../../structure/annotations/index.js';
import { readNamedDestinations, targetOf } from '../../../structure/names/index.js';
import { withDocument } from '../../../engines/pdfium/index.js';
import { blank, redacted, readable, put, stream, annotate } from './support.js';

describe('redactDocumentData', () => {
  it('blanks comments in content that contain found text, and nothing that only looks like one', async () => {
    const document = await blank();
    const font = await document.embedFont(StandardFonts.Helvetica);
    const page = document.getPage(0);
    const resources = { Font: { F: font.ref } };
    page.node.setXObject(
      PDFName.of('Fm'),
      stream(document, '% a SECRET of the form\n0 0 10 10 re f', {
        Type: 'XObject',
        Subtype: 'Form',
        BBox: [0, 0, 10, 10],
      }),
    );
    page.node.set(
      PDFName.of('Contents'),
      document.context.obj([
        stream(document, 'q % the secret of the author\r1 0 0 1 0 0 cm % harmless'),
        stream(document, '/Fm Do BT /F 12 Tf 20 100 Td (100 % of it) Tj ET Q % another remark\n'),
      ]),
    );
    put(
      page.node,
      'Resources',
      document.context.obj({ ...resources, XObject: page.node.Resources()?.lookup(PDFName.of('XObject')) } as never),
    );
    const { bytes, counts } = await redacted(document);
    const text = await readable(bytes);
    expect(counts.streams).to.equal(2);
    expect(text.toLowerCase()).not.to.contain('secret');
    expect(text)
      .to.contain('(100 % of it)')
      .and.to.contain('% another remark')
      .and.to.match(/q\s+1 0 0 1 0 0 cm/);
    expect(await withDocument(bytes, {}, (opened) => opened.pageText(0))).to.contain('100 % of it');
  });

  it('empties forms that no page draws, whatever refers to them, and keeps the others', async () => {
    const document = await blank();
    const font = await document.embedFont(StandardFonts.Helvetica);
    const form = (text: string): PDFRef =>
      stream(document, `BT /F 12 Tf (${text}) Tj ET`, {
        Type: 'XObject',
        Subtype: 'Form',
        BBox: [0, 0, 100, 50],
        Resources: { Font: { F: font.ref } },
      });
    const page = document.getPage(0);
    const [drawn, left, odd, innocent] = [
      form('the secret seen'),
      form('a secret left'),
      form('an odd secret'),
      form('nothing'),
    ];
    for (const [name, ref] of [
      ['Drawn', drawn],
      ['Left', left],
      ['Innocent', innocent],
    ] as const)
      page.node.setXObject(PDFName.of(name), ref);
    put(document.catalog, 'FooBar', document.context.obj({ N: odd }));
    page.node.set(PDFName.of('Contents'), stream(document, '/Drawn Do'));
    const { bytes, counts } = await redacted(document);
    const text = await readable(bytes);
    expect(counts.streams).to.equal(2);
    expect(text)
      .to.contain('the secret seen')
      .and.to.contain('nothing')
      .and.not.to.contain('a secret left')
      .and.not.to.contain('an odd secret');
  });

  it('cuts found words out of strings and keeps their encoding', async () => {
    const document = await blank();
    document.setTitle('Report');
    const { context } = document;
    const info = context.lookup(context.trailerInfo.Info, PDFDict);
    put(info, 'Plain', PDFString.of('The Secret plan'));
    put(info, 'Wide', PDFHexString.fromText('Der Secret-Plan für Łódź'));
    put(info, 'Utf8', PDFHexString.of(Buffer.from('\ufeffle secret d’été').toString('hex')));
    put(info, 'Soft', PDFHexString.fromText('a se\u00adcr\u200bet here'));
    put(info, 'Accent', PDFString.of('caf\\351 secret'));
    const result = await redacted(document);
    const after = result.document.context.lookup(result.document.context.trailerInfo.Info, PDFDict);
    const bytes = (key: string): Buffer => Buffer.from((after.get(PDFName.of(key)) as PDFHexString).asBytes());
    expect(bytes('Plain').toString('latin1')).to.equal('The  plan');
    expect((after.get(PDFName.of('Wide')) as PDFHexString).decodeText()).to.equal('Der -Plan für Łódź');
    expect(bytes('Utf8').toString('utf8')).to.equal('\ufeffle  d’été');
    expect((after.get(PDFName.of('Soft')) as PDFHexString).decodeText()).to.equal('a  here');
    expect(bytes('Accent').toString('latin1')).to.equal('café');
    expect(result.document.getTitle()).to.equal('Report');
  });

  it('leaves found text in no place that a program could read', async () => {
    const document = await blank(2);
    const { context } = document;
    const [first, second] = document.getPages();
    if (first === undefined || second === undefined) throw new Error('two pages');
    const text = PDFString.of('a secret here');
    const at = (value: unknown): PDFRef => context.register(context.obj(value as never));
    const xmp = stream(document, '<x:xmpmeta xmlns:x="adobe:ns:meta/"><b>a s&#x65;cret</b></x:xmpmeta>', {
      Type: 'Metadata',
      Subtype: 'XML',
    });
    annotate(document, {
      Subtype: 'Text',
      Contents: text,
      T: text,
      Subj: text,
      NM: text,
      RC: PDFString.of('<body><p>a sec</p><p>ret</p></body>'),
    });
    annotate(document, { Subtype: 'Link', A: { S: 'URI', URI: PDFString.of('https://example.com/%53ecret') } });
    annotate(document, { Subtype: 'Link', A: { S: 'JavaScript', JS: stream(document, 'app.alert("secret")') } });
    annotate(document, { Subtype: 'Link', A: { S: 'GoTo', D: PDFString.of('secret place') } });
    annotate(document, {
      Subtype: 'Link',
      A: { S: 'Launch', F: { F: PDFString.of('secret.exe') }, Next: { S: 'Named', N: 'NextPage' } },
    });
    const root = context.nextRef();
    const item = at({ Title: text, Parent: root, Dest: PDFString.of('secret place') });
    const structure = at({
      Type: 'StructTreeRoot',
      K: { S: 'P', P: root, Alt: text, ActualText: text, E: text, T: text, ID: PDFString.of('secret element') },
      IDTree: { Names: [PDFString.of('secret element'), structElement()] },
    });
    function structElement(): PDFRef {
      return at({ Type: 'StructElem', S: 'P', ID: PDFString.of('secret element') });
    }
    for (const [key, value] of Object.entries({
      Outlines: root,
      StructTreeRoot: structure,
      Metadata: xmp,
      PieceInfo: { A: { Private: text } },
      SpiderInfo: { V: 1, C: [text] },
      Unheard: stream(document, 'of a Secret'),
      Strings: [[text], at([text])],
      PageLabels: { Nums: [0, { P: text }] },
      OCProperties: { OCGs: [at({ Type: 'OCG', Name: text })], D: { Name: text } },
      Threads: [at({ Type: 'Thread', I: { Title: text } })],
      URI: { Base: text },
      OutputIntents: [{ Type: 'OutputIntent', S: 'GTS_PDFX', Info: text }],
      Collection: { Schema: { A: { Type: 'CollectionField', N: text } } },
      Dests: { secretName: [first.ref, 'Fit'] },
      Names: {
        Dests: { Names: [PDFString.of('a'), [first.ref, 'Fit'], PDFString.of('secret place'), [second.ref, 'Fit']] },
        JavaScript: { Names: [PDFString.of('secret script'), { S: 'JavaScript', JS: PDFString.of('1') }] },
        URLS: { Names: [PDFString.of('secret'), [1]] },
        AlternatePresentations: { Names: [PDFString.of('secret show'), { Type: 'SlideShow', StartResource: text }] },
      },
    }))
      document.catalog.set(PDFName.of(key), context.obj(value as never));
    context.assign(root, context.obj({ Type: 'Outlines', First: item, Last: item, Count: 1 }));
    put(first.node, 'Thumb', stream(document, 'secret', { Width: 1, Height: 1 }));
    put(first.node, 'AF', context.obj([at({ Type: 'Filespec', F: text, Desc: text })]));
    expect(await readable(await document.save())).to.match(/secret/i);
    const result = await redacted(document);
    expect(await readable(result.bytes)).not.to.match(/s(?:e|&#x65;)cret|%53ecret/i);
    expect(result.counts).to.include({ actions: 3, files: 0 });
    expect(result.document.getPageCount()).to.equal(2);
  });

  it('keeps bookmarks and links to renamed destinations valid', async () => {
    const document = await blank(2);
    const { context } = document;
    const destinations = [
      [PDFString.of('secret b'), [document.getPage(1).ref, 'Fit']],
      [PDFString.of('redacted-1'), [document.getPage(0).ref, 'Fit']],
      [PDFString.of('other'), [document.getPage(0).ref, 'Fit']],
    ].flat();
    document.catalog.set(PDFName.of('Names'), context.obj({ Dests: { Names: destinations } } as never));
    annotate(document, { Subtype: 'Link', Dest: PDFHexString.fromText('secret b') });
    annotate(document, { Subtype: 'Link', A: { S: 'GoTo', D: PDFString.of('secret b') } });
    annotate(document, { Subtype: 'Link', A: { S: 'GoTo', D: PDFString.of('other') } });
    const after = (await redacted(document)).document;
    const named = readNamedDestinations(after.context);
    const pages = after.getPages().map(({ ref }) => ref);
    const targets = readAnnotations(after.context, after.getPage(0).node).map(({ dict }) =>
      targetOf(after.context, named, dict, pages),
    );
    expect(targets.map((target) => (target.kind === 'page' ? pages.indexOf(target.page) : target.kind))).to.deep.equal([
      1, 1, 0,
    ]);
    expect([...named.strings.keys()].sort())
      .to.have.length(3)
      .and.to.include('other')
      .and.to.include('redacted-1');
  });

  it('leaves a document unchanged if nothing is found', async () => {
    const document = await blank();
    document.setTitle('Nothing to see');
    annotate(document, { Subtype: 'Text', Contents: PDFString.of('a note'), M: PDFString.of('D:20260101') });
    await document.attach(Buffer.from('harmless'), 'a.txt');
    const { counts, document: after } = await redacted(document);
    expect(Object.values(counts).every((count) => count === 0)).to.equal(true);
    expect([after.getTitle(), listAttachments(after.context).length]).to.deep.equal(['Nothing to see', 1]);
  });

  it('ends for a pattern that matches everything, and for endless structures', async () => {
    const document = await blank();
    const { context } = document;
    document.setTitle('Title');
    const loop = context.nextRef();
    const array = context.obj([PDFString.of('text')]);
    array.push(array as never);
    context.assign(
      loop,
      context.obj({
        Title: PDFString.of('text'),
        Next: loop,
        Parent: loop,
        A: { S: 'JavaScript', JS: PDFString.of('1') },
      }),
    );
    document.catalog.set(PDFName.of('Outlines'), context.obj({ First: loop, Last: loop }));
    let actions: PDFObject = context.obj({ S: 'Named', N: 'NextPage' });
    for (let depth = 0; depth < 40; depth++)
      actions = context.register(context.obj({ S: 'Named', N: 'NextPage', Next: [actions, actions, actions] }));
    document.catalog.set(PDFName.of('OpenAction'), actions);
    const opened = await openPdf(await document.save());
    document.catalog.set(PDFName.of('Endless'), array);
    const counts = await redactDocumentData(opened, { find: (text) => (text === '' ? [] : [[0, text.length]]) });
    expect(counts.strings).to.be.greaterThan(1);
    expect(counts.actions).to.equal(1);
  });

  it('removes certificates that name somebody wherever signatures and their validation refer to them', async () => {
    const document = await blank();
    const { context } = document;
    const certificate = (name: string): PDFRef => stream(document, `0\x82\0${name}\0`);
    const [found, other, answer] = [
      certificate('The Secret Signer'),
      certificate('Somebody'),
      certificate('Responder'),
    ];
    const validation = { Certs: [found, other], OCSPs: [answer] };
    const vri = { '00': { Type: 'VRI', Cert: [found, other], OCSP: [answer] } };
    document.catalog.set(PDFName.of('DSS'), context.obj({ Type: 'DSS', ...validation, VRI: vri }));
    const signature = (Cert: unknown): PDFRef =>
      context.register(
        context.obj({
          Type: 'Sig',
          SubFilter: 'adbe.x509.rsa_sha1',
          ByteRange: [0, 1, 2, 3],
          Contents: PDFHexString.of('0401aa'),
          Cert,
        } as never),
      );
    const encoded = (name: string): PDFHexString => PDFHexString.of(Buffer.from(`0\x82\0${name}\0`).toString('hex'));
    for (const [name, cert] of [
      ['One', encoded('The Secret Signer')],
      ['Several', [encoded('Somebody'), encoded('Secret Authority')]],
      ['Harmless', encoded('Somebody Else')],
    ] as const)
      document.catalog.set(PDFName.of(name), context.obj({ FT: 'Sig', V: signature(cert) }));
    const { bytes, counts, document: after } = await redacted(document);
    const text = await readable(bytes);
    expect(text.toLowerCase()).not.to.contain('secret');
    expect(text).to.contain('Somebody Else').and.to.contain('Responder');
    expect(counts).to.include({ strings: 2 });
    const dss = after.catalog.lookup(PDFName.of('DSS'), PDFDict);
    const listed = (dict: PDFDict, key: string): string | undefined => dict.get(PDFName.of(key))?.toString();
    const forSignature = dss.lookup(PDFName.of('VRI'), PDFDict).lookup(PDFName.of('00'), PDFDict);
    expect(listed(dss, 'Certs')).to.match(/^\[ \d+ 0 R \]$/);
    expect(listed(forSignature, 'Cert')).to.equal(listed(dss, 'Certs'));
    expect(listed(forSignature, 'OCSP')).to.equal(listed(dss, 'OCSPs'));
  });

  it('keeps palettes but for letters, removes checksums that spell terms, renames fonts of appearances', async () => {
    const document = await blank();
    const { context } = document;
    document.catalog.set(
      PDFName.of('Held'),
      context.obj({
        Colours: ['Indexed', 'DeviceRGB', 1, PDFString.of('secret')],
        CheckSum: PDFString.of('secret'),
        DA: PDFString.of('/secret 10 Tf (secret) 0 g'),
      }),
    );
    const { counts, document: after } = await redacted(document);
    expect(counts.strings).to.equal(2);
    const held = after.catalog.lookup(PDFName.of('Held'), PDFDict);
    const appearance = held.lookup(PDFName.of('DA'), PDFHexString).decodeText();
    expect([held.has(PDFName.of('CheckSum')), appearance]).to.deep.equal([false, '/redacted-1 10 Tf () 0 g']);
    expect(held.get(PDFName.of('Colours'))?.toString()).to.equal('[ /Indexed /DeviceRGB 1 <707070707070> ]');
  });
});
