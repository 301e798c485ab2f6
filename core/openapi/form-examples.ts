import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin, ServerRegisterPluginObject } from '@hapi/hapi';
import type {} from '@hapi/inert';
import type { Catalog, CatalogOperation, LoadedPlugin } from '@quire/catalog';
import type { AnyOperation, Endpoint, Example } from '@quire/registry';
import { InputError } from '@quire/registry/errors';

/** A named example of a form: OpenAPI's Example Object with the addresses of its files. */
export interface FormExample {
  readonly summary: string;
  readonly description?: string;
  /** Fields as they are sent; a file field contains the name of its file, or a list of names. */
  readonly value: Readonly<Record<string, unknown>>;
  /**
   * Addresses of the files of each file field, relative to the server's address, if the plugin's package contains them.
   */
  readonly 'x-files'?: Readonly<Record<string, readonly string[]>>;
}

/** The package whose folder `fixtures` contains the files of examples. */
type Package = Pick<LoadedPlugin, 'name' | 'root'>;

/** An endpoint and the plugin that declares it. */
export interface DeclaredEndpoint {
  readonly endpoint: Endpoint;
  readonly plugin: Package;
}

/** Returns core's own endpoints; their files are in this package, beside `dist`. */
export function hostEndpoints(endpoints: readonly Endpoint[]): DeclaredEndpoint[] {
  const plugin = {
    name: '@quire/core',
    root: join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'openapi'),
  };
  return endpoints.map((endpoint) => ({ endpoint, plugin }));
}

const FOLDER = '/swagger-assets/examples';

/** Returns the successful examples of an operation by title: the values to type and the files to choose. */
export function formExamples({ operation, plugin }: CatalogOperation): Record<string, FormExample> {
  return Object.fromEntries(
    (operation.examples as readonly Example<Record<string, unknown>>[])
      .filter(({ expect }) => expect.refused === undefined)
      .map((example) => {
        const files = filesOf(operation, example);
        const many = (field: string): boolean =>
          field === 'fileInput'
            ? operation.files === 'all'
            : operation.parts?.find((part) => part.field === field)?.many === true;
        return [example.title, formExample(plugin, { title: example.title, files, fields: example.params, many })];
      }),
  );
}

/** Returns the examples of an endpoint that accepts a form, by title. */
export function endpointFormExamples({ endpoint, plugin }: DeclaredEndpoint): Record<string, FormExample> {
  const many = (field: string): boolean => endpoint.request?.files?.find((part) => part.field === field)?.many === true;
  return Object.fromEntries(
    (endpoint.examples ?? []).map(({ title, files = {}, payload = {} }) => [
      title,
      formExample(plugin, { title, files, fields: payload, many }),
    ]),
  );
}

function formExample(
  plugin: Package,
  {
    title,
    files,
    fields,
    many,
  }: {
    readonly title: string;
    readonly files: Readonly<Record<string, readonly string[]>>;
    readonly fields: Readonly<Record<string, unknown>>;
    readonly many: (field: string) => boolean;
  },
): FormExample {
  const names = Object.entries(files).map(
    ([field, list]) => `\`${field}\`: ${list.map((name) => basename(name)).join(', ')}`,
  );
  const served = Object.values(files)
    .flat()
    .every((name) => existsSync(fixture(plugin, name)));
  return {
    summary: title,
    ...(names.length === 0 ? {} : { description: `Files: ${names.join('; ')}` }),
    value: {
      ...Object.fromEntries(
        Object.entries(files).map(([field, list]) => [
          field,
          many(field) ? list.map((name) => basename(name)) : basename(list[0] ?? ''),
        ]),
      ),
      ...fields,
    },
    ...(names.length === 0 || !served
      ? {}
      : {
          'x-files': Object.fromEntries(
            Object.entries(files).map(([field, list]) => [field, list.map((name) => address(plugin, name))]),
          ),
        }),
  };
}

/** Serves the files of the examples, and nothing else of the packages, to users who try a call in Swagger UI. */
export function exampleFilesPlugin(
  catalog: Catalog,
  endpoints: readonly Endpoint[],
  prefix: string,
): ServerRegisterPluginObject<unknown> {
  let known: Map<string, string> | undefined;
  const addressed = (plugin: Package, names: readonly string[]) =>
    names.map((name) => [address(plugin, name), fixture(plugin, name)] as const);
  const all = (): Map<string, string> =>
    new Map([
      ...[...catalog.operations.values()].flatMap(({ operation, plugin: owner }) =>
        (operation.examples as readonly Example<Record<string, unknown>>[]).flatMap((example) =>
          addressed(owner, Object.values(filesOf(operation, example)).flat()),
        ),
      ),
      ...[...hostEndpoints(endpoints), ...catalog.endpoints].flatMap(({ endpoint, plugin: owner }) =>
        (endpoint.examples ?? []).flatMap(({ files = {} }) => addressed(owner, Object.values(files).flat())),
      ),
    ]);
  const plugin: Plugin<unknown> = {
    name: 'quire-example-files',
    dependencies: '@hapi/inert',
    register: (server) => {
      server.route({
        method: 'GET',
        path: `${prefix}${FOLDER}/{plugin}/{name*}`,
        options: { plugins: { quire: { access: { role: 'public' } } } },
        handler: (request, h) => {
          const path = (known ??= all()).get(request.path.slice(prefix.length));
          if (path === undefined || !existsSync(path)) throw new InputError('NOT_FOUND');
          // Some files are pages or drawings with scripts: a browser must save them and never display them.
          return h.file(path, { confine: false, mode: 'attachment' }).type('application/octet-stream');
        },
      });
    },
  };
  return { plugin };
}

/** Returns the files of an example by field. */
function filesOf(
  operation: AnyOperation,
  { files, parts = {} }: Example<Record<string, unknown>>,
): Readonly<Record<string, readonly string[]>> {
  return {
    ...(files.length === 0 || operation.accepts.length === 0 ? {} : { fileInput: files }),
    ...Object.fromEntries(Object.entries(parts).map(([field, name]) => [field, [name]])),
  };
}

function fixture({ root }: Package, name: string): string {
  return join(root, 'fixtures', name);
}

/** `@quire/plugin-general` is served as `quire-plugin-general`. */
function address({ name }: Package, file: string): string {
  return `${FOLDER}/${name.replace('@', '').replace('/', '-')}/${file.split('/').map(encodeURIComponent).join('/')}`;
}
