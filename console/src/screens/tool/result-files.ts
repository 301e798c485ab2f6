import { readZip } from '../../files/index.ts';

/** A file of a result: the result itself, or one of the files of its zip. */
export interface ResultFile {
  readonly name: string;
  readonly size: number;
  read(): Promise<File>;
}

/** More than this would only be a long list: the zip is offered as it is. */
const MOST_FILES = 2000;

/** The files of a result: of a zip its entries, where the tool makes several files; else the result itself. */
export async function filesOfResult(blob: Blob, name: string, many: boolean): Promise<readonly ResultFile[]> {
  const whole: ResultFile = { name, size: blob.size, read: async () => new File([blob], name, { type: blob.type }) };
  if (!many || !/\.zip$/i.test(name)) return [whole];
  try {
    const entries = await readZip(blob);
    if (entries.length === 0 || entries.length > MOST_FILES) return [whole];
    return entries.map((entry) => ({
      name: entry.name,
      size: entry.size,
      read: async () => new File([await entry.read()], entry.name.split('/').at(-1) ?? entry.name),
    }));
  } catch {
    return [whole];
  }
}
