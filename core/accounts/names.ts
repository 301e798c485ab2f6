import { InputError } from '@quire/registry';
import { builtInNames, INTERNAL_ROLE } from '../roles/index.js';
import { API_USER, type Role } from './model.js';

const reserved = new Set(['all_users', 'anonymoususer', API_USER.toLowerCase()]);
const plain = /^[A-Za-z0-9](?:[@._+-]?[A-Za-z0-9])*$/;
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const atom = "[A-Za-z0-9!#$&'+=^_~-]+";
/**
 * Dot-atom local part of at most 64 characters and a domain of at least two labels (RFC 5321, 4.1.2 and 4.5.3.1), in
 * ASCII and without `/ * ? % { } |` and the backtick, because names are used in paths, URLs and patterns.
 */
const mailAddress = new RegExp(`^(?=[^@]{1,64}@)${atom}(?:\\.${atom})*@(?=.{1,255}$)(?:${label}\\.)+${label}$`);

/** Longest name: a mail address. */
export const MAX_NAME = 320;

/**
 * Returns the name without surrounding spaces. Throws USERNAME_INVALID unless it is 3 to 50 letters and digits with
 * single `@._+-` between them, or a mail address of at most 320 characters; ASCII only, so that no two names look alike
 * (`docs/interface/auth.yml`, roles and limits).
 */
export function checkUsername(given: string): string {
  const name = given.trim();
  if (reserved.has(nameKey(name))) throw new InputError('USERNAME_INVALID', { detail: 'it is reserved' });
  if (name.length >= 3 && name.length <= 50 && plain.test(name)) return name;
  if (isMailAddress(name)) return name;
  throw new InputError('USERNAME_INVALID', {
    detail: 'use 3 to 50 letters and digits, with single @ . _ + - between them, or a mail address',
  });
}

/** Returns true for an ASCII mail address of at most 320 characters. */
export function isMailAddress(text: string): boolean {
  return text.length <= MAX_NAME && mailAddress.test(text);
}

/** Returns a form that is equal for names that differ only in case. */
export function nameKey(name: string): string {
  return name.trim().toLowerCase();
}

/** The roles that accounts may have. */
export interface KnownRoles {
  isAssignable(name: string): boolean;
  /** The role of accounts that nobody chose one for. Throws ROLE_INVALID. */
  defaultRole(): Role;
}

/** The roles of the server, for accounts that are opened without others. */
export const shippedRoles: KnownRoles = {
  isAssignable: (name) => name !== INTERNAL_ROLE && builtInNames.includes(name),
  defaultRole: () => 'ROLE_USER',
};

/**
 * Returns a role that an administrator may assign; the prefix `ROLE_` is optional, and without a name it is the default
 * role. Throws ROLE_INVALID.
 */
export function checkRole(given: string | undefined, known: KnownRoles = shippedRoles): Role {
  if (given === undefined) return known.defaultRole();
  const wanted = given.trim().toUpperCase();
  const names = [wanted, `ROLE_${wanted}`];
  if (names.includes(INTERNAL_ROLE))
    throw new InputError('ROLE_INVALID', { detail: 'Invalid role: it is reserved for the server' });
  const role = names.find((each) => known.isAssignable(each));
  if (role === undefined)
    throw new InputError('ROLE_INVALID', { detail: 'Invalid role: this server has no such role' });
  return role;
}
