import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { filesOfOperation, namesOf } from '../test/kit/conformance/declaration-section.js';

/** Source files of an operation, relative to the repository. */
export interface OperationSources {
  readonly declaration: string;
  /** Files that its `run` imports: functions of the plugin, and files next to the declaration. */
  readonly work: readonly string[];
}

/** Finds the files of an operation by its path and the imports of its declaration. */
export function sourcesOf(root: string, pluginRoot: string, operationPath: string): OperationSources {
  const found = filesOfOperation(pluginRoot, namesOf(operationPath).file).find((file) => file.startsWith('src/'));
  if (found === undefined) throw new Error(`${operationPath} has no file in ${pluginRoot}/src/operations`);
  const declaration = join(pluginRoot, found);
  const text = readFileSync(declaration, 'utf8');
  const imported = [...text.matchAll(/import\('(\.[^']+)'\)|^import \{[^}]*\} from '(\.[^']+)'/gm)]
    .map(([, dynamic, fixed]) => join(dirname(declaration), (dynamic ?? fixed ?? '').replace(/\.js$/, '.ts')))
    .filter((file) => existsSync(file) && /\/functions\/|-run\.ts$/.test(file));
  return {
    declaration: relative(root, declaration),
    work: [...new Set(imported.map((file) => relative(root, file)))].sort(),
  };
}
