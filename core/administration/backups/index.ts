export { createBackups, type CreateBackupsDeps } from './create-backups.js';
export { BackupMails } from './backup-mails.js';
export { BackupSchedule } from './backup-schedule.js';
