import { IconButton } from '../../../components/index.ts';
import { t } from '../texts.ts';
import type { Page } from './page.ts';

interface PageCardsProps {
  readonly pages: readonly Page[];
  readonly onMove: (from: number, to: number) => void;
  readonly onTurn: (page: Page) => void;
  readonly onCrop: (page: Page) => void;
  readonly onRetake: (page: Page) => void;
  readonly onRemove: (page: Page) => void;
}

/** The pages that were taken, in the order in which they are sent. */
export function PageCards({ pages, onMove, onTurn, onCrop, onRetake, onRemove }: PageCardsProps) {
  return (
    <ol class="scan-pages">
      {pages.map((page, i) => {
        const number = i + 1;
        return (
          <li key={page.id} class="scan-page">
            <img src={page.url} alt={t('Page {number}', { number })} />
            <div class="row">
              <IconButton
                icon="arrow-up"
                label={t('Move page {number} up', { number })}
                disabled={i === 0}
                onClick={() => onMove(i, i - 1)}
              />
              <IconButton
                icon="arrow-down"
                label={t('Move page {number} down', { number })}
                disabled={number === pages.length}
                onClick={() => onMove(i, i + 1)}
              />
              <IconButton icon="crop" label={t('Crop page {number}', { number })} onClick={() => onCrop(page)} />
              <IconButton icon="rotate-cw" label={t('Turn page {number}', { number })} onClick={() => onTurn(page)} />
              <IconButton
                icon="camera"
                label={t('Take page {number} again', { number })}
                onClick={() => onRetake(page)}
              />
              <IconButton icon="trash-2" label={t('Remove page {number}', { number })} onClick={() => onRemove(page)} />
            </div>
          </li>
        );
      })}
    </ol>
  );
}
