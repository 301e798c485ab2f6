import { readFile } from 'node:fs/promises';
import { isQuireError, type DocumentFile } from '@quire/registry';
import { isObject } from '../../operations/pipelines/index.js';
import { Scratch, type Runner } from '../../operations/runner/index.js';

/** A JSON document of a file. */
export interface ImportDocument {
  /** Name of its file. */
  readonly file: string;
  /** JSON Pointer in the file; empty for the whole. */
  readonly pointer: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** A file, or a part of one, that is not understood. */
export interface RefusedFile {
  readonly file: string;
  readonly pointer: string;
  readonly detail: string;
}

export interface ReadFiles {
  readonly documents: readonly ImportDocument[];
  readonly refused: readonly RefusedFile[];
}

export interface ReadFilesDeps {
  readonly scratchRoot: string;
  runner(): Pick<Runner, 'unzip'>;
}

type OnDisk = Pick<DocumentFile, 'name' | 'size'> & { readonly path: string };

/** Longest JSON file, in bytes. It is parsed in the server's own process, so it must stay small. */
const LARGEST = 1024 * 1024;
/** Documents of one call; each is checked whole. */
const MOST_DOCUMENTS = 500;
/** Members of other exports that hold a list of documents. */
const LISTS = ['automations', 'policies'] as const;

/** Reads JSON files and archives of them. What cannot be read is refused by name, and the others go on. */
export async function readFiles(
  { scratchRoot, runner }: ReadFilesDeps,
  files: readonly DocumentFile[],
  signal: AbortSignal,
): Promise<ReadFiles> {
  const documents: ImportDocument[] = [];
  const refused: RefusedFile[] = [];
  const take = async (file: OnDisk): Promise<void> => {
    for (const one of await documentsIn(file))
      if ('detail' in one) refused.push(one);
      else if (documents.length < MOST_DOCUMENTS) documents.push(one);
      else refused.push({ ...placeOf(one), detail: `is one of more than ${MOST_DOCUMENTS} documents of one call` });
  };
  for (const file of files) {
    const { name, kind, size } = file;
    if (kind !== 'zip') {
      await take({ name, size, path: file.path() });
      continue;
    }
    const scratch = await Scratch.create(scratchRoot);
    try {
      const unpacked = await runner().unzip({ name, kind, size, path: file.path() }, scratch.root, 'fileInput', signal);
      for (const one of unpacked) await take({ ...one, name: `${name}/${one.name}` });
      if (unpacked.length === 0) refused.push({ file: name, pointer: '', detail: 'has no files' });
    } catch (error) {
      if (!isQuireError(error) || error.row.status >= 500) throw error;
      refused.push({ file: name, pointer: '', detail: error.message });
    } finally {
      await scratch.dispose();
    }
  }
  return { documents, refused };
}

async function documentsIn({ name: file, size, path }: OnDisk): Promise<readonly (ImportDocument | RefusedFile)[]> {
  const refuse = (detail: string): readonly RefusedFile[] => [{ file, pointer: '', detail }];
  if (size > LARGEST) return refuse(`is larger than ${LARGEST} bytes, the most that an export may have`);
  const text = (await readFile(path, 'utf8')).replace(/^\ufeff/, '');
  try {
    return documentsOf(file, JSON.parse(text));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return refuse(`is not JSON: ${error.message.slice(0, 200)}`);
  }
}

/** A document, a list of them, or an object with a list of them. */
function documentsOf(file: string, value: unknown): readonly (ImportDocument | RefusedFile)[] {
  const list = isObject(value) ? LISTS.find((name) => Array.isArray(value[name])) : undefined;
  if (isObject(value) && list !== undefined) return entriesOf(file, value[list] as readonly unknown[], `/${list}`);
  if (Array.isArray(value)) return entriesOf(file, value, '');
  if (isObject(value)) return [{ file, pointer: '', value }];
  return [{ file, pointer: '', detail: 'is neither an object nor a list of objects' }];
}

function entriesOf(file: string, list: readonly unknown[], at: string): readonly (ImportDocument | RefusedFile)[] {
  if (list.length === 0) return [{ file, pointer: at, detail: 'is an empty list' }];
  return list.map((value, i) => {
    const place = { file, pointer: `${at}/${i}` };
    return isObject(value) ? { ...place, value } : { ...place, detail: 'is not an object' };
  });
}

function placeOf({ file, pointer }: ImportDocument): Pick<RefusedFile, 'file' | 'pointer'> {
  return { file, pointer };
}
