// Keeps secrets out of the environment. Plain JavaScript for Node 20.19 and newer, because deploy/start.mjs imports it
// before anything is compiled.
import { closeSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';

/**
 * Variables that hold secrets: those of the secret settings (a test compares them), and those that S3 clients share.
 */
export const secretVariables = Object.freeze([
  'AIENGINE_MODELS_APIKEY',
  'AIENGINE_RAG_EMBEDDINGAPIKEY',
  'AIENGINE_SHAREDSECRET',
  'AI_ENGINE_SHARED_SECRET',
  'AUTOMATICALLYGENERATED_KEY',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'CLUSTER_VALKEY_URL',
  'JOBS_CALLBACKS_SECRET',
  'MAIL_PASSWORD',
  'PREMIUM_KEY',
  'PREMIUM_PROFEATURES_GOOGLEDRIVE_APIKEY',
  'SCIM_TOKEN',
  'SECURITY_CUSTOMGLOBALAPIKEY',
  'SECURITY_INITIALLOGIN_PASSWORD',
  'SECURITY_OAUTH2_CLIENTSECRET',
  'SECURITY_OAUTH2_CLIENT_AUTHELIA_CLIENTSECRET',
  'SECURITY_OAUTH2_CLIENT_AUTHENTIK_CLIENTSECRET',
  'SECURITY_OAUTH2_CLIENT_ENTRA_CLIENTSECRET',
  'SECURITY_OAUTH2_CLIENT_GITHUB_CLIENTSECRET',
  'SECURITY_OAUTH2_CLIENT_GOOGLE_CLIENTSECRET',
  'SECURITY_OAUTH2_CLIENT_KEYCLOAK_CLIENTSECRET',
  'SECURITY_OAUTH2_CLIENT_ZITADEL_CLIENTSECRET',
  'SECURITY_PROXYLOGIN_SECRET',
  'STORAGE_S3_ACCESSKEY',
  'STORAGE_S3_SECRETKEY',
  'STORE_MONGODB_URL',
  'STORE_SECRET',
  'SYSTEM_DATASOURCE_CUSTOMDATABASEURL',
  'SYSTEM_DATASOURCE_PASSWORD',
  'TELEGRAM_BOTTOKEN',
]);

/** Fields 50 and 51 of /proc/[pid]/stat (man 5 proc_pid_stat), counted from field 3, which follows the name. */
const ENV_START = 50 - 3;
const ENV_END = 51 - 3;
const EQUALS = 0x3d;

/**
 * Returns an environment without the secrets, for a program that needs none.
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv}
 */
export function withoutSecrets(env) {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !secretVariables.includes(name)));
}

/**
 * Removes the secrets from the environment of this process and returns them by name. `remaining`: names of those that
 * other processes of the same user can still read, because the system does not let this process overwrite them.
 *
 * @returns {{ readonly secrets: Readonly<Record<string, string>>, readonly remaining: readonly string[] }}
 */
export function takeSecrets() {
  const remaining = hideSecrets();
  /** @type {Record<string, string>} */
  const secrets = {};
  for (const name of secretVariables) {
    const value = process.env[name];
    if (value === undefined) continue;
    secrets[name] = value;
    delete process.env[name];
  }
  return { secrets, remaining };
}

/**
 * Overwrites the secrets in the block of memory with which this process was started: Linux shows it in
 * /proc/[pid]/environ as long as the process runs, whatever is deleted from process.env. This process and programs that
 * it starts still have them. Returns the names of the secrets that could not be overwritten.
 *
 * @returns {readonly string[]}
 */
export function hideSecrets() {
  const present = secretVariables.filter((name) => (process.env[name] ?? '') !== '');
  if (present.length === 0) return [];
  // The values of process.env are in the block itself until they are set again.
  for (const name of present) {
    const value = process.env[name];
    delete process.env[name];
    process.env[name] = value;
  }
  try {
    overwrite(new Set(present));
    return [];
  } catch {
    // No Linux, or a /proc that cannot be written.
    return present;
  }
}

/** @param {ReadonlySet<string>} names */
function overwrite(names) {
  const stat = readFileSync('/proc/self/stat', 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const start = Number(fields[ENV_START]);
  const block = Buffer.alloc(Number(fields[ENV_END]) - start);
  const memory = openSync('/proc/self/mem', 'r+');
  try {
    readSync(memory, block, 0, block.length, start);
    for (let at = 0; at < block.length;) {
      const end = block.indexOf(0, at) < 0 ? block.length : block.indexOf(0, at);
      const equals = block.indexOf(EQUALS, at);
      if (equals >= at && equals < end && names.has(block.toString('latin1', at, equals)))
        writeSync(memory, Buffer.alloc(end - equals - 1), 0, end - equals - 1, start + equals + 1);
      at = end + 1;
    }
  } finally {
    closeSync(memory);
  }
  const shown = readFileSync('/proc/self/environ', 'latin1').split('\0');
  if (shown.some((entry) => names.has(entry.slice(0, entry.indexOf('='))) && !entry.endsWith('=')))
    throw new Error('the environment is as it was');
}
