import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import * as fontkit from 'fontkit';
import { writeStaticFonts } from '../../fonts/font-files/index.js';

/** A font that the built-in files were made into. */
function open(bytes: Buffer): fontkit.Font {
  const font = fontkit.create(bytes);
  if (!('layout' in font)) throw new Error('it is a collection');
  return font;
}

describe('whole regular fonts of the built-in files', function () {
  this.timeout(180_000);
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-fonts-'));
    await writeStaticFonts(folder);
  });
  after(() => rm(folder, { recursive: true, force: true }));
  const font = async (name: string): Promise<fontkit.Font> => open(await readFile(join(folder, `${name}.ttf`)));

  it('have no variations, their own names and the regular weight', async () => {
    for (const name of await readdir(folder)) {
      const read = await font(name.replace('.ttf', ''));
      expect(read.variationAxes, name).to.deep.equal({});
      expect([`${read.familyName.replaceAll(' ', '')}.ttf`, read.subfamilyName], name).to.deep.equal([name, 'Regular']);
      expect(read['OS/2'].usWeightClass, name).to.equal(400);
      expect(read.postscriptName, name).to.match(/^[A-Za-z]+-Regular$/);
    }
  });

  it('have every character of a family that is split over many files, with its outline and width', async () => {
    const whole = await font('NotoSansJP');
    for (const character of '日本語テキスト々〆。「」ー')
      expect(whole.hasGlyphForCodePoint(character.codePointAt(0) ?? 0), character).to.equal(true);
    const index = createRequire(import.meta.url).resolve('@fontsource-variable/noto-sans-jp/unicode.json');
    expect(whole.characterSet.length).to.be.greaterThan(10_000);
    const { default: decompress } = await import('woff2-encoder/decompress');
    const file = join(dirname(index), 'files', 'noto-sans-jp-119-wght-normal.woff2');
    const part = open(Buffer.from(await decompress(await readFile(file)))).getVariation({ wght: 400 });
    const shared = part.characterSet.filter((one) => one > 0x3000).slice(0, 40);
    expect(shared).to.have.length(40);
    for (const codePoint of shared) {
      const [made, from] = [whole, part].map((one) => one.glyphForCodePoint(codePoint)) as [
        fontkit.Glyph,
        fontkit.Glyph,
      ];
      expect(Math.abs(made.advanceWidth - from.advanceWidth), String(codePoint)).to.be.at.most(1);
      for (const side of ['minX', 'minY', 'maxX', 'maxY'] as const)
        expect(Math.abs(made.bbox[side] - from.bbox[side]), `${codePoint} ${side}`).to.be.at.most(2);
    }
  });

  it('keep the rules by which letters of a script are joined', async () => {
    const arabic = await font('NotoNaskhArabic');
    const glyphs = arabic.layout('بب').glyphs.map(({ id }) => id);
    expect(new Set(glyphs).size, 'two shapes of one letter').to.be.greaterThan(1);
  });
});
