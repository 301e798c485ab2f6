import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PDFDocument, PDFName } from 'pdf-lib';
import { type Alphabet, TextFont, shapeLine } from '../../fonts/index.js';
import { withDocument } from '../../engines/pdfium/index.js';
import { renderPage } from '../../engines/rendering/index.js';

const samples: Readonly<Record<Alphabet, string>> = {
  roman: 'Café AV fi Ελληνικά Привет',
  arabic: 'السلام عليكم إله إلا الله',
  japanese: '社外秘の書類カタカナ',
  korean: '대외비 문서 한국어',
  chinese: '机密文件請勿複製',
  thai: 'น้ำท่วมที่นี่ ห้ามคัดลอก',
};

/** Scripts outside of all alphabets of the API: vowels before their letters, conjuncts, marks without an anchor. */
const southern: Readonly<Record<string, string>> = {
  Tamil: 'தமிழ் மொழி கொண்டு',
  Bengali: 'বাংলা ভাষা ক্ষুদ্র স্ত্রী',
  Telugu: 'తెలుగు భాష క్షేమం',
  Kannada: 'ಕನ್ನಡ ಭಾಷೆ ಸ್ತ್ರೀ',
  Malayalam: 'മലയാളം കേരളം സ്ത്രീ കൊ',
  Gujarati: 'ગુજરાતી સ્ત્રી કિ',
  Gurmukhi: 'ਪੰਜਾਬੀ ਕਿਤਾਬ ਸ੍ਰੀ',
  Sinhala: 'සිංහල භාෂාව ශ්‍රී',
  Khmer: 'ភាសាខ្មែរ ភ្នំពេញ',
  Lao: 'ພາສາລາວ ວຽງຈັນ ນໍ້າ',
};

async function draw(text: string, alphabet: Alphabet): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const page = document.addPage([600, 60]);
  const font = new TextFont(document);
  const operators = `BT /F 24 Tf 1 0 0 1 20 20 Tm ${font.show(await shapeLine(text, alphabet), 24)} ET`;
  font.embed();
  page.node.set(PDFName.of('Resources'), document.context.obj({ Font: { F: font.ref } }));
  page.node.set(PDFName.of('Contents'), document.context.register(document.context.stream(operators)));
  return document.save();
}

