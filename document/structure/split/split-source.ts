import type { PDFContext, PDFDict, PDFRef } from 'pdf-lib';
import { catalogOf } from '../../file/objects/index.js';
import type { Security } from '../../file/encryption/index.js';
import { type OpenedPdf, securityOf } from '../../file/open/index.js';
import type { PageEntry } from '../pages/index.js';
import { type Annotation, readAnnotations } from '../annotations/annotations.js';
import { type NamedDestinations, readNamedDestinations } from '../names/destinations.js';
import { allFieldNodes, type FieldNode, readFields } from '../../forms/fields/fields.js';
import { placeDestinations, type PlacedDestinations } from '../names/keep-names.js';
import { readTargetedOutlines, type TargetedNode } from '../outlines/keep-outlines.js';
import { StructureSource } from '../tags/keep-structure.js';
import { keepMetadata } from '../metadata/metadata.js';
import { decimalLabels, type PageLabel, readPageLabels } from '../pages/page-labels.js';
import { ResourceNeeds } from './resource-needs.js';

/** A document from which parts are extracted: data that is the same for all parts is read once. */
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
  readonly destinations: PlacedDestinations;
  readonly outlines: readonly TargetedNode[];
  readonly ownLabels: boolean;
  readonly labels: readonly PageLabel[];
  readonly fields: readonly FieldNode[];
  readonly fieldNodes: ReadonlyMap<PDFDict, FieldNode>;
  readonly annotations: ReadonlySet<PDFDict>;
  readonly structure: StructureSource;
  /** The XMP packet of every part. */
  readonly metadata: string | undefined;
  private needs: ResourceNeeds | undefined;

  constructor(opened: OpenedPdf) {
    const context = opened.document.context;
    const catalog = catalogOf(context);
    if (catalog === undefined) throw new TypeError('the document has no catalog');
    this.context = context;
    this.catalog = catalog;
    this.pages = opened.pages;
    this.objectStreams = opened.objectStreams;
    this.security = opened.original === undefined ? undefined : securityOf(opened.lazy);
    this.pageRefs = opened.pages.map(({ ref }) => ref);
    this.pageDicts = new Set(opened.pages.map(({ dict }) => dict));
    this.named = readNamedDestinations(context);
    this.destinations = placeDestinations(context, this.named, this.pageRefs);
    this.outlines = readTargetedOutlines(context, this.named, this.pageRefs);
    const labels = readPageLabels(context, opened.pages.length);
    this.ownLabels = labels !== undefined;
    this.labels = labels ?? decimalLabels(opened.pages.length);
    this.fields = readFields(context);
    this.fieldNodes = new Map([...allFieldNodes(this.fields)].map((node) => [node.dict, node]));
    this.annotations = new Set(opened.pages.flatMap((page) => this.annotationsOf(page).map(({ dict }) => dict)));
    this.metadata = keepMetadata(context);
    this.structure = new StructureSource(context, catalog);
  }

  /** Returns a page's annotations in order; entries that are not dictionaries are skipped. */
  annotationsOf(page: PageEntry): Annotation[] {
    return readAnnotations(this.context, page.dict);
  }

  /** The resources that pages share; computed on first use. */
  get resources(): ResourceNeeds {
    this.needs ??= new ResourceNeeds(this.context, this.pages);
    return this.needs;
  }
}
