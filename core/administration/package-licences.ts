import { readdir, readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * A third-party package as clients show it (`docs/interface/general.yml`, ui-data/licenses). Unknown members are empty.
 */
export interface PackageLicence {
  readonly moduleName: string;
  readonly moduleUrl: string;
  readonly moduleVersion: string;
  /** SPDX expression as the package states it, or `SEE LICENSE IN <file>`. */
  readonly moduleLicense: string;
  readonly moduleLicenseUrl: string;
}

interface PackageFile {
  readonly name?: unknown;
  readonly version?: unknown;
  readonly license?: unknown;
  readonly licenses?: unknown;
  readonly homepage?: unknown;
  readonly repository?: unknown;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const AT_ONCE = 32;

/**
 * Lists the third-party packages that these roots need at run time: their direct and indirect dependencies, looked up
 * as Node finds them. Development dependencies are left out. Packages whose name begins with one of `own` are followed
 * but not listed. Sorted by name.
 */
export async function packageLicences(
  roots: readonly string[],
  own: readonly string[],
): Promise<readonly PackageLicence[]> {
  const seen = new Set<string>();
  const found = new Map<string, PackageLicence>();
  let next = [...roots];
  while (next.length > 0) {
    const folders: string[] = [];
    for (let first = 0; first < next.length; first += AT_ONCE) {
      folders.push(
        ...(await Promise.all(next.slice(first, first + AT_ONCE).map((folder) => dependenciesOf(folder)))).flat(),
      );
    }
    next = [...new Set(folders)].filter((folder) => !seen.has(folder));
    for (const folder of next) {
      seen.add(folder);
      const licence = licenceOf((await readPackage(folder)) ?? {});
      if (licence === undefined || own.some((prefix) => licence.moduleName.startsWith(prefix))) continue;
      found.set(
        `${licence.moduleName}@${licence.moduleVersion}`,
        licence.moduleLicense === '' ? { ...licence, moduleLicense: await licenceFileOf(folder) } : licence,
      );
    }
  }
  return [...found.values()].sort((a, b) =>
    a.moduleName < b.moduleName ? -1 : a.moduleName > b.moduleName ? 1 : a.moduleVersion < b.moduleVersion ? -1 : 1,
  );
}

/**
 * Returns the folders of the dependencies of the package in this folder; optional ones that are not installed are left
 * out.
 */
async function dependenciesOf(folder: string): Promise<string[]> {
  const file = await readPackage(folder);
  const names = Object.keys({ ...file?.dependencies, ...file?.optionalDependencies });
  return (await Promise.all(names.map((name) => installed(name, folder)))).filter((found) => found !== undefined);
}

/** Returns the folder where Node finds a package: the nearest `node_modules` upwards. */
async function installed(name: string, from: string): Promise<string | undefined> {
  for (let folder = from; ; folder = dirname(folder)) {
    const found = await realpath(join(folder, 'node_modules', name)).catch(() => undefined);
    if (found !== undefined) return found;
    if (folder === dirname(folder)) return undefined;
  }
}

async function readPackage(folder: string): Promise<PackageFile | undefined> {
  try {
    return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as PackageFile;
  } catch {
    return undefined;
  }
}

function licenceOf({
  name,
  version,
  license,
  licenses,
  homepage,
  repository,
}: PackageFile): PackageLicence | undefined {
  if (typeof name !== 'string') return undefined;
  const stated = [license, ...(Array.isArray(licenses) ? (licenses as unknown[]) : [licenses])]
    .map(statedLicence)
    .filter(({ type }) => type !== '');
  const type = stated.map((one) => one.type).join(' OR ');
  const url =
    stated.find((one) => one.url !== '')?.url ??
    (/^[A-Za-z0-9.+-]+$/.test(type) && !/^(unlicensed|see)/i.test(type)
      ? `https://spdx.org/licenses/${type}.html`
      : '');
  return {
    moduleName: name,
    moduleUrl: webAddress(homepage) || webAddress(repository),
    moduleVersion: typeof version === 'string' ? version : '',
    moduleLicense: type,
    moduleLicenseUrl: url,
  };
}

/** Returns npm's wording for a package that names no licence but contains a licence file; else an empty string. */
async function licenceFileOf(folder: string): Promise<string> {
  const name = (await readdir(folder).catch(() => [])).find((one) => /^(licen[sc]e|copying)(\.|$)/i.test(one));
  return name === undefined ? '' : `SEE LICENSE IN ${name}`;
}

/** `"MIT"`, or `{ "type": "MIT", "url": "…" }` in older packages. */
function statedLicence(value: unknown): { readonly type: string; readonly url: string } {
  if (typeof value === 'string') return { type: value.trim(), url: '' };
  const { type, url } = (value ?? {}) as { readonly type?: unknown; readonly url?: unknown };
  return { type: typeof type === 'string' ? type.trim() : '', url: webAddress(url) };
}

/** Returns an address that a browser can open, else an empty string. */
function webAddress(value: unknown): string {
  const text = typeof value === 'string' ? value : (value as { readonly url?: unknown } | undefined)?.url;
  if (typeof text !== 'string') return '';
  const short = /^(?:github:)?([\w.-]+\/[\w.-]+)$/.exec(text)?.[1];
  const address =
    short === undefined
      ? text
          .replace(/^git\+/, '')
          .replace(/^(?:git|ssh):\/\/(?:git@)?/, 'https://')
          .replace(/^git@([^:]+):/, 'https://$1/')
          .replace(/\.git$/, '')
      : `https://github.com/${short}`;
  return /^https?:\/\/[^\s"'<>]+$/.test(address) ? address : '';
}
