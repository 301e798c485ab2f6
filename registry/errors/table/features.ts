import { inputRow } from './row.js';

/** Pipelines, jobs, storage, connections, administration. */
export const featuresErrors = {
  PIPELINE_INVALID: inputRow({
    status: 400,
    type: 'pipeline',
    title: 'Pipeline invalid',
    text: 'The pipeline is invalid and nothing was processed: {first}',
    textIf: { count: 'The pipeline has {count} faults and nothing was processed. The first one: {first}' },
  }),
  JOB_UNKNOWN: inputRow({
    status: 404,
    type: 'not-found',
    title: 'Unknown job',
    text: 'Unknown {what} "{id}": it may have expired (results are kept for {minutes} minutes) or been deleted.',
  }),
  JOB_NOT_FINISHED: inputRow({
    status: 400,
    type: 'job-not-finished',
    title: 'Job not finished',
    text: 'The job is {status}; try again in {seconds} seconds.',
  }),
  JOB_FAILED: inputRow({ status: 400, type: 'job-failed', title: 'Job failed', text: 'Job failed: {detail}' }),
  JOB_COMPLETE: inputRow({
    status: 400,
    type: 'job-complete',
    title: 'Job already complete',
    text: 'The job is already complete and can no longer be cancelled.',
  }),
  WATCHED_FOLDER_UNKNOWN: inputRow({
    status: 404,
    type: 'not-found',
    title: 'Unknown watched folder',
    text: 'There is no watched folder with the id "{id}": it was removed or renamed, or no running node sees it.',
  }),
  WATCHED_FOLDER_UNREACHABLE: inputRow({
    status: 409,
    type: 'conflict',
    title: 'Watched folder not reachable',
    text: 'The node that answers cannot move files in the watched folder "{folder}": {detail}',
  }),
  FAILED_FILE_UNKNOWN: inputRow({
    status: 404,
    type: 'not-found',
    title: 'Unknown failed file',
    text: 'There is no failed file with the id "{id}": it was processed again, or forgotten.',
  }),
  FAILED_FILE_GONE: inputRow({
    status: 410,
    type: 'gone',
    title: 'Failed file is gone',
    text:
      '"{name}" is no longer at {place}: somebody moved or deleted it, or it is being processed again. Forget the ' +
      'entry, or put the file back.',
  }),
  BACKUP_UNKNOWN: inputRow({
    status: 404,
    type: 'not-found',
    title: 'No such backup',
    text: 'There is no backup of this name.',
    error: '{text}',
  }),
  BACKUP_UNFIT: inputRow({
    status: 400,
    type: 'invalid-argument',
    title: 'Backup cannot be restored',
    text: 'The file cannot be restored: {detail}.',
    error: '{text}',
  }),
  BACKUPS_ELSEWHERE: inputRow({
    status: 409,
    type: 'conflict',
    title: 'Backups not available here',
    text: 'This server keeps its data in {store}; it is backed up and restored with the tools of that database.',
    error: '{text}',
  }),
  LICENCE_FILE_INVALID: inputRow({
    status: 400,
    type: 'invalid-argument',
    title: 'No licence file',
    text: '{detail}.',
    error: '{text}',
  }),
  SETTINGS_REJECTED: inputRow({ status: 400, type: 'validation', title: 'Settings rejected', text: '{detail}' }),
  ADDRESS_REFUSED: inputRow({
    status: 400,
    type: 'invalid-argument',
    title: 'Address not allowed',
    text: 'The address in "{field}" is not allowed: {detail}.',
    hint: 'Administrators can allow internal hosts and networks with the setting outbound.allowed.',
  }),
  CONNECTION_UNUSABLE: inputRow({
    status: 400,
    type: 'invalid-argument',
    title: 'Connection not usable',
    text: '"connectionId" cannot be used: {detail}.',
  }),
  CONNECTION_UNKNOWN: inputRow({
    status: 404,
    type: 'not-found',
    title: 'No such connection',
    text: 'There is no connection with this id.',
  }),
  CONNECTION_IN_USE: inputRow({
    status: 409,
    type: 'conflict',
    title: 'Connection in use',
    text: 'The connection cannot be deleted: {detail}.',
    hint: 'Remove the connection from them first.',
  }),
  FILE_TYPE_REFUSED: inputRow({
    status: 400,
    type: 'invalid-argument',
    title: 'File type not allowed',
    text: 'Files of type "{found}" in "{field}" cannot be stored here.',
  }),
  STORAGE_QUOTA: inputRow({
    status: 413,
    type: 'storage-quota',
    title: 'Storage quota reached',
    text: 'The upload of {found} bytes does not fit: {detail}.',
  }),
  PIPELINE_CONFLICT: inputRow({
    status: 409,
    type: 'conflict',
    title: 'Not possible with the saved pipelines',
    text: '{detail}.',
  }),
  STORAGE_CONFLICT: inputRow({ status: 409, type: 'conflict', title: 'Changed in the meantime', text: '{detail}.' }),
  SCAN_SESSION_UNKNOWN: inputRow({
    status: 404,
    type: 'not-found',
    title: 'No such session',
    text: 'There is no session with this id, or it has expired.',
    error: '{text}',
  }),
} as const;
