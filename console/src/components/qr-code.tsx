import { encode } from 'uqr';

interface QrCodeProps {
  readonly text: string;
  /** What it contains, read aloud. */
  readonly label: string;
}

/** A QR code, dark on white in both themes, because readers expect that. Import it with the screen that needs it. */
export function QrCode({ text, label }: QrCodeProps) {
  const { data, size } = encode(text, { border: 2 });
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return (
    <svg class="qr" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shape-rendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
