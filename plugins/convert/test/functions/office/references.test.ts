import { expect } from 'chai';
import { cleanRtf } from '../../../src/functions/office/clean-rtf.js';
import { decodeXml } from '@quire/document/file/xml';
import { allowHosts } from '../../../src/functions/office/outside.js';
import { cleanXml } from '../../../src/functions/office/xml-references.js';

const none = allowHosts([]);
const flat = (text: string): string => cleanXml(text, { inPackage: false, mayStay: none });

describe('references in the XML of documents', () => {
  it('are taken out of fields that include files, however the instruction is cut up, and the result stays', () => {
    const field = (...instructions: string[]): string =>
      `<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r>` +
      `${instructions.map((text) => `<w:r><w:instrText xml:space="preserve">${text}</w:instrText></w:r>`).join('')}` +
      `<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>saved</w:t></w:r><w:r><w:fldChar ` +
      `w:fldCharType="end"/></w:r></w:p>`;
    for (const parts of [
      [' INCLUDEPICTURE "file:///etc/x.png" \\d'],
      ['INCL', 'UDE', 'TEXT "/etc/passwd"'],
      ['&#73;MPORT x'],
      ['<![CDATA[ DDEAUTO ]]>', 'cmd'],
      [' LINK Excel.Sheet'],
      ['include x'],
    ]) {
      const cleaned = flat(field(...parts));
      expect(cleaned, parts.join('|')).to.equal(field(...parts.map(() => '')));
    }
    for (const kept of [' HYPERLINK "https://example.org/"', ' PAGE ', ' REF link ', ' INCLUDED '])
      expect(flat(field(kept)), kept).to.equal(field(kept));
    expect(flat('<w:fldSimple w:instr=" INCLUDETEXT &quot;/etc/passwd&quot;"><w:r/></w:fldSimple>')).to.equal(
      '<w:fldSimple w:instr=""><w:r/></w:fldSimple>',
    );
  });

  it('are taken out of a field within a field alone', () => {
    const inner =
      '<w:fldChar w:fldCharType="begin"/><w:instrText>INCLUDEPICTURE x</w:instrText><w:fldChar w:fldCharType="end"/>';
    const text =
      `<w:r><w:fldChar w:fldCharType="begin"/><w:instrText>IF 1=1 </w:instrText>${inner}<w:instrText>` +
      `"a"</w:instrText><w:fldChar w:fldCharType="end"/></w:r>`;
    expect(flat(text)).to.equal(text.replace('INCLUDEPICTURE x', ''));
  });

  it('are taken out of formulas, sources of tables and DDE, and values stay', () => {
    expect(
      flat('<table:table-cell table:formula="of:=COM.MICROSOFT.WEBSERVICE(&quot;http://x&quot;)" office:value="4"/>'),
    ).to.equal('<table:table-cell office:value="4"/>');
    expect(flat("<c><f>'file:///etc/x.ods'#$A.A1</f><v>3</v></c>")).to.equal('<c><f></f><v>3</v></c>');
    expect(flat('<c><f>HYPERLINK("https://example.org","x")</f></c>')).to.contain('HYPERLINK');
    expect(
      flat(
        '<text:dde-connection-decl office:dde-application="soffice" office:dde-topic="/etc/passwd" ' +
          'office:dde-item="1"/>',
      ),
    ).not.to.match(/passwd|soffice/);
    expect(flat('<table:table-source xlink:href="sheet.ods"/>')).to.equal('<table:table-source xlink:href=""/>');
  });

  it('are found in any spelling of an address, and links to click stay', () => {
    for (const address of [
      'http://a/',
      'HTTP://a',
      ' file:///x',
      '//host/x',
      '\\\\host\\x',
      '/etc/passwd',
      '%2e%2e/%2e%2e/x',
      './../x',
      'a/../../x',
      'smb://x',
      'fi&#10;le:///x',
      'vnd.sun.star.script:x',
    ]) {
      expect(cleanXml(`<draw:image xlink:href="${address}"/>`, { inPackage: true, mayStay: none }), address).to.equal(
        '<draw:image xlink:href=""/>',
      );
    }
    for (const kept of [
      '<draw:image xlink:href="Pictures/1.png"/>',
      '<draw:object xlink:href="./Object 1"/>',
      '<text:a xlink:href="../other.odt">x</text:a>',
      '<draw:area-rectangle xlink:href="https://example.org/"/>',
      '<presentation:event-listener xlink:href="#page2"/>',
      '<v:shape href="https://example.org/"/>',
    ]) {
      expect(cleanXml(kept, { inPackage: true, mayStay: none })).to.equal(kept);
    }
  });

  it('are not hidden by entities: a document type with declarations is refused, another is dropped', () => {
    const refuse = (detail: string): Error => new Error(detail);
    const decode = (text: string): string => decodeXml(Buffer.from(text), refuse);
    expect(() => decode('<?xml version="1.0"?>\n<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>')).to.throw(/document type/);
    expect(() => decode('<!-- x --><!DOCTYPE a SYSTEM "x" [ ]><a/>')).to.throw(/document type/);
    expect(() => decode('<!ENTITY x "y"><a/>')).to.throw(/document type/);
    expect(() => decode('no markup')).to.throw(/root/);
    expect(decode('<!DOCTYPE svg PUBLIC "x" "y"><svg/>')).to.equal('<svg/>');
    expect(
      decodeXml(Buffer.from('<?xml version="1.0" encoding="windows-1252"?><a>\x80</a>', 'latin1'), refuse),
    ).to.equal('<?xml version="1.0" encoding="UTF-8"?><a>€</a>');
    expect(decodeXml(Buffer.from('<a>ä</a>', 'utf16le'), refuse)).to.equal('<a>ä</a>');
  });
});

