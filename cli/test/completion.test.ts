import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { serverForTests } from '@quire/plugin-kit';
import { expect } from 'chai';
import { Desk } from './support.js';
import { hasTerminals, isInstalled, Terminal } from './terminal.js';

const HOME_KEY = '\u0001';

/** Interactive shells: the command that starts one, the script's place below the home folder, and its start file. */
const SHELLS = {
  bash: { start: 'bash --noprofile --rcfile .bashrc', script: '.bash_completion', startFile: '. ~/.bash_completion' },
  zsh: {
    start: 'zsh',
    script: '.zfunc/_quire',
    startFile: 'fpath=(~/.zfunc $fpath); autoload -U compinit; compinit -u; bindkey -e; unsetopt beep',
  },
} as const;

describe('Completion in real shells (each skipped where the shell is missing)', () => {
  const server = serverForTests();
  const desk = new Desk(() => server.url);

  before(async () => {
    await desk.addPdfs('in.pdf', 'letter.pdf');
    // The catalog of this call is what completion knows.
    await desk.text(['count-pages', 'in.pdf']);
    const bin = join(desk.folder, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'quire'), `#!/bin/sh\nexec ${desk.commandLine([])} "$@"\n`);
    chmodSync(join(bin, 'quire'), 0o755);
  });
  after(() => desk.remove());

  const env = (): Record<string, string> => {
    const { PATH = '', ...rest } = desk.environment;
    return { ...rest, PATH: `${join(desk.folder, 'bin')}:${PATH}` };
  };

  async function install(shell: string, script: string): Promise<void> {
    const path = join(desk.folder, script);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, await desk.text(['completion', shell]));
  }

  for (const [shell, { start, script, startFile }] of Object.entries(SHELLS))
    describe(shell, () => {
      let terminal: Terminal;

      before(async function () {
        if (!hasTerminals || !isInstalled(shell)) return this.skip();
        await install(shell, script);
        writeFileSync(join(desk.work, `.${shell}rc`), `${startFile}\nPS1='ready> '\n`);
        terminal = new Terminal(start, { cwd: desk.work, env: { ...env(), ZDOTDIR: desk.work, TERM: 'dumb' } });
        await terminal.until(/ready> /);
      });
      after(() => terminal?.stop());

      /** Types a line, presses the tab key, and returns the line that the shell made of it. */
      async function completed(line: string): Promise<string> {
        const before = terminal.shown.length;
        terminal.type(`${line}\t${HOME_KEY}echo "[" \r`);
        const found = await terminal.until(new RegExp(`^[^]{${before},}\\n\\[ (quire [^\\r]*)\\r\\n`));
        return found[1] ?? '';
      }

      it('completes commands, tools, options and their values', async () => {
        expect(await completed('quire add-waterm')).to.match(/^quire add-watermark ?$/);
        expect(await completed('quire comple')).to.match(/^quire completion ?$/);
        expect(await completed('quire jobs can')).to.match(/^quire jobs cancel ?$/);
        expect(await completed('quire rotate --ang')).to.match(/^quire rotate --angle ?$/);
        expect(await completed('quire add-stamp --stamp-type im')).to.match(/^quire add-stamp --stamp-type image ?$/);
      });

      it('offers files where a document is expected', async () => {
        expect(await completed('quire rotate lett')).to.match(/^quire rotate letter\.pdf ?$/);
      });
    });

  describe('fish', () => {
    before(async function () {
      if (!isInstalled('fish')) return this.skip();
      await install('fish', '.config/fish/completions/quire.fish');
    });

    const offered = (line: string): string[] => {
      const { stdout, stderr } = spawnSync('fish', ['--command', `complete -C'${line}'`], {
        cwd: desk.work,
        env: { ...env(), TERM: 'dumb' },
        encoding: 'utf8',
      });
      expect(stderr).to.equal('');
      // A description may follow after a tab.
      return stdout.split('\n').flatMap((each) => (each === '' ? [] : [each.split('\t')[0] ?? '']));
    };

    it('offers commands, tools, options and their values', () => {
      expect(offered('quire add-wat')).to.deep.equal(['add-watermark']);
      expect(offered('quire jobs ')).to.deep.equal(['cancel', 'list', 'result', 'show', 'wait']);
      expect(offered('quire rotate --ang')).to.deep.equal(['--angle']);
      expect(offered('quire add-stamp --stamp-type ')).to.deep.equal(['image', 'text']);
    });

    it('offers files where a document is expected, and only there', () => {
      expect(offered('quire rotate lett')).to.deep.equal(['letter.pdf']);
      expect(offered('quire le')).to.deep.equal([]);
    });
  });
});
