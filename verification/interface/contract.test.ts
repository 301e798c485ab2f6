import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { compareContract, type FoundDifference } from './compare.js';
import { readContract } from './contract-calls.js';
import { explain, readExplanations } from './explanations.js';
import { withExplanations } from './page.js';
import { report } from './report.js';
import { type OpenApi, readServed } from './served-calls.js';
import { readType } from './type-text.js';
import { servedDocument } from '../walk/served-document.js';

const temporary = mkdtempSync(join(tmpdir(), 'quire-contract-'));
after(() => rmSync(temporary, { recursive: true, force: true }));
let folders = 0;

/** Writes contract files to a folder and reads them. */
function contractOf(files: Readonly<Record<string, string>>): ReturnType<typeof readContract> {
  const folder = join(temporary, String(++folders));
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return readContract(folder);
}

const problem = { description: 'refused', content: { 'application/problem+json': {} } };
/** A served document with one tool and one endpoint. */
const document: OpenApi = {
  paths: {
    '/api/v1/general/turn': {
      post: {
        parameters: [{ name: 'async', in: 'query', schema: { type: 'boolean', default: false } }],
        requestBody: {
          content: {
            'multipart/form-data': {
              schema: {
                properties: {
                  fileInput: { type: 'string', format: 'binary' },
                  stamp: { $ref: '#/components/schemas/Stamp' },
                  angle: { type: 'integer', default: 90, minimum: 0, maximum: 3 },
                  side: { type: 'string', enum: ['left', 'right', 'both'] },
                  areas: { type: 'array', items: { type: 'object', properties: { x: { type: 'number' } } } },
                  title: { type: 'string' },
                },
                required: ['side'],
              },
            },
          },
        },
        responses: {
          200: {
            headers: { 'Content-Disposition': { examples: { name1: { summary: '{base}_turned.pdf' } } } },
            content: {
              'application/pdf': { schema: { type: 'string', format: 'binary' } },
              'application/json': { schema: { $ref: '#/components/schemas/JobStarted' } },
            },
          },
          202: { content: { 'application/json': {} } },
          400: problem,
        },
      },
    },
    '/api/v1/users/{name}': {
      get: {
        responses: {
          200: {
            content: {
              'application/json': {
                schema: {
                  anyOf: [{ $ref: '#/components/schemas/User' }, { $ref: '#/components/schemas/JobStarted' }],
                },
              },
            },
          },
          401: problem,
        },
      },
    },
    '/api/v1/extra': { get: { responses: { 200: {} } } },
  },
  components: {
    schemas: {
      Stamp: { type: 'array', items: { type: 'string', format: 'binary' } },
      JobStarted: { type: 'object', properties: { jobId: { type: 'string' } } },
      User: {
        type: 'object',
        properties: {
          id: { type: 'integer' },
          role: { type: 'string', enum: ['user'] },
          teams: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
          rights: {
            type: 'object',
            additionalProperties: { type: 'object', properties: { granted: { type: 'boolean' } } },
          },
          mood: { type: 'string' },
        },
      },
    },
  },
};

const compare = (text: string): readonly FoundDifference[] =>
  compareContract(contractOf({ 'made-up.yml': text }), readServed(document)).differences;
const compared = (text: string): string[] =>
  compare(text).map(({ kind, subject, contract, served }) => `${kind} ${subject}: ${contract} / ${served}`);
const turn = (more: string): string => `- {path: /api/v1/general/turn, method: POST, accepts: [pdf], ${more}}\n`;
const user = (fields: string, more = ''): string =>
  `- {path: "/api/v1/users/{id}", method: GET, returns: {type: application/json, fields: [${fields}]}${more}}\n`;

