import { type PDFContext, PDFDict, type PDFObject, type PDFRef } from 'pdf-lib';
import { asDict, catalogOf, elements, entry, resolve } from '../objects/index.js';
import type { Security } from '../encryption/index.js';
import { type OpenedPdf, securityOf } from '../open/index.js';
import type { PageEntry } from '../pages/index.js';
import { type ActionTarget, destinationPage, type NamedDestinations, readNamedDestinations, targetOf } from '../parts/destinations.js';
import { allFieldNodes, type FieldNode, readFields } from '../parts/fields.js';
import { keepMetadata } from '../parts/metadata.js';
import { type OutlineNode, readOutlines } from '../parts/outlines.js';
import { decimalLabels, type PageLabel, readPageLabels } from '../parts/page-labels.js';
import { ResourceNeeds } from './resource-needs.js';
import { StructureSource } from '../parts/keep-structure.js';

/** An outline item with what it leads to. */
export interface TargetedNode {
  readonly node: OutlineNode;
  readonly target: ActionTarget;
  readonly children: readonly TargetedNode[];
}

/** A document prepared for taking parts out of it: everything that does not depend on the part is read once. */
export class SplitSource {
  readonly context: PDFContext;
  readonly catalog: PDFDict;
  readonly pages: readonly PageEntry[];
  readonly pageRefs: readonly PDFRef[];
  readonly pageDicts: ReadonlySet<PDFDict>;
  readonly objectStreams: boolean;
  /** The document's encryption, which its parts keep. */
  readonly security: Security | undefined;
  readonly named: NamedDestinations;
  /** Page of each named destination that leads to one. */
  readonly stringPages: ReadonlyMap<string, PDFRef>;
  readonly namePages: ReadonlyMap<string, PDFRef>;
  readonly outlines: readonly TargetedNode[];
  readonly ownLabels: boolean;
  readonly labels: readonly PageLabel[];
  readonly fields: readonly FieldNode[];
  readonly fieldNodes: ReadonlyMap<PDFDict, FieldNode>;
  readonly annotations: ReadonlySet<PDFDict>;
  readonly structure: StructureSource;
  /** The XMP packet that every part gets. */
  readonly metadata: string | undefined;
  private needs: ResourceNeeds | undefined;

  constructor(opened: OpenedPdf) {
    const context = opened.document.context;
    const catalog = catalogOf(context);
    if (catalog === undefined) throw new TypeError('an opened document has a catalog');
    this.context = context;
    this.catalog = catalog;
    this.pages = opened.pages;
    this.objectStreams = opened.objectStreams;
    this.security = opened.original === undefined ? undefined : securityOf(opened.lazy);
    this.pageRefs = opened.pages.map(({ ref }) => ref);
    this.pageDicts = new Set(opened.pages.map(({ dict }) => dict));
    this.named = readNamedDestinations(context);
    this.stringPages = this.destinationPages(this.named.strings);
    this.namePages = this.destinationPages(this.named.names);
    const targeted = (node: OutlineNode): TargetedNode => ({ node, target: targetOf(context, this.named, node.dict, this.pageRefs), children: node.children.map(targeted) });
    this.outlines = readOutlines(context).map(targeted);
    const labels = readPageLabels(context, opened.pages.length);
    this.ownLabels = labels !== undefined;
    this.labels = labels ?? decimalLabels(opened.pages.length);
    this.fields = readFields(context);
    this.fieldNodes = new Map([...allFieldNodes(this.fields)].map((node) => [node.dict, node]));
    this.annotations = new Set(opened.pages.flatMap((page) => this.annotationsOf(page).map(({ dict }) => dict)));
    this.metadata = keepMetadata(context);
    this.structure = new StructureSource(context, catalog);
  }

  /** Gives a page's annotations in order, without what is no dictionary. */
  annotationsOf(page: PageEntry): { readonly value: PDFObject; readonly dict: PDFDict }[] {
    return elements(this.context, entry(page.dict, 'Annots')).flatMap((value) => {
      const dict = resolve(this.context, value);
      return dict instanceof PDFDict ? [{ value, dict }] : [];
    });
  }

  /** Which resources are shared by pages; looked up on first need. */
  get resources(): ResourceNeeds {
    this.needs ??= new ResourceNeeds(this.context, this.pages);
    return this.needs;
  }

  /** Gives a named tree's root in /Names. */
  nameTree(kind: string): PDFObject | undefined {
    const names = asDict(this.context, entry(this.catalog, 'Names'));
    return names === undefined ? undefined : entry(names, kind);
  }

  private destinationPages(table: ReadonlyMap<string, PDFObject>): ReadonlyMap<string, PDFRef> {
    const found = new Map<string, PDFRef>();
    for (const [name, value] of table) {
      const page = destinationPage(this.context, this.named, value, this.pageRefs);
      if (page !== undefined) found.set(name, page);
    }
    return found;
  }
}
