export { createBackups, type CreateBackupsDeps } from './create-backups.js';
