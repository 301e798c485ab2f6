import { defineEndpoint, InputError, OperationalError, type Endpoint, type JoiRoot } from '@quire/registry';
import type { Backup, Backups } from '../../store/index.js';
import { adminCodes, forAdmins } from '../../accounts/endpoints/index.js';
import type { AdministrationServices } from '../administration-services.js';

export interface DatabaseDeps {
  readonly admin: AdministrationServices;
}

const enterprise = { ...forAdmins, licence: 'enterprise', licenceRefusal: 403 } as const;
const errors = [...adminCodes, 'BACKUPS_ELSEWHERE'] as const;
const atRestart = 'It takes effect at the next start of the server (POST /api/v1/admin/settings/restart).';
const named = (joi: JoiRoot) =>
  joi.object({
    fileName: joi.string().max(200).required().description('Name of a backup').example('backup_20261122T133000Z.db'),
  });

/** Schema of a backup. */
export const backupShape = (joi: JoiRoot) =>
  joi
    .object({
      fileName: joi.string().required(),
      fileSize: joi.number().integer().required().description('Bytes'),
      creationDate: joi.string().isoDate().required(),
    })
    .label('Backup');

/** The members of `backupShape`. */
export const backupWire = ({ name, size, madeAt }: Backup) => ({
  fileName: name,
  fileSize: size,
  creationDate: madeAt.toISOString(),
});

/**
 * Backups of the embedded store (`docs/interface/platform.yml`, database). Some are GETs that change something, because
 * existing clients call them so. Pages of other sites cannot make a browser send them: the server authenticates by a
 * header, never by a cookie, and these endpoints exist only with login.
 */
