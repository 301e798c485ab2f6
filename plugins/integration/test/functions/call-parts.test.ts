import { expect } from 'chai';
import { callReport } from '../../src/functions/call-report.js';
import { dispositionName } from '../../src/functions/disposition-name.js';
import { chooser, matchesGlob } from '../../src/functions/glob.js';
import { jsonPathFault, valueAt } from '../../src/functions/json-path.js';
import { loginBody } from '../../src/functions/login-body.js';
import { fillJson, fillText, type Lookup } from '../../src/functions/placeholders.js';
import { below, relativePathFault } from '../../src/functions/relative-path.js';

const known = new Map<string, string | number | null | readonly (string | number)[]>([
  ['a.text', 'x"y\\z\n'],
  ['a.none', null],
  ['a.number', 7],
  ['a.list', [1, 'b']],
]);
const lookup: Lookup = (name) => known.get(name);

describe('placeholders', () => {
  it('become text, escaped for where they stand', () => {
    expect(fillText('<{{a.text}}|{{ a.number }}|{{a.none}}|{{a.list}}>', 'f', lookup)).to.equal(
      '<x"y\\z\n|7||[1,"b"]>',
    );
    expect(
      JSON.parse(
        fillJson(
          '{"t":"<{{a.text}}>","q":"\\"{{a.number}}","n":{{a.number}},"z":{{a.none}},"e":"{{a.none}}",' +
            '"l":{{a.list}},"k{{a.number}}":{"o":{}}}',
          'f',
          lookup,
        ),
      ),
    ).to.deep.equal({ t: '<x"y\\z\n>', q: '"7', n: 7, z: null, e: '', l: [1, 'b'], k7: { o: {} } });
  });

  it('that are not known are refused, and so is what becomes no JSON', () => {
    for (const template of ['{"a":"{{b.c}}"}', '{"a":{{b.c}}}', '{"a":{{a.text}}', '{{', '"{{a.text"}}', ''])
      expect(() => fillJson(template, 'bodyTemplate', lookup), template)
        .to.throw()
        .with.property('code', 'INPUT_INVALID');
    for (const template of ['{{'.repeat(400_000), `"${'{{'.repeat(400_000)}`, `"${'{ {{'.repeat(200_000)}`])
      expect(() => fillJson(template, 'bodyTemplate', lookup))
        .to.throw()
        .with.property('code', 'INPUT_INVALID');
    expect(() => fillText('{{constructor}}', 'path', lookup))
      .to.throw()
      .with.property('code', 'INPUT_INVALID');
  });
});

describe('paths below an address', () => {
  it('stay below it', () => {
    expect(below('https://x.example.com/api', 'a/b?c=d//e')).to.equal('https://x.example.com/api/a/b?c=d//e');
    expect([
      below('https://x.example.com', ''),
      below('https://x.example.com/api', ''),
      below('https://x.example.com/api', '?q=1'),
      below('https://x.example.com/api', '/a'),
    ]).to.deep.equal([
      'https://x.example.com/',
      'https://x.example.com/api',
      'https://x.example.com/api?q=1',
      'https://x.example.com/api/a',
    ]);
  });

  it('are refused when a reader might take them elsewhere', () => {
    for (const path of [
      '..',
      '../x',
      'a/..',
      'a/../../x',
      '//x',
      '/\\x',
      'a//b',
      'http://x/',
      'a#b',
      '%2e%2e/x',
      '.%2E/x',
      'a%2Fb',
      'a%5cb',
      'a%00',
      'a\nb',
      'a\u00a0b',
      'a\u2028b',
    ]) {
      expect(relativePathFault(path), path).to.be.a('string');
      expect(below('https://x.example.com/api', path), path).to.equal(undefined);
    }
  });
});

