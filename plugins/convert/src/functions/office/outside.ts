/** Decides which addresses outside the document may stay in it although the office program would fetch them. */
export type MayStay = (address: string) => boolean;

/** Allows http and https addresses on these hosts; `example.org` includes its subdomains. */
export function allowHosts(hosts: readonly string[]): MayStay {
  const allowed = hosts.map((host) => host.trim().toLowerCase()).filter((host) => host !== '');
  return (address) => {
    if (allowed.length === 0 || !URL.canParse(address)) return false;
    const { protocol, hostname } = new URL(address);
    return /^https?:$/.test(protocol) && allowed.some((host) => hostname === host || hostname.endsWith(`.${host}`));
  };
}

/**
 * True if a reference leads out of the document: a scheme other than `data:` or the package's, an absolute path, or one
 * with `..`. A document that is not a package (`inPackage` false) has no inner paths.
 */
export function leadsOut(reference: string, inPackage: boolean): boolean {
  let plain = reference.trim();
  try {
    plain = decodeURIComponent(plain);
  } catch {
    // An invalid escape is kept literally.
  }
  // Programs skip them when they read an address.
  // oxlint-disable-next-line no-control-regex
  plain = plain.replace(/[\x00-\x20]/g, '');
  if (plain === '' || plain.startsWith('#') || /^data:/i.test(plain)) return false;
  return (
    !inPackage ||
    (/^[a-z][a-z0-9+.-]*:/i.test(plain) && !/^vnd\.sun\.star\.package:/i.test(plain)) ||
    /^[/\\]/.test(plain) ||
    /(?:^|[/\\])\.\.(?:[/\\]|$)/.test(plain)
  );
}

/** Addresses that a reader may click on. */
export const isClickable = (address: string): boolean => /^\s*(?:https?:|mailto:|tel:|ftp:|#)/i.test(address);

/**
 * True for the instruction of a field that takes in what lies elsewhere, or asks another program (ECMA-376-1, 17.16.5;
 * [MS-OE376] and Rich Text Format 1.9.1, Fields). What the field showed when the document was saved stays beside the
 * instruction.
 */
export const reachesOut = (instruction: string): boolean =>
  /^[\s"'\\]*(?:INCLUDE|INCLUDEPICTURE|INCLUDETEXT|IMPORT|LINK|DDE|DDEAUTO|DATABASE|RD)\b/i.test(instruction);

/** True for the formula of a cell that reads what lies elsewhere. The value that was saved beside it stays. */
export const computesFromOutside = (formula: string): boolean =>
  /(?:WEBSERVICE|DDE)\s*\(|'(?:[a-z][\w+.-]*:|[\\/])[^']*'\s*#/i.test(formula);