export function databaseEndpoints(deps: DatabaseDeps): Endpoint[] {
  const base = { since: '1.0.0', tag: 'database', access: forAdmins } as const;
  const message = (joi: JoiRoot) => joi.string().required();
  const restored = {
    description: 'The backup will be restored at the next start',
    json: (joi: JoiRoot) =>
      joi
        .object({
          message: message(joi),
          records: joi.number().integer().required(),
          requiresRestart: joi.boolean().required(),
        })
        .label('BackupRestored'),
  };
  const restore = async (path: string) => ({
    json: {
      message: `The backup was checked. ${atRestart} The current data is then kept as a backup.`,
      records: await backupsOf(deps).restore(path),
      requiresRestart: true,
    },
  });
  return [
    defineEndpoint({
      ...base,
      id: 'createDatabaseBackup',
      method: 'GET',
      changes: true,
      path: 'database/createDatabaseBackup',
      summary: 'Create a backup of the database',
      notes:
        'Contains accounts, keys, shares and all other records at this moment, but not the files of users and jobs.',
      returns: {
        description: 'The backup',
        json: (joi) => joi.object({ message: message(joi), backup: backupShape(joi).required() }).label('BackupMade'),
        links: ['downloadDatabaseBackup', 'restoreDatabaseBackup', 'deleteDatabaseBackup'].map((to) => ({
          to,
          parameters: { fileName: '$response.body#/backup/fileName' },
        })),
      },
      errors: [...errors, 'BACKUP_FAILED', 'STORAGE_FULL'],
      handle: async () => {
        const made = await backupsOf(deps).create();
        return { json: { message: `The backup ${made.name} was created.`, backup: backupWire(made) } };
      },
    }),
    defineEndpoint({
      ...base,
      id: 'downloadDatabaseBackup',
      method: 'GET',
      path: 'database/download/{fileName}',
      summary: 'Download a backup',
      notes:
        "It contains hashes of passwords and keys, and data encrypted with the server's secret: keep it confidential.",
      request: { params: named },
      returns: {
        description: 'The database file',
        mediaType: 'application/vnd.sqlite3',
        links: [{ to: 'importDatabase', payload: { fileInput: '$response.body' } }],
      },
      errors: [...errors, 'BACKUP_UNKNOWN'],
      handle: async ({ params }) => {
        const name = params['fileName'] ?? '';
        return { file: { name, mediaType: 'application/vnd.sqlite3', path: await backupsOf(deps).path(name) } };
      },
    }),
    defineEndpoint({
      ...base,
      id: 'deleteDatabaseBackup',
      method: 'GET',
      changes: true,
      path: 'database/delete/{fileName}',
      summary: 'Delete a backup',
      request: { params: named },
      returns: { description: 'Done', json: (joi) => joi.object({ message: message(joi) }).label('BackupDeleted') },
      errors: [...errors, 'BACKUP_UNKNOWN'],
      handle: async ({ params }) => {
        const name = params['fileName'] ?? '';
        await backupsOf(deps).delete(name);
        return { json: { message: `The backup ${name} was deleted.` } };
      },
    }),
    defineEndpoint({
      ...base,
      id: 'restoreDatabaseBackup',
      method: 'GET',
      changes: true,
      path: 'database/import-database-file/{fileName}',
      summary: 'Restore a saved backup',
      notes:
        `${atRestart} Jobs in the backup are not restored; files stored after the backup lose their records ` +
        'and are deleted.',
      request: { params: named },
      returns: restored,
      errors: [...errors, 'BACKUP_UNKNOWN', 'BACKUP_UNFIT', 'BACKUP_FAILED', 'STORAGE_FULL'],
      handle: async ({ params }) => restore(await backupsOf(deps).path(params['fileName'] ?? '')),
    }),
    defineEndpoint({
      ...base,
      id: 'importDatabase',
      method: 'POST',
      path: 'database/import-database',
      summary: 'Restore an uploaded backup',
      notes:
        `${atRestart} Only database files created by this server are accepted, judged by their content; SQL ` +
        'scripts are not.',
      request: {
        payloadType: 'multipart',
        files: [{ field: 'fileInput', description: 'A backup of this server', kinds: ['any'], requiredWhen: 'always' }],
      },
      returns: restored,
      errors: [...errors, 'INPUT_FILE_MISSING', 'BACKUP_UNFIT', 'BACKUP_FAILED', 'STORAGE_FULL'],
      handle: async ({ files }) => {
        const [file] = files['fileInput'] ?? [];
        if (file === undefined) throw new InputError('INPUT_FILE_MISSING', { field: 'fileInput' });
        return restore(file.path());
      },
    }),
    defineEndpoint({
      ...base,
      id: 'deleteLastDatabaseBackup',
      method: 'DELETE',
      path: 'database/deleteLast',
      summary: 'Delete the newest backup',
      access: enterprise,
      returns: {
        description: 'The deleted backup',
        json: (joi) =>
          joi
            .object({ message: message(joi), deleted: joi.array().items(joi.string()).required() })
            .label('LastBackupDeleted'),
      },
      errors: [...errors, 'LICENCE_TOO_LOW', 'BACKUP_UNKNOWN'],
      handle: async () => {
        const [newest] = await backupsOf(deps).list();
        if (newest === undefined) throw new InputError('BACKUP_UNKNOWN');
        await backupsOf(deps).delete(newest.name);
        return { json: { message: `The backup ${newest.name} was deleted.`, deleted: [newest.name] } };
      },
    }),
    defineEndpoint({
      ...base,
      id: 'deleteAllDatabaseBackups',
      method: 'DELETE',
      path: 'database/deleteAll',
      summary: 'Delete all backups',
      access: enterprise,
      returns: {
        description: 'All were deleted',
        json: backupsDeleted,
        also: { 207: { description: 'Some could not be deleted', json: backupsDeleted } },
      },
      errors: [...errors, 'LICENCE_TOO_LOW', 'BACKUP_FAILED'],
      handle: async () => {
        const [deleted, failed]: [string[], string[]] = [[], []];
        for (const { name } of await backupsOf(deps).list())
          await backupsOf(deps)
            .delete(name)
            .then(
              () => deleted.push(name),
              () => failed.push(name),
            );
        if (failed.length > 0 && deleted.length === 0)
          throw new OperationalError('BACKUP_FAILED', { detail: 'none of the backups could be deleted' });
        const rest = failed.length === 0 ? '' : `, ${failed.length} could not be deleted`;
        return {
          ...(failed.length === 0 ? {} : { status: 207 }),
          json: { message: `${deleted.length} backup(s) deleted${rest}.`, deleted, failed },
        };
      },
    }),
  ];
}

const backupsDeleted = (joi: JoiRoot) =>
  joi
    .object({
      message: joi.string().required(),
      deleted: joi.array().items(joi.string()).required(),
      failed: joi.array().items(joi.string()).required(),
    })
    .label('BackupsDeleted');

/** Throws BACKUPS_ELSEWHERE. */
function backupsOf({ admin: { database } }: DatabaseDeps): Backups {
  if (database.backups === undefined) throw new InputError('BACKUPS_ELSEWHERE', { store: 'MongoDB' });
  return database.backups;
}
