import { signal, type ReadonlySignal } from '@preact/signals';
import type { ShownOperation, ShownPart } from '@quire/registry';
import { catalog } from '../../api/index.ts';
import { formatBytes, formatList } from '../../i18n/index.ts';
import { t } from './texts.ts';

export interface PickedFile {
  readonly id: number;
  readonly file: File;
}

/** The file part that is called once for each file; undefined for tools that use all files together. */
export function repeatedPart({ files, parts }: Pick<ShownOperation, 'files' | 'parts'>): string | undefined {
  const [first] = parts;
  return files === 'each' && first?.field === 'fileInput' && !first.many ? first.field : undefined;
}

/** What the server would refuse in any case: empty files, and more than it takes. */
function refusalOf(file: File): string | undefined {
  if (file.size === 0) return t('“{file}” is empty. Choose another file.', { file: file.name });
  const most = catalog.value?.uploadBytes ?? Infinity;
  if (file.size <= most) return undefined;
  return t('“{file}” has {size}; this server takes {limit} in one call.', {
    file: file.name,
    size: formatBytes(file.size),
    limit: formatBytes(most),
  });
}

/** Bytes in which a PDF has its header (ISO 32000-1, annex H, implementation note 13). */
const HEAD = 1024;
const heads = new WeakMap<File, ReadonlySignal<boolean>>();

/** Whether a file has no header of a PDF, where the part takes nothing else; false until it was read. */
export function isNoPdf({ extensions }: ShownPart, file: File): boolean {
  if (extensions.length !== 1 || extensions[0] !== '.pdf' || file.size === 0) return false;
  let known = heads.get(file);
  if (known === undefined) {
    const found = signal(false);
    known = found;
    heads.set(file, known);
    // The call reports a file that cannot be read.
    void file
      .slice(0, HEAD)
      .arrayBuffer()
      .then((head) => (found.value = !new TextDecoder('latin1').decode(head).includes('%PDF-')))
      .catch(() => undefined);
  }
  return known.value;
}

/** The names of files in a sentence. */
export function namesOf(files: readonly PickedFile[]): string {
  return formatList(files.map(({ file }) => `“${file.name}”`));
}

interface CheckedFiles {
  readonly good: readonly PickedFile[];
  readonly bad: readonly PickedFile[];
  /** Why the first bad one is refused. */
  readonly fault: string | undefined;
}

/** Which files can be used. What only looks wrong is left to the server where there is nothing better to run. */
export function checkFiles(part: ShownPart, files: readonly PickedFile[]): CheckedFiles {
  const refused = files.filter(({ file }) => refusalOf(file) !== undefined);
  const doubtful = files.filter((picked) => isNoPdf(part, picked.file));
  const bad = refused.length + doubtful.length === files.length ? refused : [...refused, ...doubtful];
  const [first] = bad;
  return {
    good: files.filter((picked) => !bad.includes(picked)),
    bad: files.filter((picked) => bad.includes(picked)),
    fault:
      first === undefined
        ? undefined
        : (refusalOf(first.file) ?? t('These files cannot be used: {files}', { files: namesOf(bad) })),
  };
}

interface ChosenFiles {
  readonly operation: ShownOperation;
  /** By part. */
  readonly files: ReadonlySignal<Readonly<Record<string, readonly PickedFile[]>>>;
}

/** The files for which a tool that is called once for each is run. */
export function runnableFiles({ operation, files }: ChosenFiles): readonly PickedFile[] {
  const field = repeatedPart(operation);
  const part = operation.parts.find((each) => each.field === field);
  return part === undefined ? [] : checkFiles(part, files.value[part.field] ?? []).good;
}
