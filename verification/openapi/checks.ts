import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A program of others that reads the document, or a step of one. */
export interface Step {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Folder in which the program runs. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Folder into which the six calls write their results; it is checked after the step. */
  readonly results?: string;
  /** Lines of the output that are printed if the step passes. */
  readonly summary?: RegExp;
}

/** A generator: it writes a client, which is compiled and makes six calls; each step uses what the last one wrote. */
export interface Client {
  readonly name: string;
  /** Copied from `clients/<name>` into the folder of the client before the first step: file and target. */
  readonly program: readonly [string, string];
  readonly steps: readonly Step[];
}

/** Where everything is, and which server is called. */
export interface Place {
  readonly tools: string;
  /** The document as OpenAPI 3.0 and 3.1. */
  readonly document: string;
  readonly newer: string;
  readonly url: string;
  /** The PDF that the calls send. */
  readonly input: string;
  /** Folder of the generated clients, one folder each; the packages of `tools` can be imported there. */
  readonly clients: string;
}

const here = fileURLToPath(new URL('.', import.meta.url));

export const bin = ({ tools }: Pick<Place, 'tools'>, name: string): string => join(tools, 'node_modules', '.bin', name);
export const python = ({ tools }: Pick<Place, 'tools'>, name: string): string => join(tools, 'python', 'bin', name);

export function validators(place: Place): Step[] {
  const { tools, document, newer } = place;
  const spectral = ['lint', document, '-r', join(here, 'spectral.yaml'), '--fail-severity', 'warn'];
  const redocly = (file: string): string[] => ['lint', file, '--format', 'summary'];
  const jar = ['-jar', join(tools, 'openapi-generator.jar')];
  return [
    { name: 'openapi-spec-validator', command: python(place, 'openapi-spec-validator'), args: [document] },
    { name: 'openapi-spec-validator, 3.1', command: python(place, 'openapi-spec-validator'), args: [newer] },
    { name: 'redocly', command: bin(place, 'redocly'), args: redocly(document) },
    { name: 'redocly, 3.1', command: bin(place, 'redocly'), args: redocly(newer) },
    { name: 'spectral', command: bin(place, 'spectral'), args: spectral },
    { name: 'openapi-generator', command: 'java', args: [...jar, 'validate', '-i', document] },
  ];
}

export function clients(place: Place): Client[] {
  return [
    typescript(place, 'openapi-typescript', {
      command: bin(place, 'openapi-typescript'),
      args: [place.document, '-o', 'api.d.ts'],
    }),
    typescript(place, 'hey-api', {
      command: bin(place, 'openapi-ts'),
      args: ['-i', place.document, '-o', 'api', '-c', '@hey-api/client-fetch', '--silent'],
    }),
    typescript(place, 'orval', {
      command: bin(place, 'orval'),
      args: ['--input', place.document, '--output', 'api.ts', '--client', 'fetch'],
    }),
    pythonPackage(place, 'openapi-python-client', {
      command: python(place, 'openapi-python-client'),
      args: [
        ['generate', '--path', place.document, '--output-path', 'quire_client', '--meta', 'none'],
        // Anything that the generator leaves out is a fault.
        ['--fail-on-warning', '--config', join(here, 'python-client.yaml')],
      ].flat(),
    }),
    pythonPackage(place, 'openapi-generator-python', generator(place, 'python', ['--package-name', 'quire_client'])),
    java(place),
    go(place),
    csharp(place),
  ];
}

type Command = Pick<Step, 'command' | 'args' | 'env'>;

/** The arguments of a program with six calls. */
const callArgs = (place: Place, results: string): string[] => [place.url, place.input, results];

function typescript(place: Place, name: string, generate: Command): Client {
  const cwd = join(place.clients, name);
  const results = join(cwd, 'results');
  const compile = [
    ['--strict', '--noEmit', '--skipLibCheck', '--target', 'es2023', '--lib', 'es2023,dom,dom.iterable'],
    ['--types', 'node', '--module', 'esnext', '--moduleResolution', 'bundler', 'six-calls.mts'],
  ].flat();
  const run = ['--import', 'tsx', 'six-calls.mts', ...callArgs(place, results)];
  return {
    name,
    program: ['six-calls.mts', 'six-calls.mts'],
    steps: [
      { name: 'generated', ...generate, cwd },
      { name: 'compiled', command: bin(place, 'tsc'), args: compile, cwd },
      { name: 'six calls', command: process.execPath, args: run, cwd, results },
    ],
  };
}

