import type { ViewProps } from './view-props.ts';
import { useObjectAddress } from './object-address.ts';
import './viewers.css';

export function ImageView({ blob, name }: ViewProps) {
  const address = useObjectAddress(blob);
  return (
    <div class="image-view">
      <img src={address} alt={name} />
    </div>
  );
}
