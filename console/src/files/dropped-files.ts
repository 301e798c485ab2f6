/** Returns the files of a drop or a paste, also those in folders. */
export async function filesOfTransfer(data: DataTransfer): Promise<File[]> {
  // Entries must be read before the first await: the browser empties the list afterwards.
  const items = [...data.items].filter(({ kind }) => kind === 'file');
  const found = items.map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const files = await Promise.all(
    found.map(({ entry, file }) =>
      entry === null ? Promise.resolve(file === null ? [] : [file]) : filesOfEntry(entry),
    ),
  );
  return files.flat();
}

async function filesOfEntry(entry: FileSystemEntry): Promise<File[]> {
  if (entry.isFile)
    return [await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))];
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const entries: FileSystemEntry[] = [];
  // A call returns some of the entries, and none at the end.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) break;
    entries.push(...some);
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  return (await Promise.all(entries.filter(({ name }) => !name.startsWith('.')).map(filesOfEntry))).flat();
}
