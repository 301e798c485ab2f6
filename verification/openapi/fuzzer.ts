import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { python, type Place, type Step } from './checks.js';

/** Calls that are left out, and why. */
const leftOut: Readonly<Record<string, string>> = {
  restartServer: 'ends the server',
  importDatabase: 'replaces the store of the server under the other calls',
  restoreDatabaseBackup: 'replaces the store of the server under the other calls',
  switchPlugin: 'switches off the calls that follow',
  updateSettings: 'changes the server for the calls that follow',
  updateSetting: 'changes the server for the calls that follow',
  updateSettingsSection: 'changes the server for the calls that follow',
  getJobListEvents: 'is a stream that does not end',
  getWatchedFolderEvents: 'is a stream that does not end',
};

const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_schema_conformance',
];

/**
 * Schemathesis: calls of every operation with the examples of the document and with made-up values, right and wrong
 * ones. Each answer must have a declared status and media type and match its schema.
 */
export function fuzzer(place: Place): Step {
  const { document, url } = place;
  const here = fileURLToPath(new URL('.', import.meta.url));
  return {
    name: 'schemathesis',
    // It keeps failed calls in its working folder.
    cwd: place.clients,
    command: python(place, 'schemathesis'),
    args: [
      ['--no-color', '--config-file', join(here, 'schemathesis.toml'), 'run', document, '--url', url],
      ['--phases', 'examples,fuzzing', '--max-examples', '5', '--seed', '1', '--checks', checks.join()],
      // Python 3.11 fails now and then if two threads parse code (CPython issue 106905).
      ['--workers', '1', '--no-shrink', '--suppress-health-check', 'all', '--request-timeout', '60'],
      ['--continue-on-failure', '--warnings', 'off'],
      ['--exclude-operation-id-regex', `^(${Object.keys(leftOut).join('|')})$`],
    ].flat(),
  };
}
