import { ZipFile } from 'yazl';

/** A zip with these parts, in this order. */
export async function packOffice(parts: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, data] of Object.entries(parts))
    zip.addBuffer(Buffer.from(data), name, { compress: name !== 'mimetype' });
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const office = 'http://schemas.openxmlformats.org/officeDocument/2006';
const packages = 'http://schemas.openxmlformats.org/package/2006';

/** The parts of a text document of OOXML. */
export interface TextDocumentParts {
  readonly body: string;
  /** Targets outside the document by id: kind and address. */
  readonly relations?: Readonly<Record<string, readonly [kind: string, address: string]>>;
}

/** A text document of OOXML (DOCX). */
export function textDocument({ body, relations = {} }: TextDocumentParts): Promise<Buffer> {
  const type = 'application/vnd.openxmlformats-officedocument.wordprocessingml';
  const outside = Object.entries(relations)
    .map(
      ([id, [kind, address]]) =>
        `<Relationship Id="${id}" Type="${office}/relationships/${kind}" Target="${address}" TargetMode="External"/>`,
    )
    .join('');
  return packOffice({
    '[Content_Types].xml':
      `<Types xmlns="${packages}/content-types"><Default Extension="rels" ` +
      `ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ` +
      `ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${type}` +
      `.document.main+xml"/></Types>`,
    '_rels/.rels':
      `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}` +
      `/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/_rels/document.xml.rels': `<Relationships xmlns="${packages}/relationships">${outside}</Relationships>`,
    'word/document.xml':
      `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="${office}` +
      `/relationships" xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" ` +
      `xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" ` +
      `xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" ` +
      `xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><w:body>${body}</w:body></w:document>`,
  });
}

/** A flat OpenDocument text. */
export function flatText(body: string, meta = '', scripts = ''): string {
  const uri = (name: string): string =>
    `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:` +
    `${({ svg: 'svg-compatible', draw: 'drawing' } as Record<string, string>)[name] ?? name}:1.0"`;
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<office:document ` +
    `${['office', 'text', 'draw', 'svg', 'meta', 'script'].map(uri).join(' ')} ` +
    `xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:ooo="http://openoffice.org/2004/office" ` +
    `xmlns:dom="http://www.w3.org/2001/xml-events" office:version="1.2" ` +
    `office:mimetype="application/vnd.oasis.opendocument.text"><office:meta>${meta}</office:meta>${scripts}` +
    `<office:body><office:text>${body}</office:text></office:body></office:document>`
  );
}
