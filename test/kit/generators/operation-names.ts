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
  readonly title: string;
}

export function operationNames(path: string): OperationNames {
  const { file, exportName } = namesOf(path);
  const words = file.replaceAll('-', ' ');
  return {
    file,
    exportName,
    typeName: `${exportName[0]?.toUpperCase() ?? ''}${exportName.slice(1)}Params`,
    title: `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}`.slice(0, 60),
  };
}

/** Returns whether a path is valid for an operation. */
export function isOperationPath(path: string): boolean {
  return /^[a-z0-9]+(-[a-z0-9]+)*(\/[a-z0-9]+(-[a-z0-9]+)*)+$/.test(path);
}
