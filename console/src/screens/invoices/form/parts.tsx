import { invoiceModel, type Group } from '@quire/document/invoices/model';
import type { ComponentChildren } from 'preact';
import { Button, focusFault, Icon, IconButton } from '../../../components/index.ts';
import { sections, titleOf, type Section } from '../data/sections.ts';
import { t } from '../texts.ts';
import { draft } from './draft.ts';
import { More, RowFields } from './group-fields.tsx';
import { membersOf, membersOfSection, usual, usualOfLine } from './layout.ts';
import { TotalsPart } from './totals-part.tsx';

interface PartProps {
  readonly title: string;
  readonly icon: string;
  readonly children: ComponentChildren;
}

/** A part of the form under its title. */
export function Part({ title, icon, children }: PartProps) {
  return (
    <fieldset class="card invoice-part">
      <legend>
        <h2 class="row">
          <Icon name={icon} size={18} />
          {title}
        </h2>
      </legend>
      {children}
    </fieldset>
  );
}

/** All parts of an invoice, in the order in which it is shown; seller and buyer are beside each other. */
export function Parts() {
  const parties = sections.filter(({ id }) => PARTIES.has(id));
  return (
    <>
      {sections.map((section) =>
        section === parties[0] ? (
          <div key="parties" class="invoice-parties">
            {parties.map((party) => (
              <SectionPart key={party.id} section={party} />
            ))}
          </div>
        ) : PARTIES.has(section.id) ? null : (
          <SectionPart key={section.id} section={section} />
        ),
      )}
    </>
  );
}

const PARTIES: ReadonlySet<string> = new Set(['seller', 'buyer']);

function SectionPart({ section }: { readonly section: Section }) {
  if (section.id === 'lines') return <LinesPart />;
  if (section.id === 'totals') return <TotalsPart section={section} />;
  return (
    <Part title={titleOf(section)} icon={section.icon}>
      {section.id === 'vat' ? (
        <p class="soft small">{t('The server computes it. Only the reason of an exemption has to be given.')}</p>
      ) : null}
      <RowFields rows={usual[section.id] ?? []} />
      <More places={membersOfSection(section)} />
    </Part>
  );
}

function LinesPart() {
  const count = draft.countOf('lines');
  return (
    <Part title={t('Lines')} icon="list">
      <ol class="invoice-groups">
        {Array.from({ length: count }, (_, i) => (
          <LineFields key={i} at={i} only={count === 1} />
        ))}
      </ol>
      <div class="row" data-add="lines">
        <Button
          icon="plus"
          onClick={() => {
            draft.addItem('lines');
            focusFault(`[data-item="lines.${count}"]`);
          }}
        >
          {t('Add a line')}
        </Button>
      </div>
    </Part>
  );
}

const line = invoiceModel.terms['lines'] as Group;

function LineFields({ at, only }: { readonly at: number; readonly only: boolean }) {
  const path = `lines.${at}`;
  return (
    <li class="stack" aria-label={t('Item {number}', { number: at + 1 })}>
      <div class="row between">
        <h3>{t('Item {number}', { number: at + 1 })}</h3>
        <IconButton
          icon="trash-2"
          label={t('Remove item {number}', { number: at + 1 })}
          disabled={only}
          onClick={() => draft.removeItem('lines', at)}
        />
      </div>
      <div class="stack invoice-line-fields" data-item={path}>
        <RowFields rows={usualOfLine} from={`${path}.`} />
        <More places={membersOf(path, line)} />
      </div>
    </li>
  );
}
