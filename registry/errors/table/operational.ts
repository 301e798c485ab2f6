import { defectRow, operationalRow, startupRow } from './row.js';

/** The server, its programs and remote services; defects; faults at start. */
export const operationalErrors = {
  PROGRAM_MISSING: operationalRow({
    status: 503,
    type: 'program-missing',
    title: 'Program missing',
    text: 'This operation needs {program}, which is not installed on the server.',
    hint: 'On Debian or Ubuntu: sudo sh deploy/install-programs.sh (for veraPDF: --with-verapdf)',
  }),
  NO_NODE: operationalRow({
    status: 503,
    type: 'no-node',
    title: 'No node for this job',
    text: 'No running node has everything the job needs: {missing}.',
    hint: 'Start a node with matching programs and plugin versions (cluster.node.role both or worker).',
  }),
  OCR_FAILED: operationalRow({
    status: 500,
    type: 'ocr-failed',
    title: 'OCR failed',
    text: '{program} could not recognise the text of a page: {detail}.',
    legacy: 'E044',
  }),
  PROGRAM_NOT_STARTED: operationalRow({
    status: 503,
    type: 'program-not-started',
    title: 'Program did not start',
    text: '{program} could not be started: {detail}.',
    hint: 'Try again; if that does not help, the log of the server has what the program said.',
    retryable: true,
  }),
  PROGRAM_FAILED: operationalRow({
    status: 500,
    type: 'program-failed',
    title: 'Program failed',
    text: '{program} failed: {detail}.',
  }),
  WORKER_LOST: operationalRow({
    status: 500,
    type: 'worker-lost',
    title: 'Worker process lost',
    text: 'The worker process ended while it handled this request.',
    retryable: true,
  }),
  TIMEOUT: operationalRow({
    status: 504,
    type: 'timeout',
    title: 'Time limit reached',
    text: 'The work was stopped after the time limit of {seconds} seconds.',
    textIf: {
      others: 'The work was stopped after {seconds} seconds because others waited for the same program.',
      ceiling:
        'The work was stopped after {total} seconds, the most that a time limit of {seconds} seconds allows: for ' +
        '{waited} of them it waited for its turn or for a processor.',
      waited:
        'The work was stopped after the time limit of {seconds} seconds. It took {total}, of which it waited ' +
        '{waited} for its turn or for a processor, which do not count.',
    },
    hint:
      'Run long work as a job (Prefer: respond-async), or ask the administrator to raise ' +
      'limits.syncTimeoutSeconds.',
  }),
  CANCELLED: operationalRow({
    status: 499,
    type: 'cancelled',
    title: 'Cancelled',
    text: 'The work was cancelled by the user.',
  }),
  CALLBACKS_FULL: operationalRow({
    status: 429,
    type: 'callbacks-full',
    title: 'Too many pending callbacks',
    text: '{found} of your callbacks are waiting for delivery; the limit is {limit}. Try again in {seconds} seconds.',
    retryable: true,
  }),
  QUEUE_FULL: operationalRow({
    status: 429,
    type: 'queue-full',
    title: 'Queue full',
    text: 'The server is busy and its queue is full; try again in {seconds} seconds.',
    retryable: true,
  }),
  SCAN_SESSIONS_FULL: operationalRow({
    status: 429,
    type: 'sessions-full',
    title: 'Too many sessions',
    text: '{detail}; try again in {seconds} seconds.',
    retryable: true,
  }),
  SHUTTING_DOWN: operationalRow({
    status: 503,
    type: 'shutting-down',
    title: 'Shutting down',
    text: 'The server is shutting down.',
    retryable: true,
  }),
  REMOTE_UNREACHABLE: operationalRow({
    status: 502,
    type: 'remote-unreachable',
    title: 'Remote server unreachable',
    text: '{remote} could not be reached: {detail}.',
    retryable: true,
  }),
  REMOTE_TIMEOUT: operationalRow({
    status: 504,
    type: 'remote-timeout',
    title: 'Remote server too slow',
    text: '{remote} did not answer within {seconds} seconds.',
    retryable: true,
  }),
  REMOTE_BUSY: operationalRow({
    status: 503,
    type: 'remote-busy',
    title: 'Remote server busy',
    text: '{remote} is not accepting calls right now; try again in {seconds} seconds.',
    retryable: true,
  }),
  REMOTE_ANSWER: operationalRow({
    status: 502,
    type: 'remote-answer',
    title: 'Unexpected answer from a remote server',
    text: '{remote} answered {detail}.',
  }),
  MAIL_REFUSED: operationalRow({
    status: 502,
    type: 'mail-refused',
    title: 'Email refused',
    text: 'The mail server rejected the message: {detail}.',
  }),
  SERVICE_NOT_SET_UP: operationalRow({
    status: 503,
    type: 'not-set-up',
    title: 'Not set up',
    text: '{service} is not set up on this server: {detail}.',
  }),
  ISSUER_UNREACHABLE: operationalRow({
    status: 503,
    type: 'issuer-unreachable',
    title: 'Issuer unreachable',
    text: 'The token cannot be checked now, because the server that issued it cannot be reached. Try again later.',
    retryable: true,
  }),
  SETTINGS_FILE_BROKEN: operationalRow({
    status: 409,
    type: 'settings-file',
    title: 'Settings file invalid',
    text: 'The settings file on the server has errors and was left unchanged: {detail}',
    hint: 'Fix the file on the server, then try again.',
  }),
  SETTINGS_NOT_WRITABLE: operationalRow({
    status: 503,
    type: 'settings-file',
    title: 'Settings file not writable',
    text: 'The settings file on the server cannot be written ({detail}); nothing was changed.',
  }),
  RESTART_IMPOSSIBLE: operationalRow({
    status: 503,
    type: 'restart',
    title: 'Restart not possible',
    text:
      'Nothing would restart this server: it was not started with npm start. Use npm start, or set ' +
      'QUIRE_SUPERVISED=1 under a supervisor that restarts it after exit code 75.',
  }),
  FOLDER_NOT_WRITABLE: operationalRow({
    status: 503,
    type: 'folder-not-writable',
    title: 'Folder not writable',
    text: 'The folder {folder} on the server cannot be written ({detail}); nothing was changed.',
  }),
  LANGUAGE_DATA_MISSED: operationalRow({
    status: 502,
    type: 'remote-answer',
    title: 'Nothing downloaded',
    text: 'None of the OCR languages could be downloaded: {detail}.',
  }),
  BACKUP_FAILED: operationalRow({
    status: 500,
    type: 'backup-failed',
    title: 'Backup failed',
    text: 'The backup could not be made or read: {detail}.',
  }),
  SOURCE_UNREACHABLE: operationalRow({
    status: 502,
    type: 'source-unreachable',
    title: 'Source unreachable',
    text: 'The source cannot be read at the moment: {detail}.',
    retryable: true,
  }),
  DESTINATION_UNREACHABLE: operationalRow({
    status: 502,
    type: 'destination-unreachable',
    title: 'Destination unreachable',
    text: 'The destination cannot be written to at the moment: {detail}.',
    retryable: true,
  }),
  STORE_DOWN: operationalRow({
    status: 503,
    type: 'store-down',
    title: 'Store unavailable',
    text: 'The data store is not available.',
    retryable: true,
  }),
  STORAGE_FULL: operationalRow({
    status: 507,
    type: 'storage-full',
    title: 'Storage full',
    text: 'The server has no disk space left for this request.',
    retryable: true,
  }),
  INTERNAL: defectRow({
    status: 500,
    type: 'unexpected',
    title: 'Internal error',
    text: 'An unexpected error occurred on the server. It was logged with the request id.',
  }),
  CONTRACT_BROKEN: defectRow({
    status: 500,
    type: 'unexpected',
    title: 'Internal error',
    text: 'An unexpected error occurred on the server. It was logged with the request id.',
  }),
  SETTINGS_INVALID: startupRow({ status: 0, type: 'settings', title: 'Settings invalid', text: '{where}: {detail}' }),
  PLUGIN_NOT_FOUND: startupRow({
    status: 0,
    type: 'plugin',
    title: 'Plugin not found',
    text: '{plugin} is configured in {where} but is not installed there. Install it: npm install {plugin}',
  }),
  PLUGIN_API_MISMATCH: startupRow({
    status: 0,
    type: 'plugin',
    title: 'Plugin API mismatch',
    text: '{plugin} {version} needs registry API {needs}; this server offers {offers}. {remedy}',
  }),
  PLUGIN_INVALID: startupRow({ status: 0, type: 'plugin', title: 'Plugin invalid', text: '{plugin}: {detail}' }),
  OPERATION_DUPLICATE: startupRow({
    status: 0,
    type: 'plugin',
    title: 'Operation declared twice',
    text: '{path} is declared by both {first} and {second}.',
  }),
} as const;
