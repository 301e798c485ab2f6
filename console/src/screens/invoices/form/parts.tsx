import type { ComponentChildren } from 'preact';
import { Button, Icon, IconButton } from '../../../components/index.ts';
import { t } from '../texts.ts';
import { draft } from './draft.ts';
import { TermField } from './term-field.tsx';

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

export function HeadPart() {
  return (
    <Part title={t('Invoice')} icon="receipt-text">
      <div class="invoice-grid">
        <TermField path="number" />
        <TermField path="issueDate" />
        <TermField path="dueDate" />
        <TermField path="delivery.date" />
        <TermField path="typeCode" />
        <TermField path="currency" />
        <TermField path="buyerReference" />
        <TermField path="purchaseOrder" />
      </div>
      <TermField path="notes.0.text" label={t('Notes')} long />
    </Part>
  );
}

export function PartyPart({ party }: { readonly party: 'seller' | 'buyer' }) {
  const isSeller = party === 'seller';
  return (
    <Part title={isSeller ? t('Seller') : t('Buyer')} icon={isSeller ? 'store' : 'building-2'}>
      <TermField path={`${party}.name`} />
      <TermField path={`${party}.address.line1`} />
      <div class="invoice-grid">
        <TermField path={`${party}.address.postCode`} />
        <TermField path={`${party}.address.city`} />
        <TermField path={`${party}.address.country`} />
      </div>
      <div class="invoice-grid">
        <TermField path={`${party}.vatIdentifier`} />
        {isSeller ? <TermField path="seller.taxRegistration" /> : null}
        <TermField path={`${party}.electronicAddress`} scheme="EM" />
      </div>
      <div class="invoice-grid">
        <TermField path={`${party}.contact.name`} />
        <TermField path={`${party}.contact.telephone`} />
        <TermField path={`${party}.contact.email`} />
      </div>
    </Part>
  );
}

export function LinesPart() {
  const count = draft.lineCount;
  return (
    <Part title={t('Lines')} icon="list">
      <ol class="invoice-groups">
        {Array.from({ length: count }, (_, i) => (
          <LineFields key={i} at={i} only={count === 1} />
        ))}
      </ol>
      <div class="row">
        <Button icon="plus" onClick={() => draft.addLine()}>
          {t('Add a line')}
        </Button>
      </div>
    </Part>
  );
}

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
          onClick={() => draft.removeLine(at)}
        />
      </div>
      <div class="invoice-grid wide-first">
        <TermField path={`${path}.item.name`} label={t('Item')} />
        <TermField path={`${path}.quantity`} />
        <TermField path={`${path}.unit`} />
        <TermField path={`${path}.price.net`} />
        <TermField path={`${path}.vat.category`} />
        <TermField path={`${path}.vat.rate`} />
      </div>
      <TermField path={`${path}.item.description`} long />
    </li>
  );
}

export function PaymentPart() {
  return (
    <Part title={t('Payment')} icon="credit-card">
      <div class="invoice-grid">
        <TermField path="payment.meansCode" />
        <TermField path="payment.transfers.0.account" />
        <TermField path="payment.transfers.0.accountName" />
        <TermField path="payment.transfers.0.serviceProvider" />
        <TermField path="payment.remittance" />
        <TermField path="totals.paid" />
      </div>
      <TermField path="paymentTerms" long />
    </Part>
  );
}
