import { PDFBool, type PDFContext, PDFDict, PDFName, PDFNumber, type PDFObject, PDFRef } from 'pdf-lib';
import {
  arrayOf,
  asDict,
  asNumber,
  asText,
  byteString,
  dictOf,
  elements,
  entry,
  resolve,
  setEntry,
} from '../../file/objects/index.js';
import { acroFormOf, allFieldNodes, fullName, partialName, readFields } from './fields.js';
import type { MergeSource, Rewrites } from '../../structure/merge/merge-source.js';
import { fingerprint, freeName } from '../../structure/names/free-names.js';
import { renameFonts } from '../../structure/merge/rewrites.js';

type Plan = Pick<Rewrites, 'fieldDicts' | 'fieldNames' | 'fieldPaths' | 'fonts'>;

/**
 * Joins the forms of all inputs (ISO 32000-1, 12.7.2). A top-level field is renamed if an earlier input has a field of
 * that name, so that they do not become one field with one value. Actions, locks and scripts that refer to it by name
 * are updated.
 */
export class FormMerge {
  private readonly fields: PDFObject[] = [];
  private readonly order: PDFObject[] = [];
  private readonly names = new Set<string>();
  private readonly fonts = new Map<string, string | undefined>();
  private readonly resources = new Map<string, Map<PDFName, PDFObject>>();
  private readonly late: (() => void)[] = [];
  private appearance: string | undefined;
  private quadding = 0;
  private sigFlags = 0;
  private needAppearances = false;
  private joined = 0;
  private xfa: PDFObject | undefined;

  constructor(private readonly target: PDFContext) {}

  /** Decides which fields and fonts of an input must be renamed. */
  plan(index: number, source: PDFContext): Plan {
    const fieldDicts = new Map<PDFDict, string>();
    const fieldNames = new Map<string, string>();
    const fieldPaths = new Map<string, string>();
    const fonts = new Map<string, string>();
    const form = acroFormOf(source);
    if (form === undefined) return { fieldDicts, fieldNames, fieldPaths, fonts };
    const fields = readFields(source);
    const own = new Set(fields.map(({ dict }) => partialName(source, dict)));
    for (const node of fields) {
      const { dict } = node;
      const name = partialName(source, dict);
      if (name === '' || !this.names.has(name)) continue;
      const free = fieldNames.get(name) ?? freeName(name, { has: (n) => this.names.has(n) || own.has(n) }, index + 1);
      fieldDicts.set(dict, free);
      fieldNames.set(name, free);
      for (const below of allFieldNodes([node])) {
        const path = fullName(source, below);
        fieldPaths.set(path, free + path.slice(name.length));
      }
    }
    for (const [name, font] of this.resourceEntries(source, form, 'Font')) {
      const key = name.decodeText();
      const print = fingerprint(source, font);
      if (this.fonts.has(key) && (print === undefined || this.fonts.get(key) !== print))
        fonts.set(key, freeName(key, this.fonts, index + 1));
    }
    return { fieldDicts, fieldNames, fieldPaths, fonts };
  }

  /** Adds the form of an input. */
  join({ source, copier, rewrites }: MergeSource): void {
    const form = acroFormOf(source);
    if (form === undefined) return;
    this.joined += 1;
    const da = asText(source, entry(form, 'DA'));
    const appearance =
      da === undefined ? undefined : Buffer.from(renameFonts(da, rewrites.fonts).asBytes()).toString('latin1');
    const quadding = asNumber(source, entry(form, 'Q')) ?? 0;
    if (this.joined === 1) {
      this.quadding = quadding;
      // A merged form loses its XFA, which describes a single complete document and would hide the other fields.
      this.xfa = copier.copy(entry(form, 'XFA'));
    }
    this.appearance ??= appearance;
    for (const { ref, dict } of readFields(source)) {
      const copy = copier.copy(ref ?? dict);
      if (copy === undefined) continue;
      this.fields.push(copy instanceof PDFRef ? copy : this.target.register(copy));
      const name = partialName(source, dict);
      this.names.add(rewrites.fieldDicts.get(dict) ?? name);
      // Where the result's form defaults differ from this input's, each of its fields gets the inherited values
      // directly.
      this.late.push(() => {
        const field = asDict(this.target, copy);
        if (field === undefined) return;
        if (appearance !== undefined && appearance !== this.appearance && entry(field, 'DA') === undefined)
          setEntry(field, 'DA', byteString(appearance));
        if (quadding !== this.quadding && entry(field, 'Q') === undefined) setEntry(field, 'Q', PDFNumber.of(quadding));
      });
    }
    for (const kind of asDict(source, entry(form, 'DR'))?.keys() ?? [])
      this.joinResources(source, form, kind.decodeText(), copier, rewrites);
    for (const value of elements(source, entry(form, 'CO'))) {
      const copy = copier.copy(value);
      if (copy !== undefined) this.order.push(copy);
    }
    this.sigFlags |= asNumber(source, entry(form, 'SigFlags')) ?? 0;
    if (resolve(source, entry(form, 'NeedAppearances')) === PDFBool.True) this.needAppearances = true;
  }

  /** Writes the joined form into the catalog of the result; all copiers must have finished. */
  write(catalog: PDFDict, inputs: number): void {
    if (this.joined === 0) return;
    for (const finish of this.late) finish();
    const context = this.target;
    const resources = dictOf(context, {});
    for (const [kind, values] of this.resources) setEntry(resources, kind, PDFDict.fromMapWithContext(values, context));
    setEntry(
      catalog,
      'AcroForm',
      context.register(
        dictOf(context, {
          Fields: arrayOf(context, this.fields),
          DR: this.resources.size > 0 ? resources : undefined,
          DA: this.appearance === undefined ? undefined : byteString(this.appearance),
          Q: this.quadding === 0 ? undefined : PDFNumber.of(this.quadding),
          CO: this.order.length > 0 ? arrayOf(context, this.order) : undefined,
          SigFlags: this.sigFlags === 0 ? undefined : PDFNumber.of(this.sigFlags),
          NeedAppearances: this.needAppearances ? PDFBool.True : undefined,
          XFA: inputs === 1 ? this.xfa : undefined,
        }),
      ),
    );
  }

  private joinResources(
    source: PDFContext,
    form: PDFDict,
    kind: string,
    copier: MergeSource['copier'],
    rewrites: Rewrites,
  ): void {
    if (kind === 'ProcSet') return;
    const values = this.resources.get(kind) ?? new Map<PDFName, PDFObject>();
    for (const [name, value] of this.resourceEntries(source, form, kind)) {
      const key = name.decodeText();
      const place = kind === 'Font' ? (rewrites.fonts.get(key) ?? key) : key;
      if (values.has(PDFName.of(place))) continue;
      const copy = copier.copy(value);
      if (copy === undefined) continue;
      values.set(PDFName.of(place), copy);
      if (kind === 'Font') this.fonts.set(place, fingerprint(source, value));
    }
    if (values.size > 0) this.resources.set(kind, values);
  }

  private resourceEntries(source: PDFContext, form: PDFDict, kind: string): [PDFName, PDFObject][] {
    const resources = asDict(source, entry(form, 'DR'));
    return asDict(source, resources === undefined ? undefined : entry(resources, kind))?.entries() ?? [];
  }
}