function pythonPackage(place: Place, name: string, generate: Command): Client {
  const cwd = join(place.clients, name);
  const results = join(cwd, 'results');
  const command = python(place, 'python');
  return {
    name,
    program: ['six_calls.py', 'six_calls.py'],
    steps: [
      // openapi-python-client formats with ruff, which is installed beside it.
      { name: 'generated', env: { PATH: `${python(place, '')}:${process.env['PATH'] ?? ''}` }, ...generate, cwd },
      { name: 'compiled', command, args: ['-m', 'compileall', '-q', 'quire_client'], cwd },
      { name: 'six calls', command, args: ['six_calls.py', ...callArgs(place, results)], cwd, results },
    ],
  };
}

function generator({ tools, document }: Place, language: string, options: readonly string[]): Command {
  const unused = 'apiDocs=false,modelDocs=false,apiTests=false,modelTests=false';
  return {
    command: 'java',
    args: [
      ['-jar', join(tools, 'openapi-generator.jar'), 'generate', '-i', document, '-g', language, '-o', '.'],
      ['--skip-validate-spec', '--global-property', unused, ...options],
    ].flat(),
  };
}

function java(place: Place): Client {
  const name = 'openapi-generator-java';
  const cwd = join(place.clients, name);
  const results = join(cwd, 'results');
  const run = ['-Dexec.mainClass=SixCalls', `-Dexec.args=${callArgs(place, results).join(' ')}`];
  return {
    name,
    program: ['SixCalls.java', join('src', 'main', 'java', 'SixCalls.java')],
    steps: [
      // The library `native` has a parameter `headers` of its own, as has a form of this server.
      { name: 'generated', ...generator(place, 'java', ['--library', 'okhttp-gson']), cwd },
      { name: 'compiled', command: 'mvn', args: ['-q', '-B', 'compile'], cwd },
      {
        name: 'six calls',
        command: 'mvn',
        args: ['-q', '-B', 'org.codehaus.mojo:exec-maven-plugin:3.5.0:java', ...run],
        cwd,
        results,
      },
    ],
  };
}

function go(place: Place): Client {
  const name = 'openapi-generator-go';
  const cwd = join(place.clients, name);
  const results = join(cwd, 'results');
  const options = ['--package-name', 'quire', '--git-host', 'example.org'];
  options.push('--git-user-id', 'quire', '--git-repo-id', 'client');
  return {
    name,
    program: ['main.go', join('sixcalls', 'main.go')],
    steps: [
      { name: 'generated', ...generator(place, 'go', options), cwd },
      { name: 'compiled', command: 'go', args: ['build', './...'], cwd },
      { name: 'six calls', command: 'go', args: ['run', './sixcalls', ...callArgs(place, results)], cwd, results },
    ],
  };
}

/** The facades of .NET Standard in Debian's Mono, which Newtonsoft.Json is compiled against. */
const FACADES = '/usr/lib/mono/4.5/Facades';

function csharp(place: Place): Client {
  const name = 'openapi-generator-csharp';
  const cwd = join(place.clients, name);
  const results = join(cwd, 'results');
  // Mono reads DLLs of this folder, too.
  const env = { MONO_PATH: join(place.tools, 'dotnet') };
  const references = ['System.Runtime', 'System.ObjectModel', 'System.Dynamic.Runtime', 'Newtonsoft.Json'];
  references.push('System.Net.Http', 'System.ComponentModel.DataAnnotations', 'System.Runtime.Serialization');
  references.push('System.Web');
  const sources = ['-recurse:src/Quire/*.cs', 'SixCalls.cs', join(here, 'clients', name, 'Polly.cs')];
  return {
    name,
    program: ['SixCalls.cs', 'SixCalls.cs'],
    steps: [
      {
        name: 'generated',
        // The default library, generichost, needs a .NET of Microsoft.
        ...generator(
          place,
          'csharp',
          [
            ['--library', 'httpclient', '--additional-properties', 'targetFramework=netstandard2.0,packageName=Quire'],
          ].flat(),
        ),
        cwd,
      },
      {
        name: 'compiled',
        command: 'mcs',
        args: [
          ['-langversion:latest', '-out:SixCalls.exe', `-lib:${FACADES},${env.MONO_PATH}`, ...sources],
          references.map((reference) => `-r:${reference}.dll`),
        ].flat(),
        cwd,
      },
      { name: 'six calls', command: 'mono', args: ['SixCalls.exe', ...callArgs(place, results)], cwd, env, results },
    ],
  };
}
