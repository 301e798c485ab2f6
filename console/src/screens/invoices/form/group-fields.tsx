import type { Group, Term } from '@quire/document/invoices/model';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Button, focusFault, Icon, IconButton } from '../../../components/index.ts';
import { labelOf } from '../data/labels.ts';
import { nodeAt, type Path } from '../data/places.ts';
import { sections, titleOf } from '../data/sections.ts';
import { t } from '../texts.ts';
import { draft } from './draft.ts';
import { isList, keyOf, membersOf, type Place, type Rows } from './layout.ts';
import { isLong, TermField } from './term-field.tsx';

/** Rows of fields and lists; `from` is the place that their paths begin at. */
export function RowFields({ rows, from = '' }: { readonly rows: Rows; readonly from?: string }) {
  return (
    <>
      {rows.map((row) => {
        const fields = row.map((path) => <PlacedFields key={path} path={`${from}${path}`} />);
        return row.length > 1 ? <div class="invoice-grid">{fields}</div> : fields;
      })}
    </>
  );
}

function PlacedFields({ path }: { readonly path: Path }) {
  const node = nodeAt(path);
  if (node === undefined) return null;
  if (isList(node)) return <ListFields place={{ path, node, key: keyOf(path) }} />;
  return <TermField path={path} label={/^lines\.\d+\.item\.name$/.test(path) ? t('Item') : undefined} />;
}

/** Fields for members of groups: short terms beside each other, then long ones, lists, and groups under their names. */
function MemberFields({ places }: { readonly places: readonly Place[] }) {
  const terms = places.filter(({ node }) => node.node === 'term' && !isList(node));
  const short = terms.filter(({ key, node }) => !isLong(key) && !isWide(node));
  const long = terms.filter((place) => !short.includes(place));
  return (
    <>
      {short.length === 0 ? null : (
        <div class="invoice-grid">
          {short.map(({ path }) => (
            <TermField key={path} path={path} />
          ))}
        </div>
      )}
      {long.map(({ path }) => (
        <TermField key={path} path={path} />
      ))}
      {places
        .filter((place) => !terms.includes(place))
        .map((place) =>
          isList(place.node) ? (
            <ListFields key={place.path} place={place} />
          ) : (
            <Titled key={place.path} title={labelOf(place.key, place.node)}>
              <MemberFields places={membersOf(place.path, place.node as Group)} />
            </Titled>
          ),
        )}
    </>
  );
}

/** Identifiers have a second field for their scheme, files their name. */
const isWide = (node: Term | Group): boolean =>
  node.node === 'term' && (node.type === 'schemed' || node.type === 'binary');

interface TitledProps {
  readonly title: string;
  /** The title of the part says the same. */
  readonly hidden?: boolean;
  readonly children: ComponentChildren;
}

function Titled({ title, hidden = false, children }: TitledProps) {
  return (
    <fieldset class="invoice-subgroup">
      <legend class={hidden ? 'hidden-visually' : ''}>{title}</legend>
      {children}
    </fieldset>
  );
}

/** The items of a list, each of which can be removed, and a button for one more. */
function ListFields({ place: { path, node, key } }: { readonly place: Place }) {
  const name = labelOf(key, node);
  const count = draft.countOf(path);
  const add = (): void => {
    draft.addItem(path);
    focusFault(`[data-item="${CSS.escape(`${path}.${count}`)}"]`);
  };
  const remove = (at: number): void => {
    draft.removeItem(path, at);
    focusFault(`[data-add="${CSS.escape(path)}"]`);
  };
  const isTitleOfPart = sections.some((section) => section.keys.includes(path) && titleOf(section) === name);
  return (
    <Titled title={name} hidden={isTitleOfPart}>
      {count === 0 ? null : (
        <ol class="invoice-groups">
          {Array.from({ length: count }, (_, i) => (
            <Item
              key={i}
              path={`${path}.${i}`}
              node={node}
              name={t('{name} {number}', { name, number: i + 1 })}
              onRemove={() => remove(i)}
            />
          ))}
        </ol>
      )}
      <div class="row" data-add={path}>
        <Button size="small" icon="plus" aria-label={t('Add: {name}', { name })} onClick={add}>
          {t('Add')}
        </Button>
      </div>
    </Titled>
  );
}

interface ItemProps {
  readonly path: Path;
  readonly node: Term | Group;
  readonly name: string;
  readonly onRemove: () => void;
}

function Item({ path, node, name, onRemove }: ItemProps) {
  return (
    <li class="invoice-item" aria-label={name}>
      <div class="invoice-item-fields" data-item={path}>
        {node.node === 'term' ? <TermField path={path} /> : <MemberFields places={membersOf(path, node)} />}
      </div>
      <IconButton size="small" icon="trash-2" label={t('Remove: {name}', { name })} onClick={onRemove} />
    </li>
  );
}

/** What is seldom needed: it opens by a click, and where the server has found a fault in it. */
export function More({ places }: { readonly places: readonly Place[] }) {
  const [isOpen, setOpen] = useState(false);
  const faults = draft.faults.value;
  const isWrong = Object.keys(faults).some((fault) =>
    places.some(({ path }) => fault === path || fault.startsWith(`${path}.`)),
  );
  useEffect(() => {
    if (isWrong) setOpen(true);
  }, [faults]);
  if (places.length === 0) return null;
  // Lines have their number from the start.
  const filled = places.filter(({ key, path }) => key !== 'id' && draft.outline.value.filled.has(path)).length;
  const open = isOpen || isWrong;
  return (
    <details class="invoice-more" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Icon name="chevron-right" size={16} />
        {t('More fields')}
        {filled === 0 ? null : <span class="badge">{t('Filled in: {count}', { count: filled })}</span>}
      </summary>
      {open ? (
        <div class="stack">
          <MemberFields places={places} />
        </div>
      ) : null}
    </details>
  );
}