describe('references in Rich Text', () => {
  const clean = (rtf: string): string => cleanRtf(rtf, none);

  it('are taken out of fields that include files, however the instruction is written, and the result stays', () => {
    for (const instruction of [
      'INCLUDEPICTURE "/etc/x.png"',
      '{INCLUDE}{PICTURE "/x"}',
      "\\'49NCLUDETEXT x",
      '\\u73?MPORT x',
      '\\b\\i DDEAUTO soffice x',
      'INCL\r\nUDETEXT x',
      ' LINK Excel.Sheet.8 "x"',
    ]) {
      const field = (text: string): string => `{\\rtf1 {\\field{\\*\\fldinst ${text}}{\\fldrslt saved}}}`;
      expect(clean(field(instruction)), instruction).to.equal(field(''));
    }
    const kept =
      '{\\rtf1 {\\field{\\*\\fldinst{HYPERLINK "https://example.org/"}}{\\fldrslt x}} {\\field{\\fldinst ' +
      'PAGE}{\\fldrslt INCLUDETEXT x}}}';
    expect(clean(kept)).to.equal(kept);
  });

  it('are taken out of templates, linked objects and linked pictures of shapes', () => {
    expect(clean('{\\rtf1{\\*\\template http://x/t.dot}\\pard x}')).to.equal('{\\rtf1\\pard x}');
    expect(clean('{\\rtf1{\\object\\objautlink\\objupdate\\objw1{\\*\\objclass x}{\\result r}}}')).to.equal(
      '{\\rtf1{\\object\\objw1{\\*\\objclass x}{\\result r}}}',
    );
    expect(
      clean(
        '{\\rtf1{\\sp{\\sn pibName}{\\sv file:///etc/x.png}}{\\sp{\\sn pibFlags}{\\sv 10}}{\\sp{\\sn fLine}{\\sv 1}}}',
      ),
    ).to.equal('{\\rtf1{\\sp{\\sn pibName}{\\sv }}{\\sp{\\sn pibFlags}{\\sv }}{\\sp{\\sn fLine}{\\sv 1}}}');
  });

  it('are not hidden by binary data, and what looks like one in it is none', () => {
    const binary = '{\\*\\template x}';
    expect(clean(`{\\rtf1{\\pict\\bin${binary.length} ${binary}}{\\*\\template y}}`)).to.equal(
      `{\\rtf1{\\pict\\bin${binary.length} ${binary}}}`,
    );
    expect(clean('{\\rtf1 }}}{{{\\bin99999999 x')).to.equal('{\\rtf1 }}}{{{\\bin99999999 x');
  });
});