describe('small parts of a call', () => {
  it('find values in JSON by their place, and nothing that is not its own', () => {
    const json = { a: { b: [{ c: 1 }] }, x: false } as const;
    expect([
      valueAt(json, 'a.b.0.c'),
      valueAt(json, '$.a.b[0].c'),
      valueAt(json, 'x'),
      valueAt(json, 'a.b.length2'),
      valueAt(json, 'toString'),
      valueAt('text', 'length'),
      valueAt(null, 'a'),
    ]).to.deep.equal([1, 1, false, undefined, undefined, undefined, undefined]);
    expect(
      ['a', 'a.b', '', 'a..b', '.', 'x'.repeat(600)].map((path) => jsonPathFault(path) === undefined),
    ).to.deep.equal([true, true, false, false, false, false]);
  });

  it('match names against patterns, quickly also where they fit nowhere', () => {
    expect(
      [
        ['*.pdf', 'a.PDF'],
        ['*.pdf', 'a.pdf.txt'],
        ['?.txt', 'a.txt'],
        ['*', ''],
        ['a*b*c', 'a--b--c'],
        ['a*b*c', 'a--b--'],
        ['[a].txt', 'a.txt'],
        ['a.b', 'axb'],
      ].map(([glob = '', name = '']) => matchesGlob(glob, name)),
    ).to.deep.equal([true, false, true, true, true, false, false, false]);
    expect(matchesGlob(`${'*a'.repeat(200)}b`, 'a'.repeat(1000))).to.equal(false);
    expect([
      chooser('1')('x', 1),
      chooser('1')('1', 0),
      chooser('*.pdf')('deep/x.pdf', 5),
      chooser('deep/*.pdf')('other/x.pdf', 5),
    ]).to.deep.equal([true, false, true, false]);
  });

  it('read file names of headers', () => {
    expect(
      [
        undefined,
        'inline',
        'attachment; filename="a b.pdf"',
        'attachment; filename=a.pdf; size=3',
        "attachment; filename*=UTF-8''%e2%82%ac.pdf; filename=x",
        "attachment; filename*=UTF-8''%zz; filename=x.pdf",
        'attachment; filename="a\\"b.pdf"',
        `attachment; filename="${'x'.repeat(5000)}"`,
      ].map(dispositionName),
    ).to.deep.equal([undefined, undefined, 'a b.pdf', 'a.pdf', '€.pdf', 'x.pdf', 'a"b.pdf', undefined]);
    expect(dispositionName(`attachment; filename="${Buffer.from('ü.pdf').toString('latin1')}"`)).to.equal('ü.pdf');
  });

  it('report what fits into a header', () => {
    for (const text of [
      '"'.repeat(100),
      JSON.stringify('\u0001'.repeat(600)),
      JSON.stringify('"'.repeat(2000)),
      `{"a":"${'漢'.repeat(1330)}"}`,
      '\\'.repeat(4096),
    ]) {
      const report = JSON.stringify(
        callReport({ status: 200, contentType: 'application/json'.padEnd(500, 'x'), bytes: text.length, text }),
      );
      expect(report.replace(/[^\x20-\x7e]/g, '\\u0000').length).to.be.lessThan(8001);
    }
  });

  it('put name and password into the body of a login, escaped for what it is', () => {
    const given = { username: 'a"b', password: 'p&w=\\' };
    expect(loginBody(given)).to.deep.equal({ contentType: 'application/json', body: JSON.stringify(given) });
    expect(
      JSON.parse(loginBody({ ...given, loginBody: { deep: [{ u: '{{username}}', p: '-{{password}}-', n: 1 }] } }).body),
    ).to.deep.equal({ deep: [{ u: 'a"b', p: '-p&w=\\-', n: 1 }] });
    expect(JSON.parse(loginBody({ ...given, loginBody: '{"u":"{{username}}"}' }).body)).to.deep.equal({ u: 'a"b' });
    expect(loginBody({ ...given, loginBody: 'u={{username}}&p={{password}}' })).to.deep.equal({
      contentType: 'application/x-www-form-urlencoded',
      body: 'u=a%22b&p=p%26w%3D%5C',
    });
  });
});
