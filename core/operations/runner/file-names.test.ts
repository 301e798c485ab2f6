import { expect } from 'chai';
import { baseName, type AnyOperation, type FileReturns } from '@quire/registry';
import { archiveName, cleanFileName, fillName, outputKind, outputName, uniqueNames } from './file-names.js';

describe("a client's file name", () => {
  const cases: readonly [string | undefined, string][] = [
    ['a.pdf', 'a.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\x\\a.pdf', 'a.pdf'],
    ['/a/b/', 'default'],
    ['', 'default'],
    [undefined, 'default'],
    ['..', 'default'],
    ['...', 'default'],
    ['a\u0000b.pdf', 'ab.pdf'],
    ['a\r\nb.pdf', 'ab.pdf'],
    ['x\u202efdp.exe', 'xfdp.exe'],
    ['\ufeffa\u200b.pdf', 'a.pdf'],
    ['a"b<c>|d?.pdf', 'a_b_c__d_.pdf'],
    ['e\u0301.pdf', 'é.pdf'],
    ['  a.pdf  ', 'a.pdf'],
    ['.pdf', '.pdf'],
  ];
  for (const [raw, clean] of cases)
    it(`turns ${JSON.stringify(raw)} into ${clean}`, () => expect(cleanFileName(raw)).to.equal(clean));

  it('is cut to 200 bytes at a whole character and keeps its extension', () => {
    for (const character of ['a', 'ü', '日', '🎉']) {
      const name = cleanFileName(`${character.repeat(400)}.pdf`);
      expect(Buffer.byteLength(name)).to.be.within(190, 200);
      expect(name)
        .to.match(/\.pdf$/u)
        .and.not.contain('\ufffd');
    }
    expect(Buffer.byteLength(cleanFileName(`a.${'p'.repeat(400)}`))).to.be.at.most(200);
  });

  it('loses its extension at the last dot, unless that is the first or last character', () => {
    expect(['a.b.pdf', '.pdf', 'a.', 'a'].map(baseName)).to.deep.equal(['a.b', '.pdf', 'a.', 'a']);
  });
});

describe('the zip that answers a call', () => {
  const named = (
    many: FileReturns<never>['many'],
    count: number,
    params: Record<string, unknown> = {},
  ): string | undefined =>
    archiveName(
      {
        path: 'misc/x',
        returns: { kind: 'png', name: '{base}', ...(many === undefined ? {} : { many }) },
      } as unknown as AnyOperation,
      params,
      [{ name: 'my.file.pdf' }],
      count,
    );

  it('has the declared name, also with a single file', () => {
    expect([1, 2].map((count) => named({ archive: '{base}_split' }, count))).to.deep.equal([
      'my.file_split.zip',
      'my.file_split.zip',
    ]);
  });

  it('is not created for a single file that is returned as it is', () => {
    expect([1, 2].map((count) => named({ archive: '{base}_cut', single: 'file' }, count))).to.deep.equal([
      undefined,
      'my.file_cut.zip',
    ]);
  });

  it('is empty if an operation may find nothing', () => {
    expect([named({ archive: 'found', none: 'zip' }, 0), named({ archive: 'found' }, 0)]).to.deep.equal([
      'found.zip',
      undefined,
    ]);
  });

  it('is output.zip for several files of an operation without its own archive name', () => {
    expect([
      named(undefined, 1),
      named(undefined, 2),
      named({ archive: 'all', when: { mode: 'many' } }, 2, { mode: 'one' }),
    ]).to.deep.equal([undefined, 'output.zip', 'output.zip']);
  });
});

describe('the name of a result', () => {
  const operation = (returns: FileReturns<never>): AnyOperation =>
    ({ path: 'misc/x', returns }) as unknown as AnyOperation;
  const input = { name: 'my.file.pdf', kind: 'pdf' as const };

  it('comes from the template, the input and the parameters', () => {
    expect(outputName(operation({ kind: 'pdf', name: '{base}_rotated' }), {}, input, 'pdf', undefined, false)).to.equal(
      'my.file_rotated.pdf',
    );
    expect(
      outputName(
        operation({ kind: 'pdf', name: '{input}' }),
        {},
        { name: 'mail.eml', kind: 'eml' },
        'pdf',
        undefined,
        false,
      ),
    ).to.equal('mail.eml.pdf');
    expect(
      outputName(
        operation({ kind: 'pdf', name: '{base}_{n}', many: { archive: '{base}' } }),
        {},
        input,
        'pdf',
        { n: 3 },
        true,
      ),
    ).to.equal('my.file_3.pdf');
    expect(
      outputName(
        operation({ kind: 'png', name: '{base}', extension: '{format}' }),
        { format: 'JPG' },
        input,
        'png',
        undefined,
        false,
      ),
    ).to.equal('my.file.jpg');
  });

  it('does not grow in a pipeline', () => {
    expect(outputName(operation({ kind: 'pdf', name: '{base}_rotated' }), {}, input, 'pdf', undefined, true)).to.equal(
      'my.file.pdf',
    );
    expect(fillName('{base}_merged_unsigned', { base: 'a' }, true)).to.equal('a_merged');
  });

  it('loses its last word in a pipeline, with one file or several of different types', () => {
    const returns = { kind: 'pdf', name: '{base}_OCR', also: ['txt'], many: { archive: '{base}_OCR' } } as const;
    expect(outputName(operation(returns), {}, input, 'txt', undefined, true)).to.match(/^[^_]*\.txt$/);
    expect(outputName(operation(returns), {}, input, 'pdf', undefined, false)).to.match(/_OCR\.pdf$/);
  });

  it('keeps the extension of a file that is passed on', () => {
    expect(
      outputName(
        operation({ kind: 'same', name: '{base}' }),
        {},
        { name: 'a.JPEG', kind: 'jpeg' },
        'jpeg',
        undefined,
        false,
      ),
    ).to.equal('a.JPEG');
  });

  it("is cleaned like a client's file name", () => {
    expect(
      outputName(
        operation({ kind: 'txt', name: '{title}' }),
        { title: '../../a\r\nb' },
        input,
        'txt',
        undefined,
        false,
      ),
    ).to.equal('ab.txt');
    expect(
      outputName(operation({ kind: 'pdf', name: '{base}' }), {}, input, 'pdf', { name: '/etc/x' }, false),
    ).to.equal('x.pdf');
  });

  it('has an extension that a parameter may choose', () => {
    expect(
      outputKind({ kind: { by: 'format', map: { png: 'png', jpg: 'jpeg' } }, name: 'x' }, { format: 'jpg' }, 'pdf'),
    ).to.equal('jpeg');
    expect(outputKind({ kind: { by: 'format', map: {} }, name: 'x' }, { format: 'other' }, 'pdf')).to.equal('bin');
    expect(outputKind({ kind: 'same', name: 'x' }, {}, 'png')).to.equal('png');
  });

  it('is made unique with a number before the extension, ignoring case', () => {
    expect(uniqueNames(['a.pdf', 'a.pdf', 'A.pdf', 'a(1).pdf', 'b', 'b'])).to.deep.equal([
      'a.pdf',
      'a(1).pdf',
      'A(2).pdf',
      'a(1)(1).pdf',
      'b',
      'b(1)',
    ]);
  });
});