describe('npm run contract', () => {
  it('finds no differences when the served interface equals the contract', () => {
    const text = turn(`params: [{name: angle, type: integer, required: true, default: 90, enum: [0, 1, 2, 3]},
        {name: side, type: string, required: true, enum: [left, right, both]}],
      extra_files: [{name: stamp, required: false}],
      returns: {type: application/pdf, filename: "<base>_turned.pdf"},
      errors: [{status: 500, when: no angle, better: 400}]`);
    expect(
      compared(
        text +
          user(
            '{name: id, type: integer}, {name: "teams[].name", type: "string|null"}',
            ', errors: [{status: 401, when: no key}]',
          ),
      ),
    ).to.deep.equal([]);
  });

  it('reports a path and a method that are not served, whatever the names of path parameters', () => {
    expect(compared('- {path: /api/v1/general/bend, method: POST}\n')).to.deep.equal(['path : served / not served']);
    expect(compared('- {path: "/api/v1/users/{other}", method: PATCH}\n')).to.deep.equal([
      'method : served / only GET',
    ]);
    expect(compared('- {path: "/api/v1/users/*", method: GET}\n')).to.deep.equal([]);
    expect(compared('- {path: "/api/v1/teams/*", method: GET}\n')).to.deep.equal(['path : served / not served']);
  });

  it('reports fields that are missing, of another type, required or not, and with another default or range', () => {
    expect(
      compared(
        turn(`params: [{name: speed, type: number, required: false}, {name: title, type: boolean, required: true},
      {name: side, type: string, required: false},
      {name: angle, type: integer, required: false, default: 180, minimum: 0, maximum: 4},
      {name: areas, type: json array in a form field, required: false}]`),
      ),
    ).to.deep.equal([
      'field speed: number in the form / not served',
      'type title: boolean / string',
      'required title: required / optional',
      'required side: optional / required',
      'default angle: 180 / 90',
      'enum-missing side: any value / only left, right, both',
      'range angle: maximum 4 / maximum 3',
    ]);
  });

  it('distinguishes missing values from additional ones', () => {
    expect(compared(turn('params: [{name: side, type: string, required: true, enum: [left, top]}]'))).to.deep.equal([
      'enum-missing side: top / only left, right, both',
      'enum-additional side: left, top / also right, both',
    ]);
    expect(compared(turn('params: [{name: title, type: string, required: false, enum: [a, b]}]'))).to.deep.equal([
      'enum-missing title: a, b / any value',
    ]);
  });

  it('ignores a default described in words, and reads a number in a string as a number', () => {
    expect(
      compared(
        turn(
          'params: [{name: title, type: string, required: false, default: "<product text>"}, {name: angle, ' +
            'type: integer, required: false, default: "90"}]',
        ),
      ),
    ).to.deep.equal([]);
  });

  it('looks for fields where the contract sends them', () => {
    expect(compared(turn('query: [{name: async, type: boolean, required: false, default: false}]'))).to.deep.equal([]);
    expect(
      compared(
        '- {path: /api/v1/general/turn, method: POST, body_fields: [{name: title, type: string, required: false}]}\n',
      ),
    ).to.deep.equal(['field title: string in the JSON body / not served']);
  });

  it('reports parts that are missing, are not files, or are required', () => {
    expect(
      compared(
        turn(
          'multiple_files: true, extra_files: [{name: stamp, required: true}, {name: title, required: false}, ' +
            '{name: cover, required: false}]',
        ),
      ),
    ).to.deep.equal([
      'part fileInput: several files / one file',
      'part title: a file / no file',
      'part cover: a file / not served',
      'required stamp: required / optional',
    ]);
  });

  it('reports media types, statuses and file names of answers', () => {
    expect(
      compared(
        turn(
          'returns: {type: application/pdf, status: 201, filename: "<base>_turned.pdf | <base>_bent.pdf", ' +
            'also: "several: application/zip"}, errors: [{status: 404, when: never}]',
        ),
      ),
    ).to.deep.equal([
      'success-status 201: answered / not declared',
      'media-type application/zip: application/zip / application/pdf, application/json',
      'file-name {base}_bent.pdf: {base}_bent.pdf / {base}_turned.pdf',
      'error-status 404: answered / not declared',
    ]);
  });

  it('reports members that are missing or of another type, in lists and under any key', () => {
    expect(
      compared(
        user(
          '{name: id, type: string}, {name: role, type: string, enum: [user, admin]}, {name: "teams", type: ' +
            '"array of {name: string, size: integer}"}, {name: rights.<key>.granted, type: boolean}, {name: ' +
            'rights.<key>.since, type: string}',
        ),
      ),
    ).to.deep.equal([
      'member teams[].size: integer / not documented',
      'member rights.{}.since: string / not documented',
      'member-type id: string / integer',
      'member-enum role: admin / only user',
    ]);
  });

  it('resolves objects that have their own topic', () => {
    expect(
      compared(
        '- {topic: Crew object, fields: [{name: name, type: string}, {name: rank, type: string}]}\n' +
          user('{name: "teams[]", type: Crew}'),
      ),
    ).to.deep.equal(['member teams[].rank: string / not documented']);
  });

  it('reports a difference found in several files once', () => {
    const text = '- {path: /api/v1/general/bend, method: POST}\n';
    const { differences, counts } = compareContract(contractOf({ 'a.yml': text, 'b.yml': text }), readServed(document));
    expect(differences.map(({ sources }) => sources)).to.deep.equal([['a.yml', 'b.yml']]);
    expect(counts).to.include({ calls: 1, served: 0 });
  });

  it('lists what is served beyond the contract, and what it cannot compare', () => {
    const contract = contractOf({
      'a.yml':
        `- topic: rules in prose\n- {path: "/api/v1/general/*", method: ANY}\n- {path: /api/v1/general/film, ` +
        `method: POST, kind: not_exposed}\n${turn('params: []')}${user('{name: id, type: integer}')}`,
    });
    const comparison = compareContract(contract, readServed(document));
    expect(contract.notComparable.map(({ name }) => name)).to.deep.equal([
      'rules in prose',
      'ANY /api/v1/general/*',
      'POST /api/v1/general/film',
    ]);
    expect(comparison.beyond.calls).to.deep.equal(['GET /api/v1/extra']);
    expect([...comparison.beyond.fields.keys()]).to.have.members(['stamp', 'angle', 'side', 'areas', 'title', 'async']);
    expect([...comparison.beyond.members.keys()]).to.have.members(['role', 'teams', 'rights', 'mood']);
    const text = report(contract, comparison, explain(comparison.differences, []));
    expect(text).to.contain('  a.yml: rules in prose').and.to.contain('2 of 2 calls served');
  });

  it('rejects files that are not contracts', () => {
    expect(() => contractOf({ 'a.yml': 'path: /api/v1/x\n' })).to.throw('a.yml is not a list of entries');
    expect(() => contractOf({ 'a.yml': '- {method: GET}\n' })).to.throw('a.yml, entry 1 needs a path or a topic');
    expect(() => contractOf({ 'readme.md': '' })).to.throw('no contract files');
    expect(() => readServed({ paths: {} })).to.throw('the served document has no calls');
  });

  it("reads the contract's type notation", () => {
    expect(readType("string 'yyyy-MM-dd HH:mm' (UTC) or Never").type).to.equal('string');
    expect(readType('local date-time, ISO without zone').type).to.equal('string');
    expect(readType('integer|string').type).to.equal('any');
    expect(readType('integer|null').type).to.equal('integer');
    expect(
      readType('array of {file: {id, name}, pages: [int]}').items?.members?.map(({ name, type }) => [name, type.type]),
    ).to.deep.equal([
      ['file', 'object'],
      ['pages', 'any'],
    ]);
  });
});

