import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Plugin, ServerRegisterPluginObject } from '@hapi/hapi';
import type {} from '@hapi/inert';
import type { Catalog, CatalogOperation, LoadedPlugin } from '@quire/catalog';
import type { AnyOperation, Example } from '@quire/registry';

/** A named example of a form, as OpenAPI's Example Object with the addresses of its files. */
export interface FormExample {
  readonly summary: string;
  readonly description?: string;
  /** Fields as they are sent; a file field holds the name of its file, or a list of names. */
  readonly value: Readonly<Record<string, unknown>>;
  /** Files of each file field: their addresses below the server's, while the plugin's package holds them. */
  readonly 'x-files'?: Readonly<Record<string, readonly string[]>>;
}

const FOLDER = '/swagger-assets/examples';

/** The examples of an operation that end well, by their titles: what a client would type and which files it would choose. */
export function formExamples({ operation, plugin }: CatalogOperation): Record<string, FormExample> {
  return Object.fromEntries((operation.examples as readonly Example<Record<string, unknown>>[]).filter(({ expect }) => expect.refused === undefined).map((example) => {
    const files = filesOf(operation, example);
    const names = Object.entries(files).map(([field, list]) => `\`${field}\`: ${list.map((name) => basename(name)).join(', ')}`);
    const served = Object.values(files).flat().every((name) => existsSync(fixture(plugin, name)));
    const many = (field: string): boolean => (field === 'fileInput' ? operation.files === 'all' : operation.parts?.find((part) => part.field === field)?.many === true);
    const value = { ...Object.fromEntries(Object.entries(files).map(([field, list]) => [field, many(field) ? list.map((name) => basename(name)) : basename(list[0] ?? '')])), ...example.params };
    return [example.title, {
      summary: example.title,
      ...(names.length === 0 ? {} : { description: `Files: ${names.join('; ')}` }),
      value,
      ...(names.length === 0 || !served ? {} : { 'x-files': Object.fromEntries(Object.entries(files).map(([field, list]) => [field, list.map((name) => address(plugin, name))])) }),
    }];
  }));
}

/** Serves the files of the examples, and nothing else of the plugins' packages, for whoever tries an operation in Swagger UI. */
export function exampleFilesPlugin(catalog: Catalog, prefix: string): ServerRegisterPluginObject<unknown> {
  let known: Map<string, string> | undefined;
  const all = (): Map<string, string> => new Map([...catalog.operations.values()].flatMap(({ operation, plugin }) =>
    (operation.examples as readonly Example<Record<string, unknown>>[]).flatMap((example) => Object.values(filesOf(operation, example)).flat().map((name) => [address(plugin, name), fixture(plugin, name)] as const))));
  const plugin: Plugin<unknown> = {
    name: 'quire-example-files',
    dependencies: '@hapi/inert',
    register: (server) => {
      server.route({
        method: 'GET', path: `${prefix}${FOLDER}/{plugin}/{name*}`, options: { plugins: { quire: { access: { role: 'public' } } } },
        handler: (request, h) => {
          const path = (known ??= all()).get(request.path.slice(prefix.length));
          if (path === undefined || !existsSync(path)) return h.response().code(404);
          // Some are pages and drawings with scripts in them: a browser must store them, never show them.
          return h.file(path, { confine: false, mode: 'attachment' }).type('application/octet-stream');
        },
      });
    },
  };
  return { plugin };
}

/** The files of an example by their fields. */
function filesOf(operation: AnyOperation, { files, parts = {} }: Example<Record<string, unknown>>): Readonly<Record<string, readonly string[]>> {
  return { ...(files.length === 0 || operation.accepts.length === 0 ? {} : { fileInput: files }), ...Object.fromEntries(Object.entries(parts).map(([field, name]) => [field, [name]])) };
}

function fixture({ root }: LoadedPlugin, name: string): string {
  return join(root, 'fixtures', name);
}

/** `@quire/plugin-general` is served as `quire-plugin-general`. */
function address({ name }: LoadedPlugin, file: string): string {
  return `${FOLDER}/${name.replace('@', '').replace('/', '-')}/${file.split('/').map(encodeURIComponent).join('/')}`;
}
