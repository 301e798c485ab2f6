/** The permissions and their bits in /P, counted from 1 (ISO 32000-1, table 22). */
const BITS = {
  print: 3,
  modify: 4,
  copy: 5,
  annotate: 6,
  fillForms: 9,
  accessibility: 10,
  assemble: 11,
  printHighQuality: 12,
} as const;

/** A right that the owner of a document can withhold from its users. */
export type Permission = keyof typeof BITS;

export type Permissions = Readonly<Record<Permission, boolean>>;

/** Bits that must be set: 7, 8 and 13 to 32; 1 and 2 must not. */
const RESERVED = ~0xf3f;
const ALL = Object.values(BITS).reduce((sum, bit) => sum | (1 << (bit - 1)), 0);

/** The names of all rights, in the order of their bits. */
export const permissionNames = Object.keys(BITS) as readonly Permission[];

/** Returns /P, a signed 32-bit number; rights that are not named are granted. */
export function encodePermissions(permissions: Partial<Permissions>): number {
  return permissionNames.reduce(
    (value, name) => (permissions[name] === false ? value & ~(1 << (BITS[name] - 1)) : value),
    RESERVED | ALL,
  );
}

/** Returns the rights in /P. Revision 2 knows bits 3 to 6 only; each of them includes the finer rights there. */
export function decodePermissions(value: number, revision = 6): Permissions {
  const has = (name: Permission): boolean => (value & (1 << (BITS[name] - 1))) !== 0;
  if (revision > 2)
    return Object.fromEntries(permissionNames.map((name) => [name, has(name)])) as Record<Permission, boolean>;
  const [print, modify, copy, annotate] = [has('print'), has('modify'), has('copy'), has('annotate')];
  return {
    print,
    modify,
    copy,
    annotate,
    fillForms: annotate,
    accessibility: copy,
    assemble: modify,
    printHighQuality: print,
  };
}

/** True when a right is withheld for which revision 2 has no bit (ISO 32000-1, table 21, R). */
export function needsRevision3(value: number): boolean {
  return (['fillForms', 'accessibility', 'assemble', 'printHighQuality'] as const).some(
    (name) => (value & (1 << (BITS[name] - 1))) === 0,
  );
}

/** Sets the reserved bits of /P for the revision: revision 2 has no bits above 6. */
export function tidyPermissions(value: number, revision: number): number {
  return ((value & ALL) | RESERVED | (revision === 2 ? ~0x3f : 0)) & ~0b11;
}
