import { inflateSync } from 'node:zlib';
import { PDFDict, PDFDocument, PDFHexString, PDFName, PDFRawStream, PDFString } from 'pdf-lib';

/** A document with a text in every place that can hold one, nothing compressed. */
export async function secretPdf(claims = ''): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const { context, catalog } = document;
  const page = document.addPage([200, 200]);
  page.node.set(
    PDFName.of('Contents'),
    context.register(context.stream('BT /F0 12 Tf 10 10 Td (Secret page text) Tj ET')),
  );
  page.node.set(
    PDFName.of('Resources'),
    context.obj({ Font: { F0: { Type: 'Font', Subtype: 'Type1', BaseFont: 'Helvetica' } } }),
  );
  const text = PDFString.of;
  page.node.set(
    PDFName.of('Annots'),
    context.obj([
      context.register(
        context.obj({ Type: 'Annot', Subtype: 'Text', Rect: [0, 0, 20, 20], Contents: text('Secret note') }),
      ),
    ]),
  );
  const outlines = context.nextRef();
  const item = context.register(
    context.obj({ Title: text('Secret outline'), Parent: outlines, Dest: [page.ref, 'Fit'] }),
  );
  context.assign(outlines, context.obj({ First: item, Last: item, Count: 1 }));
  catalog.set(PDFName.of('Outlines'), outlines);
  catalog.set(PDFName.of('OpenAction'), context.obj({ S: 'JavaScript', JS: text('Secret script') }));
  catalog.set(
    PDFName.of('AcroForm'),
    context.obj({
      Fields: [context.register(context.obj({ FT: 'Tx', T: text('field'), V: text('Secret field value') }))],
    }),
  );
  const file = context.register(
    context.stream('Secret attachment content', { Type: 'EmbeddedFile', Params: { Size: 25 } }),
  );
  const spec = context.register(
    context.obj({ Type: 'Filespec', F: text('secret-file.txt'), UF: text('secret-file.txt'), EF: { F: file } }),
  );
  catalog.set(
    PDFName.of('Names'),
    context.obj({
      EmbeddedFiles: { Names: [text('secret-file.txt'), spec] },
      Dests: { Names: [text('Secret destination'), [page.ref, 'Fit']] },
    }),
  );
  const xmp =
    '<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF ' +
    'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" ' +
    `xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:format>Secret XMP</dc:format>${claims}</rdf:Description>` +
    '</rdf:RDF></x:xmpmeta><?xpacket end="w"?>';
  catalog.set(PDFName.of('Metadata'), context.register(context.stream(xmp, { Type: 'Metadata', Subtype: 'XML' })));
  context.trailerInfo.Info = context.register(context.obj({ Title: text('Secret title') }));
  return document.save({ useObjectStreams: false });
}

/** A file, and all of its streams that inflate. */
export function inflated(file: Buffer): Buffer[] {
  const parts = [file];
  for (let at = file.indexOf('stream\n'); at >= 0; at = file.indexOf('stream\n', at + 7)) {
    try {
      parts.push(inflateSync(file.subarray(at + 7)));
    } catch {
      // Ciphertext, as expected.
    }
  }
  return parts;
}

/** Every string and stream that is reachable from the catalog and the information dictionary, in a fixed order. */
export function objectsOf(context: PDFDocument['context']): string[] {
  const found: string[] = [];
  const seen = new Set<unknown>();
  const visit = (key: string, value: unknown): void => {
    const object = context.lookup(value as never) as unknown;
    if (object instanceof PDFString || object instanceof PDFHexString) {
      // Every result names its producer.
      if (key !== '/Producer') found.push(`${key} ${Buffer.from(object.asBytes()).toString('hex')}`);
      return;
    }
    if (object === undefined || seen.has(object)) return;
    seen.add(object);
    if (object instanceof PDFRawStream) {
      found.push(`${key} stream ${Buffer.from(object.contents).toString('hex')}`);
      visit(key, object.dict);
    } else if (object instanceof PDFDict) {
      for (const [name, each] of object.entries()) visit(name.asString(), each);
    } else if (typeof (object as { asArray?: unknown }).asArray === 'function') {
      for (const each of (object as { asArray(): unknown[] }).asArray()) visit(key, each);
    }
  };
  visit('root', context.trailerInfo.Root);
  visit('info', context.trailerInfo.Info);
  return found.sort();
}
