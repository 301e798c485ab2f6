import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { QuireError } from '@quire/registry/errors';
import { expect } from 'chai';
import sharp from 'sharp';
import { programsIn } from '../../../test/suites/programs-in.js';
import { createIsolation } from '../../isolation/index.js';
import { ProgramSupervisor } from '../programs/index.js';
import { loadSettings } from '../../settings/index.js';
import { TesseractRecognizeText } from './index.js';
import { folderOfListing } from './language-data.js';

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const { signal } = new AbortController();
const english = { languages: ['eng'], dpi: 300 };
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'no error',
    (error: unknown) => (error as QuireError).code ?? String(error),
  );
const isAlive = (pid: number): boolean => existsSync(`/proc/${pid}`);

describe('Recognition of text', function suite() {
  this.timeout(60_000);
  let folder: string;
  let made: TesseractRecognizeText[];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'quire-ocr-'));
    mkdirSync(join(folder, 'tmp'));
    made = [];
  });
  afterEach(() => {
    for (const one of made) one.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const recogniser = async ({
    path,
    env = {},
    idleMs,
  }: { path?: string; env?: Record<string, string>; idleMs?: number } = {}): Promise<TesseractRecognizeText> => {
    const settings = loadSettings({ env: { QUIRE_BASE_PATH: folder, ...env }, cwd: folder });
    const one = new TesseractRecognizeText({
      programs: new ProgramSupervisor(settings, quiet, path),
      isolation: await createIsolation(settings),
      settings,
      log: quiet,
      entry: new URL('../../dist/engines/ocr/recognition-entry.js', import.meta.url),
      ...(idleMs === undefined ? {} : { idleMs }),
    });
    made.push(one);
    return one;
  };
  const has = recogniserHas();
  /** Draws a page with so many lines, as PGM. */
  const picture = async (lines: number, name = 'page.pgm'): Promise<string> => {
    const text = Array.from(
      { length: lines },
      (_, i) =>
        `<text x="60" y="${100 + i * 70}" font-size="44" font-family="serif">The harbour master counted ` +
        `${100 + i} boxes</text>`,
    ).join('');
    const { data, info } = await sharp(
      Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="${150 + lines * 70}"><rect width="100%" ` +
          `height="100%" fill="#fff"/>${text}</svg>`,
      ),
    )
      .flatten({ background: '#fff' })
      .greyscale()
      .toColourspace('b-w')
      .raw()
      .toBuffer({ resolveWithObject: true });
    const path = join(folder, name);
    writeFileSync(path, Buffer.concat([Buffer.from(`P5\n${info.width} ${info.height}\n255\n`), data]));
    return path;
  };

  it('works without the program, in a process that starts on first use and ends when idle', async () => {
    const library = await recogniser({ path: '/nowhere', idleMs: 900 });
    const offer = await library.offer();
    expect([offer.engine, offer.languages.includes('eng'), offer.atOnce > 0, library.pids()]).to.deep.equal([
      'tesseract.js',
      true,
      true,
      [],
    ]);
    const page = await picture(2);
    await library.layer(page, join(folder, 'a.hocr'), join(folder, 'a.pdf'), english, signal);
    expect(readFileSync(join(folder, 'a.hocr'), 'utf8'))
      .to.include('>harbour<')
      .and.to.include('>101<');
    expect(readFileSync(join(folder, 'a.pdf'), 'latin1')).to.match(/^%PDF-/);
    const [pid] = library.pids();
    await library.words(page, join(folder, 'b.hocr'), english, signal);
    expect(library.pids(), 'the same process').to.deep.equal([pid]);
    while (library.pids().length > 0 || isAlive(pid!)) await pause(50);
  });

  it('ends the work of either engine when it is cancelled, and leaves no process behind', async () => {
    const page = await picture(40);
    for (const path of ['/nowhere', ...(has ? [undefined] : [])]) {
      const engine = await recogniser(path === undefined ? {} : { path });
      const abort = new AbortController();
      const work = codeOf(engine.words(page, join(folder, 'c.hocr'), english, abort.signal));
      const engines = (): readonly number[] => (path === undefined ? [...programsIn(folder).keys()] : engine.pids());
      while (engines().length === 0) await pause(20);
      // Stopped, so that it would never end by itself.
      const pids = engines();
      for (const pid of pids) process.kill(pid, 'SIGSTOP');
      abort.abort();
      expect(await work, path ?? 'the program').to.equal('CANCELLED');
      while (pids.some(isAlive)) await pause(20);
      expect(readdirSync(folder).filter((name) => name.startsWith('tesseract-'))).to.deep.equal([]);
    }
  });

  it('refuses languages that are not installed and invalid images, and reads the next image afterwards', async () => {
    writeFileSync(join(folder, 'none.pgm'), 'no picture');
    for (const path of ['/nowhere', ...(has ? [undefined] : [])]) {
      const engine = await recogniser(path === undefined ? {} : { path });
      for (const languages of [['zzz'], ['eng', '../eng'], ['osd'], []])
        expect(
          await codeOf(engine.words(join(folder, 'none.pgm'), join(folder, 'd.hocr'), { languages, dpi: 300 }, signal)),
          languages.join('+'),
        ).to.equal('OCR_LANGUAGES_UNKNOWN');
      expect(
        await codeOf(
          engine.words(join(folder, 'none.pgm'), join(folder, 'd.hocr'), { languages: ['eng'], dpi: 1e9 }, signal),
        ),
      ).to.equal('CONTRACT_BROKEN');
      expect(
        await codeOf(engine.words(join(folder, 'none.pgm'), join(folder, 'd.hocr'), english, signal)),
        path,
      ).to.equal('OCR_FAILED');
      rmSync(join(folder, 'd.hocr'), { force: true });
      await engine.words(await picture(1), join(folder, 'd.hocr'), english, signal);
      expect(readFileSync(join(folder, 'd.hocr'), 'utf8')).to.include('>harbour<');
    }
  });

  it(
    'takes language data from the folder of the settings, from the program and from packages, and several places ' +
      'at once',
    async () => {
      const own = join(folder, 'own');
      mkdirSync(own);
      const packed = join(folder, 'node_modules');
      expect(existsSync(packed)).to.equal(false);
      const library = await recogniser({ path: '/nowhere', env: { SYSTEM_TESSDATADIR: own } });
      const before = (await library.offer()).languages;
      const data = execFileSync(
        'sh',
        [
          '-c',
          'gunzip -c "$0"',
          join(
            dirname(createRequire(import.meta.url).resolve('@tesseract.js-data/eng/package.json')),
            '4.0.0_best_int/eng.traineddata.gz',
          ),
        ],
        { maxBuffer: 1 << 26 },
      );
      for (const name of ['abc', 'osd', 'Latin', 'equ']) writeFileSync(join(own, `${name}.traineddata`), data);
      writeFileSync(join(own, 'notes.txt'), '');
      expect((await library.offer()).languages).to.deep.equal([...before, 'abc'].sort());
      const page = await picture(1);
      for (const path of ['/nowhere', ...(has ? [undefined] : [])]) {
        const engine = await recogniser({ ...(path === undefined ? {} : { path }), env: { SYSTEM_TESSDATADIR: own } });
        await engine.layer(
          page,
          join(folder, `${path?.length ?? 0}.hocr`),
          join(folder, `${path?.length ?? 0}.pdf`),
          { languages: ['abc', 'eng'], dpi: 300 },
          signal,
        );
        expect(readFileSync(join(folder, `${path?.length ?? 0}.hocr`), 'utf8')).to.include('>harbour<');
      }
      expect(folderOfListing('List of available languages in "/usr/share/tessdata/" (2):\neng\nosd')).to.equal(
        '/usr/share/tessdata',
      );
      expect(folderOfListing('List of available languages (2):\neng')).to.equal(undefined);
    },
  );

  it('reads as many pages at once as the setting says', async () => {
    const library = await recogniser({
      path: '/nowhere',
      env: { PROCESSEXECUTOR_SESSIONLIMIT_TESSERACTSESSIONLIMIT: '1' },
    });
    expect((await library.offer()).atOnce).to.equal(1);
    const page = await picture(1);
    await Promise.all([1, 2].map((i) => library.words(page, join(folder, `e${i}.hocr`), english, signal)));
    expect(library.pids()).to.have.length(1);
    library.stop();
    expect(await codeOf(library.words(page, join(folder, 'f.hocr'), english, signal))).to.equal('SHUTTING_DOWN');
  });
});

function recogniserHas(): boolean {
  try {
    execFileSync('sh', ['-c', 'command -v tesseract'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