function pdftotext(bytes: Uint8Array): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'quire-fonts-'));
  try {
    writeFileSync(join(folder, 'a.pdf'), bytes);
    return execFileSync('pdftotext', [join(folder, 'a.pdf'), '-'], { encoding: 'utf8' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Without the direction marks that the program adds. */
const plain = (text: string): string => text.replace(/[\u200e\u200f\u202a-\u202e\f\r\n]/g, '').trim();

async function inkedColumns(bytes: Uint8Array): Promise<number> {
  const pixels = await withDocument(bytes, {}, (document) =>
    renderPage(document, 0, { width: 600, height: 60, annotations: false }),
  );
  let columns = 0;
  for (let x = 0; x < 600; x++) {
    for (let y = 0; y < 60; y++) {
      if (pixels[(y * 600 + x) * 4]! < 128) {
        columns++;
        break;
      }
    }
  }
  return columns;
}

describe('shaped text', function () {
  this.timeout(60_000);

  it('draws scripts of South and South-East Asia, extracted in writing order', async () => {
    // Engines guess blanks between syllables from their widths, and omit joiners.
    const bare = (text: string): string => plain(text).replace(/[\s\u200d]/g, '');
    for (const [script, text] of Object.entries(southern)) {
      const bytes = await draw(`Ab ${text}`, 'roman');
      expect(await inkedColumns(bytes), script).to.be.greaterThan(80);
      expect(bare(await withDocument(bytes, {}, (document) => document.pageText(0))), script).to.equal(
        bare(`Ab ${text}`),
      );
    }
  });

  for (const [alphabet, text] of Object.entries(samples) as [Alphabet, string][]) {
    it(`draws ${alphabet} text that is extracted as written`, async function () {
      const bytes = await draw(text, alphabet);
      expect(await inkedColumns(bytes)).to.be.greaterThan(80);
      if (alphabet !== 'arabic') {
        expect(plain(await withDocument(bytes, {}, (document) => document.pageText(0)))).to.equal(text);
      }
      const extracted = pdftotext(bytes);
      if (extracted === undefined) {
        this.test!.title += ' (skipped: pdftotext is not installed)';
        this.skip();
      }
      expect(plain(extracted)).to.equal(text);
    });
  }

  it('joins Arabic letters, so that a word is narrower than its separate letters', async () => {
    const word = await shapeLine('عليكم', 'arabic');
    const apart = await Promise.all([...'عليكم'].map((letter) => shapeLine(letter, 'arabic')));
    expect(word.width).to.be.lessThan(apart.reduce((sum, line) => sum + line.width, 0));
  });

  it('keeps marks with their letters, so that they are extracted in order', async function () {
    for (const [text, alphabet] of [
      ['ลับที่สุด ผู้ใหญ่ ปั๊ม', 'thai'],
      ['مُحَمَّد لا إلٰه', 'arabic'],
      ['בְּרֵאשִׁית', 'roman'],
      ['x\u0302y\u0323', 'roman'],
    ] as const) {
      const bytes = await draw(text, alphabet);
      expect(
        plain(await withDocument(bytes, {}, (document) => document.pageText(0))).normalize('NFC'),
        `${text}, by PDFium`,
      ).to.equal(text.normalize('NFC'));
      const extracted = pdftotext(bytes);
      if (extracted === undefined) continue;
      expect(plain(extracted), text).to.equal(text.normalize('NFC'));
    }
  });

  it('paints right-to-left words from the right and numbers among them from the left', async () => {
    const { glyphs } = await shapeLine('عربي 123', 'arabic');
    expect(glyphs.map((glyph) => glyph.text).join('')).to.equal('123 يبرع');
  });

  it('mirrors brackets in right-to-left text once', async () => {
    const { glyphs } = await shapeLine('ا(ب)', 'arabic');
    const opening = (await shapeLine('(', 'arabic')).glyphs[0]!;
    expect(glyphs.at(0)!.text).to.equal(')');
    expect(glyphs.at(0)!.parts[0]!.id).to.equal(opening.parts[0]!.id);
  });

  it('puts the Thai tone above the vowel it follows', async () => {
    const { glyphs } = await shapeLine('น้ำ', 'thai');
    const [, circle, tone] = glyphs[0]!.parts;
    expect(circle!.y).to.be.at.most(tone!.y);
    expect(glyphs.map((glyph) => glyph.text).join('')).to.equal('น้ำ');
  });

  it('uses fonts of other alphabets where the requested one lacks characters', async () => {
    const { glyphs } = await shapeLine('A日ไ', 'roman');
    expect(new Set(glyphs.map((glyph) => glyph.parts[0]!.face.key.replace(/-[^-]+-wght.*/, '')))).to.have.property(
      'size',
      3,
    );
  });

  it('uses separate fonts for symbols and Hebrew, and the requested one for words beside them', async () => {
    const { glyphs } = await shapeLine('☑ ✔ ✗ ☐ ok 12 שלום', 'roman');
    expect(glyphs.map(({ text }) => text).join('')).to.equal('☑ ✔ ✗ ☐ ok 12 םולש');
    const keyOf = (wanted: string): string => glyphs.find(({ text }) => text === wanted)!.parts[0]!.face.key;
    expect(keyOf('o')).to.match(/^noto-sans-latin/);
    expect(keyOf('✔')).to.match(/^noto-sans-symbols/);
    expect(keyOf('ש')).to.match(/^noto-sans-hebrew/);
  });

  it('rejects characters that no font has and names them and the field', async () => {
    const error = await shapeLine('ok 𒀀', 'roman', 'watermarkText').then(
      () => undefined,
      (reason: unknown) => reason as { code: string; errors: unknown },
    );
    expect(error).to.have.property('code', 'INPUT_INVALID');
    expect(JSON.stringify(error!.errors)).to.contain('/watermarkText').and.to.contain('U+12000');
  });

  it('draws control characters as blanks', async () => {
    const { glyphs } = await shapeLine('a\tb', 'roman');
    expect(glyphs.map((glyph) => glyph.text).join('')).to.equal('a b');
  });

  it('shapes single words as in a line, and keeps marks with digits and blanks', async () => {
    const whole = await shapeLine('Page 10 of 2026', 'roman');
    const parts = await Promise.all(
      ['Page', ' ', '10', ' ', 'of', ' ', '2026'].map((part) => shapeLine(part, 'roman')),
    );
    expect(whole.width).to.be.closeTo(
      parts.reduce((sum, { width }) => sum + width, 0),
      0.01,
    );
    expect(whole.glyphs.map((glyph) => glyph.text).join('')).to.equal('Page 10 of 2026');
    const marked = await shapeLine('1\u0301 \u0301x', 'roman');
    expect(marked.glyphs.map((glyph) => glyph.text).join('')).to.equal('1\u0301 \u0301x');
  });

  it('returns the same line twice', async () => {
    const text = 'AV 12 fi ما Ж';
    const read = ({ glyphs, width }: Awaited<ReturnType<typeof shapeLine>>): unknown => [
      width,
      glyphs.map(({ text: shown, advance, xOffset, parts }) => [
        shown,
        advance,
        xOffset,
        parts.map(({ id, x, y }) => [id, x, y]),
      ]),
    ];
    expect(read(await shapeLine(text, 'roman'))).to.deep.equal(read(await shapeLine(text, 'roman')));
  });
});
