import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { expectNone } from './expect-none.js';
import { errorTable } from '@quire/registry';
import { projectFiles, root, sourceFiles, withoutComments } from './import-graph.js';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const typescript = projectFiles().filter((path) => /\.tsx?$/.test(path));

describe('the sources', () => {
  it('have at most four hundred lines per file', () => {
    const long = projectFiles()
      .filter((path) => /\.(?:tsx?|mjs|cjs|css|sh)$/.test(path))
      .map((path) => ({ path, lines: read(path).split('\n').length - 1 }))
      .filter(({ lines }) => lines > 400);
    expectNone(long.map(({ path, lines }) => `${path}: ${lines}`));
  });

  it('have kebab-case names that describe their content', () => {
    const vague = /(^|\/)(utils?|helpers?|common|managers?|misc-things)(\.[^/]*)?$/;
    // n8n names a class after its file.
    const wrong = typescript.filter(
      (path) =>
        !/^clients\/n8n\/.*\.(node|credentials)\.ts$/.test(path) &&
        (vague.test(path) ||
          !/^[a-z0-9-]+(\.(op|endpoint|test|bench|d|config))*\.tsx?$/.test(path.split('/').at(-1) ?? '')),
    );
    expectNone(wrong);
  });

  it('use no any, no suppressed compiler errors and no unfinished code', () => {
    const patterns: readonly (readonly [string, RegExp])[] = [
      ['any', /(?::|<|\bas|,|=>)\s*any\b(?!\w|['"-])/],
      ['suppressed compiler error', /@ts-(ignore|nocheck|expect-error)/],
      ['unfinished', /\b(TODO|FIXME|XXX)\b/],
    ];
    const wrong = sourceFiles().flatMap((path) => {
      const text = read(path);
      const code = withoutComments(text).replaceAll(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g, "''");
      return patterns
        .filter(([name, pattern]) => pattern.test(name === 'any' ? code : text))
        .map(([name]) => `${path}: ${name}`);
    });
    // The catalogue holds operations of every parameter type; Joi has validated the values before `run` gets them.
    expectNone(wrong.filter((line) => line !== 'registry/contract/operation.ts: any'));
  });

  it('use named exports, except the entry of a plugin', () => {
    const wrong = sourceFiles().filter(
      (path) =>
        !/^plugins\/[^/]+\/src\/index\.ts$/.test(path) && /^export default\b/m.test(withoutComments(read(path))),
    );
    expectNone(wrong);
  });

  it('decode UTF-16LE only in document/file/charsets: elsewhere Node may write behind its memory', () => {
    const ways = /\.toString\(\s*['"](?:utf-?16-?le|ucs-?2)['"]|\b(?:ucs2|utf16le)Slice\b/i;
    const wrong = sourceFiles().filter((path) => ways.test(withoutComments(read(path))));
    expectNone(wrong.filter((path) => path !== 'document/file/charsets/utf-16.ts'));
    expect(wrong).to.have.length(1);
  });

  it('call other servers only through core/network/outbound', () => {
    const ways =
      /(?<![.\w])fetch\((?!\s*\w+:)|from 'undici'|import\('undici'\)|from 'node:(?:https|dns(?:\/promises)?)'|import \{[^}]*\b(?:request|get|connect|createConnection)\b[^}]*\} from 'node:(?:http2?|net|tls)'/;
    const wrong = sourceFiles().filter(
      // The console calls its own server, from one place; its document worker loads PDFium. Clients call the server.
      (path) =>
        !/^(core\/network\/outbound|console\/src\/(api|viewer\/engine\/worker)|cli|clients)\//.test(path) &&
        ways.test(withoutComments(read(path))),
    );
    // Sockets in the file system, to a program of this server and to itself; and a text that is shown.
    const known = ['core/engines/office/ipc.ts', 'core/http/listen-address.ts', 'console/src/screens/tool/snippets.ts'];
    expectNone(wrong.filter((path) => !known.includes(path)));
  });
});

describe('the error table', () => {
  const codes = Object.keys(errorTable);
  const texts = sourceFiles()
    // Errors of clients have codes of their own, beside those that the server sends.
    .filter((path) => path !== 'registry/errors/table.ts' && !path.startsWith('clients/'))
    .map((path) => ({ path, text: withoutComments(read(path)) }));

  it('has every code that the sources throw', () => {
    const raised = texts.flatMap(({ path, text }) =>
      [...text.matchAll(/new (?:Quire|Input|Access|Operational|Defect|Startup|Document)Error\(\s*'([A-Z0-9_]+)'/g)].map(
        ([, code]) => ({ path, code }),
      ),
    );
    expect(raised.length).to.be.greaterThan(20);
    expectNone(raised.filter(({ code }) => !codes.includes(code ?? '')).map(({ path, code }) => `${path}: ${code}`));
  });

  it('matches the documentation, code by code', () => {
    const documented = [...read('docs/reference/errors.md').matchAll(/^\| `([A-Z0-9_]+)`/gm)]
      .map(([, code]) => code)
      .sort();
    expect(documented).to.deep.equal([...codes].sort());
  });
});

describe('the folders', () => {
  const short = (path: string): string[] => {
    const readme = join(root, path, 'README.md');
    if (!existsSync(readme)) return [`${path} has no README.md`];
    const lines = readFileSync(readme, 'utf8').trimEnd().split('\n').length;
    // The document library is also for others, so its README has examples.
    return lines > (path === 'document' ? 80 : 15) ? [`${path}/README.md has ${lines} lines`] : [];
  };

  it('of core and registry have a short README', () => {
    const folders = ['core', 'document', 'registry'].flatMap((parent) => [
      parent,
      ...readdirSync(join(root, parent), { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && entry.name !== 'dist' && entry.name !== 'node_modules')
        .map((entry) => `${parent}/${entry.name}`),
    ]);
    // Git does not track empty folders, so they are skipped here.
    const kept = folders.filter((folder) => projectFiles().some((path) => path.startsWith(`${folder}/`)));
    expectNone(kept.flatMap(short));
  });

  it('mention only existing files in their READMEs', () => {
    const files = projectFiles();
    const wrong = files
      .filter((path) =>
        /^(core|document|registry|plugins|test|bench|tools|verification|deploy)\/.*README\.md$/.test(path),
      )
      .flatMap((path) => {
        const folder = dirname(path);
        const named = [...read(path).matchAll(/`([a-z0-9./-]+\.ts)`/g)].map(([, name = '']) => name);
        // Relative to the repository, to the README's folder, or anywhere below that folder by name alone.
        return named
          .filter(
            (name) =>
              ![name, join(folder, name)].some((each) => files.includes(each)) &&
              !files.some((file) => file.startsWith(`${folder}/`) && file.endsWith(`/${name}`)),
          )
          .map((name) => `${path}: ${name}`);
      });
    expectNone(wrong);
  });

  it('and the documents link only to existing files', () => {
    const wrong = projectFiles()
      .filter((path) => path.endsWith('.md'))
      .flatMap((path) =>
        [...read(path).matchAll(/\]\((?!\w+:)([^)#\s]+)(?:#[^)]*)?\)/g)]
          .map(([, target = '']) => target)
          .filter((target) => !existsSync(join(root, path, '..', target)))
          .map((target) => `${path}: ${target}`),
      );
    expectNone(wrong);
  });
});
