import { doSnapshotTask, type SnapshotTask } from './snapshot-work.js';

// Started by `backups.ts` with the task as its only argument; answers on its channel and ends.
const task = JSON.parse(process.argv[2] ?? '{}') as SnapshotTask;
process.send?.(doSnapshotTask(task), () => process.disconnect());