describe('explanations of differences', () => {
  const explanations = (text: string): ReturnType<typeof readExplanations> => {
    const path = join(temporary, `explained-${++folders}.yml`);
    writeFileSync(path, text);
    return readExplanations(path);
  };
  const differences = compare(
    '- {path: /api/v1/general/bend, method: POST}\n- {path: /api/v1/general/fold, method: POST}\n',
  );

  it('cover what their patterns match, and leave the rest open', () => {
    const { rows, idle } = explain(
      differences,
      explanations(
        "- {group: notBuilt, title: Bending, reason: Not yet., where: [{calls: ['POST */bend'], kinds: [path]}]}\n",
      ),
    );
    expect(rows.map(({ difference, explanation }) => [difference.call, explanation?.title])).to.deep.equal([
      ['POST /api/v1/general/bend', 'Bending'],
      ['POST /api/v1/general/fold', undefined],
    ]);
    expect(idle).to.deep.equal([]);
  });

  it('are faults when a pattern no longer matches anything', () => {
    const { idle } = explain(
      differences,
      explanations(
        "- {group: notBuilt, title: Tools, reason: Not yet., where: [{calls: ['POST *', 'GET *'], kinds: [path," +
          " method], subjects: ['']}]}\n",
      ),
    );
    expect(idle).to.deep.equal(['Tools: GET *', 'Tools: method']);
  });

  it('must have a group, a title, a reason and calls', () => {
    expect(() => explanations('- {group: other, title: A, where: [{calls: []}]}\n')).to.throw(
      'explanation 1 (A): unknown group, expected one of better, wider, otherWords, notBuilt; ' +
        'no reason; where must list calls',
    );
    expect(() =>
      explanations("- {group: better, title: A, reason: B, where: [{calls: ['*'], kinds: [colour]}]}\n"),
    ).to.throw('unknown kind colour');
  });

  it('are written between the marks of the page and leave the text around them', () => {
    const contract = contractOf({ 'a.yml': '- {path: /api/v1/general/bend, method: POST}\n' });
    const comparison = compareContract(contract, readServed(document));
    const explained = explain(
      comparison.differences,
      explanations("- {group: notBuilt, title: Bending | folding, reason: Not yet., where: [{calls: ['*']}]}\n"),
    );
    const page = withExplanations(
      '# Title\n\n<!-- deviations: generated by npm run contract -->\nold\n<!-- /deviations -->\n\nEnd.\n',
      comparison,
      explained,
    );
    expect(page).to.equal(
      '# Title\n\n<!-- deviations: generated by npm run contract -->\n0 of the 1 calls are served; 0 fields ' +
        'and 0 members of answers were compared.\n\n### Not implemented\n\n| What | Why | Where |\n|---|---|---|\n| ' +
        'Bending \\| folding | Not yet. | `POST /api/v1/general/bend` |\n<!-- /deviations -->\n\nEnd.\n',
    );
    expect(() => withExplanations('# Title\n', comparison, explained)).to.throw('no marks');
  });
});

const folder = fileURLToPath(new URL('../../docs/interface', import.meta.url));

describe('the whole interface of docs/interface', () => {
  it('is served, except for the explained differences', async function () {
    this.timeout(60_000);
    const { differences } = compareContract(
      readContract(folder),
      readServed(JSON.parse(await servedDocument()) as OpenApi),
    );
    const { rows, idle } = explain(
      differences,
      readExplanations(fileURLToPath(new URL('explained.yml', import.meta.url))),
    );
    const open = rows
      .filter(({ explanation }) => explanation === undefined)
      .map(({ difference: { kind, call, subject } }) => `${kind} ${call} ${subject}`);
    expect(open.join('\n'), 'differences without an explanation').to.equal('');
    expect(idle.join('\n'), 'explanations that match nothing').to.equal('');
  });
});
