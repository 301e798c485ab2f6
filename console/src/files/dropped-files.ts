/** A file with the names of the folders that it was chosen or dropped with, from the outside in. */
export interface PlacedFile {
  readonly file: File;
  readonly folders: readonly string[];
}

/** Returns the files of a file input, with their folders where a folder was chosen. */
export function filesOfInput(input: HTMLInputElement): PlacedFile[] {
  return [...(input.files ?? [])].map((file) => ({ file, folders: file.webkitRelativePath.split('/').slice(0, -1) }));
}

/** Returns the files of a drop or a paste, also those in folders. */
export async function filesOfTransfer(data: DataTransfer): Promise<File[]> {
  return (await placedFilesOfTransfer(data)).map(({ file }) => file);
}

/** The same with the folders that they are in. */
export async function placedFilesOfTransfer(data: DataTransfer): Promise<PlacedFile[]> {
  // Entries must be read before the first await: the browser empties the list afterwards.
  const items = [...data.items].filter(({ kind }) => kind === 'file');
  const found = items.map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const files = await Promise.all(
    found.map(({ entry, file }) =>
      entry === null ? Promise.resolve(file === null ? [] : [{ file, folders: [] }]) : filesOfEntry(entry, []),
    ),
  );
  return files.flat();
}

async function filesOfEntry(entry: FileSystemEntry, folders: readonly string[]): Promise<PlacedFile[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    return [{ file, folders }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const entries: FileSystemEntry[] = [];
  // A call returns some of the entries, and none at the end.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) break;
    entries.push(...some);
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  const inner = [...folders, entry.name];
  const shown = entries.filter(({ name }) => !name.startsWith('.'));
  return (await Promise.all(shown.map((each) => filesOfEntry(each, inner)))).flat();
}
