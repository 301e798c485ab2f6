import type { Group, Term, Terms } from '../../model/index.js';
import { parsePath, parsePaths, type Path } from './path.js';

/** Where a syntax keeps a term: a path from the element of its group (`path.ts`), or null if it has no place for it. */
export type TermBinding = string | TermPlace | null;

export interface TermPlace {
  readonly path: string;
  /** From the element of the value to the code of its scheme; `@schemeID` if absent. */
  readonly scheme?: string;
  readonly schemeVersion?: string;
  /** From the text in the XML to the value in the model; undefined: a placeholder that stands for no value. */
  readonly read?: (text: string) => string | undefined;
  readonly write?: (value: string) => string;
  /** The key of a term of the group that has one of the same elements: this term has the others. */
  readonly besides?: string;
  /** Which alternative of the path is written. */
  readonly choose?: (value: string, scheme: string | undefined) => number;
}

/** Where a syntax keeps a group, and its terms relative to that. */
export interface GroupPlace<G extends Terms = Terms> {
  /** `.` for a group that has no element of its own: it exists if one of its terms does, or `exists`. */
  readonly path: string;
  readonly exists?: string;
  /** For a group whose terms are kept in one text. */
  readonly text?: GroupText;
  /** The group is what comes after this many elements of the path, which another group or term has. */
  readonly after?: number;
  readonly terms: Bindings<G>;
}

export interface GroupText {
  readonly read: (text: string) => Readonly<Record<string, string>>;
  readonly write: (terms: Readonly<Record<string, unknown>>) => string;
}

/** An entry for each term and group, so that none is forgotten. */
export type Bindings<G extends Terms> = {
  readonly [K in keyof G]: G[K] extends Group<infer _O, infer H> ? GroupPlace<H> | null : TermBinding;
};

/** A term of the model and its place, ready for use. */
export interface CompiledTerm {
  readonly node: 'term';
  readonly key: string;
  readonly term: Term;
  readonly many: boolean;
  readonly paths: readonly Path[];
  readonly inAll: boolean;
  readonly scheme: Path;
  readonly schemeVersion: Path | undefined;
  readonly place: TermPlace;
}

export interface CompiledGroup {
  readonly node: 'group';
  readonly key: string;
  readonly group: Group;
  readonly many: boolean;
  readonly path: Path;
  /** The group has no element of its own. */
  readonly isVirtual: boolean;
  readonly exists: Path | undefined;
  readonly text: GroupText | undefined;
  readonly after: number;
  /** By key, in the order of the model. */
  readonly members: ReadonlyMap<string, CompiledTerm | CompiledGroup>;
}

/** A place without the types of the model: what compiling walks. */
interface LoosePlace {
  readonly path: string;
  readonly exists?: string;
  readonly text?: GroupText;
  readonly after?: number;
  readonly terms: Readonly<Record<string, LoosePlace | TermBinding>>;
}

/** Places to add to those of a group; a member that is no place itself is added to the group of that name in turn. */
export interface AddedPlaces {
  readonly [key: string]: string | TermPlace | AddedGroup | AddedPlaces;
}

/** The place of an added group. */
export interface AddedGroup extends Omit<GroupPlace, 'terms'> {
  readonly terms: AddedPlaces;
}

/** A group's place with what is added to it. */
export function withPlaces<P extends object>(place: P, added: AddedPlaces): P {
  const terms: Record<string, unknown> = { ...(place as unknown as LoosePlace).terms };
  for (const [key, entry] of Object.entries(added)) {
    const isPlace = typeof entry === 'string' || typeof entry['path'] === 'string';
    terms[key] = isPlace ? entry : withPlaces(terms[key] as object, entry as AddedPlaces);
  }
  return { ...place, terms };
}

/** Joins the model and its places. */
export function compileBindings<G extends Terms>(group: Group, place: GroupPlace<G>): CompiledGroup {
  return compileGroup('', group, place as unknown as LoosePlace, new Map());
}

/** A group that contains itself (sub lines) is compiled once. */
function compileGroup(key: string, group: Group, place: LoosePlace, done: Map<Group, CompiledGroup>): CompiledGroup {
  const earlier = done.get(group);
  if (earlier !== undefined) return earlier;
  const members = new Map<string, CompiledTerm | CompiledGroup>();
  const compiled: CompiledGroup = {
    node: 'group',
    key,
    group,
    many: isMany(group.occurs),
    path: parsePath(place.path),
    isVirtual: place.path === '.',
    exists: place.exists === undefined ? undefined : parsePath(place.exists),
    text: place.text,
    after: place.after ?? 0,
    members,
  };
  done.set(group, compiled);
  for (const [name, entry] of Object.entries(group.terms)) {
    const binding = place.terms[name];
    if (binding === null || binding === undefined) continue;
    if (entry.node === 'group') members.set(name, compileGroup(name, entry, binding as LoosePlace, done));
    else members.set(name, compileTerm(name, entry, binding as string | TermPlace));
  }
  return compiled;
}

function compileTerm(key: string, term: Term, binding: string | TermPlace): CompiledTerm {
  const place = typeof binding === 'string' ? { path: binding } : binding;
  const paths = parsePaths(place.path);
  return {
    node: 'term',
    key,
    term,
    many: isMany(term.occurs),
    paths,
    inAll: paths.some(({ steps }) => steps.some(({ inAll }) => inAll)),
    scheme: parsePath(place.scheme ?? '@schemeID'),
    schemeVersion: place.schemeVersion === undefined ? undefined : parsePath(place.schemeVersion),
    place,
  };
}

function isMany(occurs: string): boolean {
  return occurs.endsWith('n');
}
