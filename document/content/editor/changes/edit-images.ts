import type { PDFContext } from 'pdf-lib';
import { boxAround, intersect, inverse, isEmpty, type Matrix, multiply, numberText, quadOf } from '../../index.js';
import { drawXObject, embedImage, placeOfImage } from './add-elements.js';
import { near, nearMatrix } from '../match-elements.js';
import type { ImageElement } from '../model.js';
import type { PageSpace } from '../page-space.js';
import { digestOf, type ReadImage } from '../reading/read-images.js';

/** True when a picture's place and look are those of before. */
export function isSameImage(read: ImageElement, now: ImageElement): boolean {
  return isSamePlace(read, now) && !hasOtherPicture(now);
}

/** An exported image has the digest of its data in its id. */
function hasOtherPicture({ id, imageData }: ImageElement): boolean {
  if (imageData === undefined) return false;
  return id?.endsWith(`-${digestOf(imageData)}`) !== true;
}

function isSamePlace(read: ImageElement, now: ImageElement): boolean {
  return (
    nearMatrix(read.transform, now.transform) &&
    (['x', 'y', 'width', 'height', 'left', 'right', 'top', 'bottom'] as const).every((key) => near(read[key], now[key]))
  );
}

export function removeImage({ painted: { frame, operator } }: ReadImage): void {
  frame.replace(operator, '');
}

/**
 * Draws an image elsewhere, or another one in its place. Gives what is to be drawn over the page instead where its own
 * content may not paint there.
 */
export async function changeImage(
  context: PDFContext,
  read: ReadImage,
  now: ImageElement,
  space: PageSpace,
  pointer: string,
): Promise<{ readonly over: string } | undefined> {
  const { painted, element } = read;
  const { frame, operator, state } = painted;
  const matrix = isSamePlace(element, now) ? state.ctm : multiply(newPlace(element, now), space.user);
  const back = inverse(state.ctm);
  const visible = !isEmpty(intersect(boxAround(quadOf(matrix, [0, 0, 1, 1])), state.clip));
  const root = rootOf(frame);
  const target = back === undefined || !visible ? root : frame;
  let drawn: string | undefined;
  const local: Matrix = target === root && (back === undefined || !visible) ? matrix : multiply(matrix, back!);
  if (hasOtherPicture(now)) {
    const { value, upright } = await embedImage(context, now.imageData!, pointer);
    drawn = drawXObject(target.resourceName('XObject', value, 'Image'), local, upright);
  } else if ('image' in painted) {
    drawn =
      `q\n${local.map(numberText).join(' ')} cm\n` +
      `${Buffer.from(frame.bytes.subarray(operator.start, operator.end)).toString('latin1')}\nQ`;
  } else {
    drawn = drawXObject(
      target === frame || painted.ref === undefined
        ? painted.name
        : target.resourceName('XObject', painted.ref, 'Image'),
      local,
    );
  }
  if (target === frame && back !== undefined && visible) {
    frame.replace(operator, drawn);
    return undefined;
  }
  frame.replace(operator, '');
  return { over: drawn };
}

/** Where the element is now: what was changed counts, its matrix before its box. */
function newPlace(read: ImageElement, now: ImageElement): Matrix {
  const old = read.transform as unknown as Matrix;
  if (!nearMatrix(read.transform, now.transform)) return now.transform as unknown as Matrix;
  const { transform: _transform, ...sidesNow } = { ...read, ...now };
  const box = placeOfImage(sidesNow);
  const sides = (element: ImageElement): readonly [number, number, number, number] => [
    element.x ?? 0,
    element.y ?? 0,
    element.width ?? 1,
    element.height ?? 1,
  ];
  const changedSides =
    (['left', 'right', 'top', 'bottom'] as const).some((key) => !near(read[key], now[key])) &&
    (['x', 'y', 'width', 'height'] as const).every((key) => near(read[key], now[key]));
  const [x, y, width, height] = changedSides
    ? [
        now.left ?? read.left!,
        now.bottom ?? read.bottom!,
        (now.right ?? read.right!) - (now.left ?? read.left!),
        (now.top ?? read.top!) - (now.bottom ?? read.bottom!),
      ]
    : box === undefined
      ? sides(read)
      : [box[4], box[5], box[0], box[3]];
  const [ox, oy, ow, oh] = sides(read);
  // The box is moved and scaled, and the image with it.
  const [sx, sy] = [ow === 0 ? 1 : width / ow, oh === 0 ? 1 : height / oh];
  return multiply(old, [sx, 0, 0, sy, x - ox * sx, y - oy * sy]);
}

function rootOf(frame: ReadImage['painted']['frame']): ReadImage['painted']['frame'] {
  let root = frame;
  while (root.parent !== undefined) root = root.parent;
  return root;
}
