import type { KeyValue, KnownKey } from './known-key.js';
import { aiKeys } from './keys/ai.js';
import { editorKeys } from './keys/editor.js';
import { filesKeys } from './keys/files.js';
import { foldersKeys } from './keys/folders.js';
import { identityKeys } from './keys/identity.js';
import { machineLoginKeys } from './keys/machine-login.js';
import { oauth2Keys } from './keys/oauth2.js';
import { saml2Keys } from './keys/saml2.js';
import { jobsKeys } from './keys/jobs.js';
import { licenceKeys } from './keys/licence.js';
import { loginPolicyKeys } from './keys/login-policy.js';
import { limitsKeys } from './keys/limits.js';
import { messagesKeys } from './keys/messages.js';
import { peopleKeys } from './keys/people.js';
import { programsKeys } from './keys/programs.js';
import { rolesKeys } from './keys/roles.js';
import { scimKeys } from './keys/scim.js';
import { securityKeys } from './keys/security.js';
import { serverKeys } from './keys/server.js';
import { storeKeys } from './keys/store.js';
import { systemKeys } from './keys/system.js';
import { trustKeys } from './keys/trust.js';

const rows = [
  ...serverKeys,
  ...securityKeys,
  ...rolesKeys,
  ...loginPolicyKeys,
  ...peopleKeys,
  ...systemKeys,
  ...oauth2Keys,
  ...saml2Keys,
  ...identityKeys,
  ...machineLoginKeys,
  ...scimKeys,
  ...trustKeys,
  ...programsKeys,
  ...foldersKeys,
  ...limitsKeys,
  ...jobsKeys,
  ...storeKeys,
  ...licenceKeys,
  ...messagesKeys,
  ...aiKeys,
  ...editorKeys,
  ...filesKeys,
] as const;

/** Every key that a settings file may hold. */
export const knownKeys: readonly KnownKey[] = rows;

/** The value type of every key, by its path. */
export type SettingsValues = { readonly [K in (typeof rows)[number] as K['path']]: KeyValue<K> };

/** Every key by its path. */
export const knownKeyByPath: ReadonlyMap<string, KnownKey> = new Map(knownKeys.map((key) => [key.path, key]));

/** Older names that an existing file may still use, and today's. */
export const formerNames: Readonly<Record<string, string>> = {
  'node.role': 'cluster.node.role',
  'enterpriseEdition.enabled': 'premium.enabled',
  'enterpriseEdition.key': 'premium.key',
  'enterpriseEdition.SSOAutoLogin': 'premium.proFeatures.ssoAutoLogin',
  'enterpriseEdition.CustomMetadata.autoUpdateMetadata': 'premium.proFeatures.customMetadata.autoUpdateMetadata',
  'enterpriseEdition.CustomMetadata.author': 'premium.proFeatures.customMetadata.author',
  'enterpriseEdition.CustomMetadata.creator': 'premium.proFeatures.customMetadata.creator',
  'enterpriseEdition.CustomMetadata.producer': 'premium.proFeatures.customMetadata.producer',
  'premium.proFeatures.SSOAutoLogin': 'premium.proFeatures.ssoAutoLogin',
  'premium.proFeatures.CustomMetadata.autoUpdateMetadata': 'premium.proFeatures.customMetadata.autoUpdateMetadata',
  'premium.proFeatures.CustomMetadata.author': 'premium.proFeatures.customMetadata.author',
  'premium.proFeatures.CustomMetadata.creator': 'premium.proFeatures.customMetadata.creator',
  'premium.proFeatures.CustomMetadata.producer': 'premium.proFeatures.customMetadata.producer',
};

/**
 * The environment name of a path: upper case, dots to underscores, hyphens removed (`docs/interface/settings.yml`,
 * settings rules).
 */
export function environmentName(path: string): string {
  return path.replaceAll('-', '').replaceAll('.', '_').toUpperCase();
}

/** Environment names beyond the rule; `unit` is added to a bare number. The first of a path that is set wins. */
export const environmentAliases: readonly { readonly name: string; readonly path: string; readonly unit?: string }[] = [
  { name: 'AI_ENGINE_SHARED_SECRET', path: 'aiEngine.sharedSecret' },
  { name: 'SYSTEMFILEUPLOADLIMIT', path: 'system.fileUploadLimit' },
  { name: 'SYSTEM_MAXFILESIZE', path: 'system.fileUploadLimit', unit: 'MB' },
  { name: 'SPRING_SERVLET_MULTIPART_MAX_FILE_SIZE', path: 'system.fileUploadLimit' },
  { name: 'SPRING_SERVLET_MULTIPART_MAX_REQUEST_SIZE', path: 'system.fileUploadLimit' },
];
