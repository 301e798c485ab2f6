import { Icon } from '../components/index.ts';
import { formatBytes } from '../i18n/index.ts';
import type { ViewProps } from './view-props.ts';
import './viewers.css';

/** A file that this browser page cannot show. */
export function FileView({ blob, name }: ViewProps) {
  return (
    <div class="file-view">
      <Icon name="file-text" size={40} />
      <p class="break">{name}</p>
      <p class="soft small">{formatBytes(blob.size)}</p>
    </div>
  );
}
