import { FACTUR_X_ROOT, type FacturXElement, facturXTypes, type ProfileId } from '../../profiles/index.js';
import { readRestrictions, type Restriction, type Variant } from './restrictions.js';

/** The profiles of Factur-X by their letters in the tables. */
export const PROFILE_LETTERS: Readonly<Partial<Record<ProfileId, string>>> = {
  minimum: 'm',
  'basic-wl': 'w',
  basic: 'b',
  en16931: 'e',
  extended: 'x',
};

/** A child that the schema has: how often, and what it is. */
export interface AllowedChild {
  /** `1`, `?`, `*`, `2` (0..2), `+`. */
  readonly occurs: string;
  readonly node: ProfileNode;
}

/** A restriction, with the variants that the element and those around it must be of: 0 is the element, 1 its parent. */
export interface NodeRestriction extends Pick<Restriction, 'name' | 'variant' | 'demand' | 'rule'> {
  readonly where: readonly (readonly [levels: number, variant: Variant])[];
}

/** What a profile of Factur-X has at one path: made when an invoice has something there. */
export interface ProfileNode {
  readonly children: ReadonlyMap<string, AllowedChild>;
  readonly attributes: readonly string[];
  readonly requiredAttributes: readonly string[];
  readonly restrictions: readonly NodeRestriction[];
}

/** What the types of values have: attributes (those with `!` are required), or an element with the value. */
const VALUES: Readonly<Record<string, { readonly attributes: string; readonly element?: string }>> = {
  Amount: { attributes: 'currencyID' },
  ID: { attributes: 'schemeID' },
  Code: { attributes: 'listID listVersionID' },
  Quantity: { attributes: 'unitCode' },
  Measure: { attributes: 'unitCode' },
  Binary: { attributes: 'mimeCode! filename!' },
  Day: { attributes: 'format!' },
  Text: { attributes: '' },
  DateTime: { attributes: '', element: 'udt:DateTimeString Day' },
  FormattedDateTime: { attributes: '', element: 'qdt:DateTimeString Day' },
  Date: { attributes: '', element: 'udt:DateString Day' },
  Indicator: { attributes: '', element: 'udt:Indicator Text' },
};
const trees = new Map<string, ProfileNode>();
let tables:
  | { readonly types: ReadonlyMap<string, readonly FacturXElement[]>; readonly byName: Restrictions }
  | undefined;

/** Restrictions by the name of the element that they are for. */
type Restrictions = ReadonlyMap<string, readonly Restriction[]>;

/** The root of what a profile has. The tables are read when the first invoice of Factur-X is checked. */
export function profileTree(letter: string): ProfileNode {
  let tree = trees.get(letter);
  if (tree === undefined) trees.set(letter, (tree = new LazyNode(letter, FACTUR_X_ROOT, [`rsm:${FACTUR_X_ROOT}`])));
  return tree;
}

/** The numbers of all rules that the restrictions have. */
export function restrictionRules(): readonly string[] {
  const rules = [...readTables().byName.values()].flat().map(({ rule }) => rule);
  return [...new Set(rules.filter((rule) => rule !== undefined))].toSorted();
}

class LazyNode implements ProfileNode {
  readonly attributes: readonly string[];
  readonly requiredAttributes: readonly string[];
  #children: ReadonlyMap<string, AllowedChild> | undefined;
  #restrictions: readonly NodeRestriction[] | undefined;

  constructor(
    private readonly profile: string,
    private readonly type: string,
    /** Names from the element up to the root. */
    private readonly path: readonly string[],
  ) {
    const attributes = (VALUES[type]?.attributes ?? '').split(' ').filter(Boolean);
    this.attributes = attributes.map((name) => name.replace('!', ''));
    this.requiredAttributes = attributes.filter((name) => name.endsWith('!')).map((name) => name.slice(0, -1));
  }

  get children(): ReadonlyMap<string, AllowedChild> {
    this.#children ??= new Map(
      elementsOf(this.type)
        .filter(({ profiles }) => profiles.includes(this.profile))
        .map(({ qname, type, occurs }) => [
          qname,
          { occurs, node: new LazyNode(this.profile, type, [qname, ...this.path]) },
        ]),
    );
    return this.#children;
  }

  get restrictions(): readonly NodeRestriction[] {
    this.#restrictions ??= (readTables().byName.get(this.path[0] ?? '') ?? [])
      .filter(
        ({ profiles, steps, name }) =>
          profiles.includes(this.profile) && this.#endsWith(steps) && (/^[@.]/.test(name) || this.children.has(name)),
      )
      .map(({ steps, ...restriction }) => ({
        ...restriction,
        where: steps.flatMap(({ variant }, levels) => (variant === undefined ? [] : [[levels, variant] as const])),
      }));
    return this.#restrictions;
  }

  #endsWith(steps: Restriction['steps']): boolean {
    return steps.every(({ qname }, index) => qname === this.path[index]);
  }
}

function elementsOf(type: string): readonly FacturXElement[] {
  const value = VALUES[type];
  if (value === undefined) return readTables().types.get(type) ?? [];
  if (value.element === undefined) return [];
  const [qname = '', inner = ''] = value.element.split(' ');
  return [{ qname, type: inner, occurs: '1', profiles: 'mwbex' }];
}

function readTables(): NonNullable<typeof tables> {
  if (tables !== undefined) return tables;
  const byName = Map.groupBy(readRestrictions(), ({ steps }) => steps[0]?.qname ?? '');
  return (tables = { types: facturXTypes(), byName });
}
