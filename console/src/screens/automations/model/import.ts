import { callBlob, upload } from '../../../api/index.ts';
import { saveFile } from '../../../files/index.ts';
import { addressOf, type Automation, type Options } from './automation.ts';

export interface ImportFinding {
  readonly kind: 'translated' | 'differs' | 'todo';
  readonly pointer: string;
  readonly detail: string;
}

export interface ImportEntry {
  readonly file: string;
  readonly pointer: string;
  readonly name: string | null;
  readonly outcome: 'created' | 'ready' | 'refused';
  readonly automationId: string | null;
  readonly findings: readonly ImportFinding[];
  /** Sources that were made; `made` is shown only once. */
  readonly sources: readonly { readonly id: string; readonly name: string; readonly made: Options }[];
  readonly error: { readonly detail: string } | null;
}

export interface ImportReport {
  readonly created: number;
  readonly refused: number;
  readonly entries: readonly ImportEntry[];
}

/** Makes automations of exported files, or only reports what would differ. */
export async function importAutomations(files: readonly File[], dryRun: boolean): Promise<ImportReport> {
  const form = (): FormData => {
    const fields = new FormData();
    for (const file of files) fields.append('fileInput', file, file.name);
    fields.append('dryRun', String(dryRun));
    return fields;
  };
  const { blob } = await upload('automations/import', form);
  return JSON.parse(await blob.text()) as ImportReport;
}

/** Saves an automation as a file that another server can import. */
export async function exportAutomation({ id, name }: Pick<Automation, 'id' | 'name'>): Promise<void> {
  const blob = await callBlob(addressOf(id, 'export'));
  saveFile(blob, `${name.replaceAll(/[/\\:*?"<>|]/g, '_')}.automation.json`);
}
