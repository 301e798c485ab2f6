import { type PDFContext, type PDFDict, PDFName, type PDFObject } from 'pdf-lib';
import { arrayOf, asArray, asDict, asName, dictOf, elements, entry, setEntry } from '../../file/objects/index.js';
import type { MergeSource } from '../merge/merge-source.js';

/** Lists of a configuration that are concatenated (ISO 32000-1, table 101). */
const CHAINED = ['ON', 'OFF', 'Order', 'RBGroups', 'Locked', 'AS'] as const;

/** Joins the optional content (layers) of all inputs (ISO 32000-1, 8.11.4). */
export class LayersMerge {
  private readonly groups: PDFObject[] = [];
  private readonly configs: PDFObject[] = [];
  private readonly lists = new Map<string, PDFObject[]>();
  private base: PDFDict | undefined;
  private readonly intents = new Set<string>();
  private baseOff = false;

  constructor(private readonly target: PDFContext) {}

  /** Adds the layers of an input. */
  join({ source, catalog, copier }: MergeSource): void {
    const properties = asDict(source, entry(catalog, 'OCProperties'));
    if (properties === undefined) return;
    const groups = this.copyAll(elements(source, entry(properties, 'OCGs')), copier);
    this.groups.push(...groups);
    this.configs.push(...this.copyAll(elements(source, entry(properties, 'Configs')), copier));
    const config = asDict(source, entry(properties, 'D'));
    const off = config !== undefined && asName(source, entry(config, 'BaseState')) === 'OFF';
    if (this.base === undefined) {
      this.base = config === undefined ? dictOf(this.target, {}) : copier.copyDict(config, new Set(CHAINED));
      this.baseOff = off;
    }
    const taken = new Map(
      CHAINED.map(
        (key) => [key, config === undefined ? [] : this.copyAll(elements(source, entry(config, key)), copier)] as const,
      ),
    );
    if (off !== this.baseOff) {
      // The first input's base state applies to the result, so groups of inputs with another base state are listed
      // explicitly.
      const named = new Set(taken.get(off ? 'ON' : 'OFF'));
      taken.set(
        off ? 'OFF' : 'ON',
        groups.filter((group) => !named.has(group)),
      );
    }
    this.takeIntents(source, config);
    for (const [key, values] of taken) this.lists.set(key, [...(this.lists.get(key) ?? []), ...values]);
  }

  /** Writes the joined layers into the catalog of the result. */
  write(catalog: PDFDict): void {
    if (this.base === undefined) return;
    const config = this.base;
    for (const [key, values] of this.lists) if (values.length > 0) setEntry(config, key, arrayOf(this.target, values));
    if (this.intents.size > 1)
      setEntry(
        config,
        'Intent',
        arrayOf(
          this.target,
          [...this.intents].map((name) => PDFName.of(name)),
        ),
      );
    setEntry(
      catalog,
      'OCProperties',
      dictOf(this.target, {
        OCGs: arrayOf(this.target, this.groups),
        D: config,
        Configs: this.configs.length > 0 ? arrayOf(this.target, this.configs) : undefined,
      }),
    );
  }

  /** A configuration only applies to groups of its intents, by default View (ISO 32000-1, 8.11.2.3). */
  private takeIntents(source: PDFContext, config: PDFDict | undefined): void {
    const value = config === undefined ? undefined : entry(config, 'Intent');
    const names = (asArray(source, value)?.asArray() ?? [value]).flatMap((item) => asName(source, item) ?? []);
    for (const name of names.length > 0 ? names : ['View']) this.intents.add(name);
  }

  private copyAll(values: readonly PDFObject[], copier: MergeSource['copier']): PDFObject[] {
    return values.flatMap((value) => {
      const copy = copier.copy(value);
      return copy === undefined ? [] : [copy];
    });
  }
}
