import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const scripting = '/org.openoffice.Office.Common/Security/Scripting';
const pdfExport = '/org.openoffice.Office.Common/Filter/PDF/Export';
const rows: readonly (readonly [path: string, name: string, value: string | number | boolean])[] = [
  [scripting, 'MacroSecurityLevel', 3],
  [scripting, 'DisableMacrosExecution', true],
  // Images and sections of other files are not fetched, neither from the network nor from this disk.
  [scripting, 'BlockUntrustedRefererLinks', true],
  ['/org.openoffice.Office.Java/VirtualMachine', 'Enable', false],
  // Values of links to other documents stay as they were saved.
  ['/org.openoffice.Office.Writer/Content/Update', 'Link', 0],
  ['/org.openoffice.Office.Calc/Content/Update', 'Link', 1],
  // A document leaves no data for the next one.
  ['/org.openoffice.Office.Common/History', 'PickListSize', 0],
  ['/org.openoffice.Office.Recovery/AutoSave', 'Enabled', false],
  ['/org.openoffice.Office.Common/Save/Document', 'CreateBackup', false],
  ['/org.openoffice.Office.Common/Misc', 'UseLocking', false],
  // ISO 32000-1, 14.8 and 12.3.3.
  [pdfExport, 'UseTaggedPDF', true],
  [pdfExport, 'ExportBookmarks', true],
  [pdfExport, 'ExportFormFields', true],
];

const settings = [
  '<?xml version="1.0" encoding="UTF-8"?>',
  '<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema" ' +
    'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">',
  ...rows.map(
    ([path, name, value]) =>
      `<item oor:path="${path}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`,
  ),
  '</oor:items>',
  '',
].join('\n');

/** The program's own marker of a profile that it has set up; with it a fresh profile needs no second start. */
export const buildIdFile = (profile: string): string => join(profile, 'user', 'extensions', 'buildid');

/**
 * Creates a profile of LibreOffice in a folder: macros off, nothing fetched, nothing kept; PDFs have tags, an outline
 * and their form fields.
 */
export async function makeProfile(profile: string, buildId: Buffer | undefined): Promise<void> {
  await mkdir(join(profile, 'user', 'extensions'), { recursive: true, mode: 0o700 });
  await writeFile(join(profile, 'user', 'registrymodifications.xcu'), settings);
  if (buildId !== undefined) await writeFile(buildIdFile(profile), buildId);
}
