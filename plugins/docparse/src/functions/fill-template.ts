import { InputError } from '@quire/registry/errors';
import { fillPart, type Faults, MAX_CHARACTERS, MAX_ELEMENTS, type Missing } from './template/fill-part.js';
import { dialectOf } from './template/dialect.js';
import { type TemplateKind, TemplatePackage } from './template/open-package.js';
import { Pictures } from './template/pictures.js';

export type { TemplateKind } from './template/open-package.js';
export type { Missing } from './template/fill-part.js';

/** How a template is filled. */
export interface FillOptions {
  readonly kind: TemplateKind;
  readonly missing: Missing;
  /** An empty folder of our own. */
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly progress: (done: number, total: number) => void;
}

/** Parts with text that people see. */
const TEXT_PARTS: Readonly<Record<TemplateKind, RegExp>> = {
  docx: /^word\/(?:document|header\d*|footer\d*|footnotes|endnotes|comments)\.xml$/,
  pptx: /^ppt\/(?:slides\/slide\d+|notesSlides\/notesSlide\d+)\.xml$/,
  odt: /^(?:content|styles)\.xml$/,
  odp: /^(?:content|styles)\.xml$/,
};
/** Names that a refusal lists. */
const NAMED = 50;

/**
 * Fills a template with data and writes the result to `target`: `{{a.b}}` is replaced, `{{#list}} … {{/list}}` comes
 * once for each item, or when the value is there, `{{^name}} … {{/name}}` when it is not; pictures are put in. In
 * documents (WordprocessingML, OpenDocument text) with headers, footers and notes, and in slides with their notes.
 * Nothing is evaluated. Errors: those of `TemplatePackage.open`; TEMPLATE_INVALID for sections without beginning or
 * end; INPUT_INVALID naming the data that is not there or does not fit; INPUT_TOO_COMPLEX for results without end.
 */
export async function fillTemplate(
  path: string,
  data: Readonly<Record<string, unknown>>,
  target: string,
  { kind, missing, folder, signal, progress }: FillOptions,
): Promise<void> {
  const opened = await TemplatePackage.open(path, kind, { folder, field: 'templateFile', signal });
  const faults: Faults = { unknown: new Set(), unfit: new Map(), structure: new Set() };
  const pictures = new Pictures(opened);
  const names = opened.names.filter((name) => TEXT_PARTS[kind].test(name));
  const shared = {
    dialect: dialectOf(kind),
    missing,
    faults,
    signal,
    budget: { elements: MAX_ELEMENTS, characters: MAX_CHARACTERS },
  };
  for (const [done, name] of names.entries()) {
    progress(done, names.length);
    const root = (await opened.xml(name)).documentElement;
    if (root !== null)
      await fillPart(root, data, { ...shared, picture: (owner, picture) => pictures.place(name, owner, picture) });
  }
  refuse(faults);
  await opened.write(target, signal);
  progress(names.length, names.length);
}

function refuse({ structure, unknown, unfit }: Faults): void {
  if (structure.size > 0)
    throw new InputError('TEMPLATE_INVALID', { field: 'templateFile', detail: list([...structure]) });
  const pointer = (name: string): string =>
    `/data/${name.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('.', '/')}`;
  const errors = [
    ...[...unknown].map((name) => ({
      pointer: pointer(name),
      detail: `the template asks for "${cut(name)}", which the data does not have`,
    })),
    ...[...unfit].map(([name, why]) => ({ pointer: pointer(name), detail: `"${cut(name)}" ${why}` })),
  ].slice(0, NAMED);
  if (errors.length === 0) return;
  const missing =
    unknown.size === 0 ? [] : [`"data" does not have what the template asks for: ${list([...unknown].map(cut))}`];
  throw new InputError(
    'INPUT_INVALID',
    {
      detail: [...missing, ...[...unfit].slice(0, NAMED).map(([name, why]) => `"${cut(name)}" in "data" ${why}`)].join(
        '; ',
      ),
    },
    errors,
  );
}

const list = (items: readonly string[]): string =>
  items.slice(0, NAMED).join(', ') + (items.length > NAMED ? ` and ${items.length - NAMED} more` : '');
const cut = (name: string): string => (name.length > 80 ? `${name.slice(0, 80)}…` : name);
