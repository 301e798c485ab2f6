import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerRoute } from '@hapi/hapi';
import type {} from '@hapi/inert';

/** Where packages have the modules of their custom elements: `elements/<name>.js`. */
const FOLDER = 'elements';
/** Names of custom elements, as the registry allows them. */
const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)+$/;

/** Serves the modules of custom elements with which plugins show fields of their own in the console. */
export function elementsRoute(prefix: string, packages: readonly string[]): ServerRoute {
  return {
    method: 'GET',
    path: `${prefix}/console-elements/{file}`,
    // A module that is imported is requested without a key, as the files of the console are.
    options: { plugins: { quire: { access: { role: 'public' } } } },
    handler: (request, h) => {
      const file = String(request.params['file']);
      const name = file.replace(/\.js$/, '');
      // The first package decides where two have an element of the same name.
      const folder = packages.map((root) => join(root, FOLDER)).find((each) => existsSync(join(each, `${name}.js`)));
      if (!file.endsWith('.js') || !NAME.test(name) || folder === undefined) return h.response().code(404);
      return h
        .file(join(folder, file), { confine: folder })
        .type('text/javascript')
        .header('cache-control', 'no-cache');
    },
  };
}
