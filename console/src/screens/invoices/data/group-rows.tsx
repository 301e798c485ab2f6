import type { BinaryObject, Group, SchemedIdentifier, Term, Terms } from '@quire/document/invoices/model';
import type { ComponentChildren } from 'preact';
import { Button, Icon } from '../../../components/index.ts';
import { saveFile } from '../../../files/index.ts';
import { formatBytes } from '../../../i18n/index.ts';
import type { Violation } from '../answers.ts';
import { t } from '../texts.ts';
import { ViolationText } from '../violation-text.tsx';
import { worstOf } from '../severities.ts';
import { holdsChosen, type DataContext } from './context.ts';
import { labelOf } from './labels.ts';
import { textOf, type Path } from './places.ts';
import { valueText } from './value-text.ts';

interface GroupRowsProps {
  readonly terms: Terms;
  /** The object with the values. */
  readonly holder: unknown;
  readonly path: Path;
  readonly context: DataContext;
}

/** The terms of a group that have a value, or whose value is missed; then the groups in it under their names. */
export function GroupRows({ terms, holder, path, context }: GroupRowsProps) {
  const values = (holder ?? {}) as Readonly<Record<string, unknown>>;
  const at = (key: string): Path => (path === '' ? key : `${path}.${key}`);
  const shown = Object.entries(terms).filter(
    ([key]) => values[key] !== undefined || context.marks.within.has(at(key)) || holdsChosen(context, at(key)),
  );
  const rows = shown.filter((entry): entry is [string, Term] => entry[1].node === 'term');
  const groups = shown.filter((entry): entry is [string, Group] => entry[1].node === 'group');
  return (
    <>
      {rows.length === 0 ? null : (
        <dl class="invoice-terms">
          {rows.flatMap(([key, node]) => termRows(key, node, values[key], at(key), context))}
        </dl>
      )}
      {groups.map(([key, node]) => (
        <div key={key} class="invoice-group">
          <GroupTitle name={key} group={node} path={at(key)} context={context} />
          {occurrences(values[key], at(key)).map(([each, place]) => (
            <Occurrence key={place} group={node} holder={each} path={place} context={context} />
          ))}
        </div>
      ))}
    </>
  );
}

interface OccurrenceProps extends Omit<GroupRowsProps, 'terms'> {
  readonly group: Group;
}

/** A group with its terms; of a list one of its groups, with what is wrong with it as a whole. */
export function Occurrence({ group, holder, path, context }: OccurrenceProps) {
  const rows = <GroupRows terms={group.terms} holder={holder} path={path} context={context} />;
  if (!/\.\d+$/.test(path)) return rows;
  const violations = context.marks.at.get(path) ?? [];
  return (
    <div class={`invoice-occurrence ${markOf(violations)}`} data-path={path} tabIndex={-1}>
      <Faults violations={violations} />
      {rows}
    </div>
  );
}

interface GroupTitleProps {
  readonly name: string;
  readonly group: Group;
  readonly path: Path;
  readonly context: DataContext;
  /** The title of the section says it already. */
  readonly hidden?: boolean;
}

/** The name of a group, and what is wrong with it as a whole. */
export function GroupTitle({ name, group, path, context, hidden = false }: GroupTitleProps) {
  const violations = context.marks.at.get(path) ?? [];
  return (
    <div class={`invoice-group-head ${markOf(violations)}`} data-path={path} tabIndex={-1}>
      {hidden && !context.ids ? null : (
        <h3 class="row">
          {hidden ? null : labelOf(name, group)}
          {context.ids ? <TermId node={group} /> : null}
        </h3>
      )}
      <Faults violations={violations} />
    </div>
  );
}

function occurrences(value: unknown, path: Path): readonly (readonly [unknown, Path])[] {
  return Array.isArray(value) ? value.map((each, i) => [each, `${path}.${i}`] as const) : [[value, path]];
}

function termRows(key: string, node: Term, value: unknown, path: Path, context: DataContext): ComponentChildren[] {
  const chosen = context.chosen?.path;
  return occurrences(value, path).map(([each, place]) => {
    const violations = context.marks.at.get(place) ?? [];
    return (
      <div
        key={place}
        class={`${markOf(violations)} ${chosen === place ? 'chosen' : ''}`}
        data-path={place}
        tabIndex={-1}
      >
        <dt>
          {labelOf(key, node)}
          {context.ids ? <TermId node={node} /> : null}
        </dt>
        <dd>
          {each === undefined ? (
            <span class="soft">{t('Not given')}</span>
          ) : (
            <Value name={key} node={node} value={each} path={place} context={context} />
          )}
          <Faults violations={violations} />
        </dd>
      </div>
    );
  });
}

function markOf(violations: readonly Violation[]): string {
  return violations.length === 0 ? '' : `marked ${worstOf(violations)}`;
}

/** The number of a term; its name in the standard as a tooltip. */
function TermId({ node: { id, name } }: { readonly node: Pick<Term | Group, 'id' | 'name'> }) {
  return (
    <code class="term-id" title={name}>
      {id}
    </code>
  );
}

/** What is wrong with a value, below it. */
export function Faults({ violations }: { readonly violations: readonly Violation[] }) {
  return (
    <>
      {violations.map((violation, i) => (
        <p key={i} class={`invoice-fault ${violation.severity}`}>
          <Icon name={violation.severity === 'information' ? 'info' : 'circle-alert'} size={16} />
          <ViolationText violation={violation} />
        </p>
      ))}
    </>
  );
}

interface ValueProps {
  readonly name: string;
  readonly node: Term;
  readonly value: unknown;
  readonly path: Path;
  readonly context: DataContext;
}

function Value({ name, node, value, path, context }: ValueProps) {
  if (node.type === 'binary') return <Attached file={value as BinaryObject} />;
  const text = textOf(value) ?? '';
  const shown = valueText(text, name, node.type);
  const { onFind } = context;
  const scheme = node.type === 'schemed' ? (value as SchemedIdentifier).scheme : undefined;
  return (
    <>
      {text.trim() === '' ? (
        <span class="soft">{t('Empty')}</span>
      ) : (
        <button
          type="button"
          class="invoice-value break"
          dir="auto"
          title={t('Find it in the document')}
          onClick={() => onFind(path, text)}
        >
          {shown}
        </button>
      )}
      {scheme === undefined ? null : <span class="soft small"> {t('(scheme {scheme})', { scheme })}</span>}
    </>
  );
}

/** A file that the invoice holds. */
function Attached({ file: { content, filename, mimeCode } }: { readonly file: BinaryObject }) {
  const name = filename ?? t('Attachment');
  // Three bytes in four characters.
  const bytes = Math.floor((content.replaceAll('=', '').length * 3) / 4);
  return (
    <div class="row">
      <bdi class="break">{name}</bdi>
      <span class="soft small">{[mimeCode, formatBytes(bytes)].filter((part) => part !== undefined).join(' · ')}</span>
      <Button
        size="small"
        icon="download"
        aria-label={t('Download: {file}', { file: name })}
        onClick={() => void saveAttached(content, name)}
      >
        {t('Download')}
      </Button>
    </div>
  );
}

/** Saved as bytes without a type, so that no browser opens what a stranger has sent. */
function saveAttached(content: string, name: string): void {
  const bytes = Uint8Array.from(atob(content), (character) => character.codePointAt(0) ?? 0);
  saveFile(new Blob([bytes], { type: 'application/octet-stream' }), name);
}
