import { namesOf } from '../conformance/declaration-section.js';

export interface NewOperation {
  /** `general/some-name`. */
  readonly path: string;
  /** First version of the package with the operation. */
  readonly since: string;
}

/** Names derived from an operation's path. */
export interface OperationNames {
  readonly file: string;
  /** The operation, and the function that does its work. */
  readonly exportName: string;
  readonly typeName: string;
  /** At most 60 characters. */
  readonly summary: string;
  /** At most 30 characters. */
  readonly title: string;
}

export function operationNames(path: string): OperationNames {
  const { file, exportName } = namesOf(path);
  const words = file.replaceAll('-', ' ');
  const summary = `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}`;
  return {
    file,
    exportName,
    typeName: `${exportName[0]?.toUpperCase() ?? ''}${exportName.slice(1)}Params`,
    summary: summary.slice(0, 60),
    title: summary.slice(0, 30).trimEnd(),
  };
}

/** Returns whether a path is valid for an operation. */
export function isOperationPath(path: string): boolean {
  return /^[a-z0-9]+(-[a-z0-9]+)*(\/[a-z0-9]+(-[a-z0-9]+)*)+$/.test(path);
}
