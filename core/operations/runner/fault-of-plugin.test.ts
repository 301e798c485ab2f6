import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { InputError } from '@quire/registry';
import { expect } from 'chai';
import { faultOfPlugin } from './fault-of-plugin.js';

describe('an error behind a document that was refused as damaged', () => {
  let root: string;
  let entryUrl: string;
  const library = import.meta.resolve('@quire/document').replace(/dist\/.*/, '');

  before(() => {
    // A plugin in a package folder of others, as npm installs it, under a path with a space.
    root = join(mkdtempSync(join(tmpdir(), 'quire fault-')), 'node_modules', 'quire-plugin-odd');
    mkdirSync(join(root, 'dist'), { recursive: true });
    writeFileSync(join(root, 'package.json'), '{"name": "quire-plugin-odd"}');
    entryUrl = pathToFileURL(join(root, 'dist', 'index.js')).href;
  });
  after(() => rmSync(join(root, '..', '..'), { recursive: true }));

  const places = {
    plugin: () => `    at odd (${pathToFileURL(join(root, 'src', 'odd.ts')).href}:3:7)`,
    pluginAlone: () => `    at ${entryUrl}:3:7`,
    pluginLater: () => `    at async ${entryUrl}:3:7`,
    ownLibrary: () => `    at parse (${join(root, 'node_modules', 'xlsx', 'index.js')}:1:1)`,
    otherLibrary: () => `    at inflate (${join(root, '..', 'pako', 'index.js')}:1:1)`,
    node: () => '    at Buffer.from (node:buffer:1:1)',
    builtin: () => '    at Array.map (<anonymous>)',
    guard: () => `    at guardDocument (${library}file/open/guard.ts:17:11)`,
    document: () => `    at async pageOf (${library}structure/pages/walk.ts:5:9)`,
    copy: () => `    at pageOf (${join(root, 'node_modules', '@quire', 'document', 'dist', 'bundle', 'index.js')}:5:9)`,
    pdfLib: () => `    at PDFDict.lookup (${join(root, '..', 'pdf-lib', 'cjs', 'core', 'PDFDict.js')}:5:9)`,
  };
  type Place = keyof typeof places;

  function thrown(cause: Error, causeAt: readonly Place[], refusedAt: readonly Place[] = ['guard', 'plugin']): Error {
    const at = (error: Error, frames: readonly Place[]): Error => {
      error.stack = [`${error.name}: ${error.message}`, ...frames.map((place) => places[place]())].join('\n');
      return error;
    };
    return at(new InputError('PDF_DAMAGED', { field: 'fileInput' }, [], { cause: at(cause, causeAt) }), refusedAt);
  }

  it('is a fault of the plugin if it began in its code, or in what that called', () => {
    for (const frames of [
      ['plugin', 'guard'],
      ['pluginAlone', 'guard'],
      ['pluginLater', 'guard'],
      ['node', 'builtin', 'plugin', 'guard'],
      ['ownLibrary', 'plugin', 'guard'],
      ['otherLibrary', 'plugin', 'document', 'guard'],
    ] as const) {
      const fault = new TypeError('x is not a function');
      expect(faultOfPlugin(thrown(fault, frames), entryUrl), frames.join()).to.equal(fault);
    }
    const assertion = new Error('it has to be even');
    expect(faultOfPlugin(thrown(assertion, ['plugin', 'guard']), entryUrl)).to.equal(assertion);
  });

  it('is damage if it began in the code that reads documents', () => {
    for (const frames of [
      ['document', 'plugin', 'guard'],
      ['copy', 'plugin', 'guard'],
      ['pdfLib', 'plugin', 'guard'],
      ['node', 'pdfLib', 'plugin', 'guard'],
      ['otherLibrary', 'document', 'plugin', 'guard'],
      ['node', 'builtin'],
    ] as const)
      expect(faultOfPlugin(thrown(new TypeError('x'), frames), entryUrl), frames.join()).to.equal(undefined);
  });

  it('is damage if the plugin says so itself, or if it is endless recursion', () => {
    expect(faultOfPlugin(thrown(new TypeError('x'), ['plugin'], ['plugin']), entryUrl)).to.equal(undefined);
    expect(faultOfPlugin(thrown(new RangeError('call stack'), ['plugin', 'guard']), entryUrl)).to.equal(undefined);
  });

  it('is found behind refusals that name the file, and is no matter of other errors', () => {
    const fault = new TypeError('x');
    const named = new InputError('PDF_DAMAGED', { field: 'a' }, [], { cause: thrown(fault, ['plugin', 'guard']) });
    expect(faultOfPlugin(named, entryUrl)).to.equal(fault);
    const locked = new InputError('PDF_ENCRYPTED', { field: 'a' }, [], { cause: fault });
    for (const other of [locked, fault, new InputError('PDF_DAMAGED', { field: 'a' }), undefined, 'text'])
      expect(faultOfPlugin(other, entryUrl)).to.equal(undefined);
  });
});
