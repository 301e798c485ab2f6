import { qrPath } from './qr-path.ts';

interface QrCodeProps {
  readonly text: string;
  /** What it contains, read aloud. */
  readonly label: string;
}

/** A QR code, dark on white in both themes, because readers expect that. Import it with the screen that needs it. */
export function QrCode({ text, label }: QrCodeProps) {
  const { path, size } = qrPath(text);
  return (
    <svg class="qr" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shape-rendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
