import { saveFile } from '../../files/index.ts';
import { workbench } from './workbench.ts';

/** Downloads the current version. Rejects with a `Problem`. */
export async function saveDocument(): Promise<void> {
  const file = await workbench.fileToSave();
  saveFile(file, file.name);
  workbench.versions.markSaved();
}
