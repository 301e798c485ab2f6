import type { GroupWidget, Widget } from '@quire/registry';
import type { ComponentType } from 'preact';
import type { NamedFile } from './document/named-file.ts';
import type { Frame, PageArea } from './engine/index.ts';
import { AreaPicker } from './picker/area-picker.tsx';
import { PageThumbnails } from './picker/page-thumbnails.tsx';
import { PagePicker } from './picker/page-picker.tsx';
import type { StagePages } from './picker/page-stage.tsx';
import { type ShownPicture, usePicture } from './picker/picture.ts';
import { PointPicker } from './picker/point-picker.tsx';
import { tenth } from './picker/rectangle.ts';

/** What a widget gets that stands below the control of a field and shows the pages of the files. */
export interface PageWidgetProps {
  readonly files: readonly NamedFile[];
  readonly value: string;
  readonly onValue: (value: string) => void;
}

/** What a widget gets that fills a group of fields. */
export interface GroupWidgetProps {
  readonly label: string;
  readonly files: readonly NamedFile[];
  readonly frame: Frame;
  /** Numbers by role; undefined where a field is empty. */
  readonly values: Readonly<Record<string, number | undefined>>;
  /** Roles with their new numbers; undefined for fields that become empty. */
  readonly onValues: (values: Readonly<Record<string, number | undefined>>) => void;
  /** The names of the group's roles. */
  readonly roles: readonly string[];
  /** The picture that is placed in the area. */
  readonly picture?: File | undefined;
}

/** Widgets that show pages, by the widget of the field. */
const pageWidgets: Readonly<Partial<Record<Widget, ComponentType<PageWidgetProps>>>> = {
  pages: (props) => <PagePicker {...props} />,
  pageOrder: (props) => <PagePicker {...props} ordered />,
};

/** Widgets of groups of fields. */
const groupWidgets: Readonly<Record<GroupWidget, ComponentType<GroupWidgetProps>>> = {
  area: AreaWidget,
  point: PointWidget,
};

function AreaWidget(props: GroupWidgetProps) {
  return props.roles.includes('height') || props.roles.includes('top') ? (
    <RectangleWidget {...props} />
  ) : (
    <PictureWidget {...props} />
  );
}

function RectangleWidget({ label, files, frame, values, onValues, roles }: GroupWidgetProps) {
  const write = (area: PageArea | undefined): void => {
    if (area === undefined) return onValues(Object.fromEntries(roles.map((role) => [role, undefined])));
    const { left, bottom, right, top } = area;
    const all: Readonly<Record<string, number>> = {
      x: left,
      y: bottom,
      width: tenth(right - left),
      height: tenth(top - bottom),
      left,
      bottom,
      right,
      top,
    };
    onValues(Object.fromEntries(roles.map((role) => [role, all[role]])));
  };
  return <AreaPicker label={label} files={files} frame={frame} value={areaOf(values)} onValue={write} />;
}

function areaOf({
  x,
  y,
  width,
  height,
  left = x,
  bottom = y,
  right,
  top,
}: Readonly<Record<string, number | undefined>>): PageArea | undefined {
  if (left === undefined || bottom === undefined) return undefined;
  const ends = { right: right ?? left + (width ?? Number.NaN), top: top ?? bottom + (height ?? Number.NaN) };
  return ends.right > left && ends.top > bottom ? { left, bottom, ...ends } : undefined;
}

/** Where a picture goes. Before it is chosen, and where the browser cannot show it, its lower left corner is. */
function PictureWidget(props: GroupWidgetProps) {
  const { label, files, frame, values, onValues } = props;
  const picture = usePicture(props.picture);
  if (picture === undefined) return <PointWidget {...props} />;
  const { x = 0, y = 0 } = values;
  const width = values['width'] ?? naturalWidth(picture, props.picture);
  const height = width === undefined ? 0 : (width * picture.height) / picture.width;
  const area = width === undefined ? undefined : { left: x, bottom: y, right: x + width, top: y + height };
  return (
    <AreaPicker
      label={label}
      files={files}
      frame={frame}
      {...stagePages(props)}
      picture={picture}
      value={area}
      onValue={(next) =>
        onValues(
          next === undefined
            ? { x: undefined, y: undefined, width: undefined }
            : { x: next.left, y: next.bottom, width: tenth(next.right - next.left) },
        )
      }
    />
  );
}

/** Wider than most pages: such a picture is not shown before it has a width. */
const WIDEST = 500;

/** Points of a picture without a width, as the server draws it; undefined where that is not known. */
function naturalWidth({ width }: ShownPicture, file: File | undefined): number | undefined {
  // Browsers convert the units of an SVG to pixels, the server to points.
  return file?.type === 'image/svg+xml' || width > WIDEST ? undefined : width;
}

/** The page that is shown is the page of the field. */
function stagePages({ values: { page = 1 }, onValues, roles }: GroupWidgetProps): StagePages {
  if (!roles.includes('page')) return {};
  return { start: page - 1, onPage: (shown) => void (shown + 1 === page || onValues({ page: shown + 1 })) };
}

function PointWidget(props: GroupWidgetProps) {
  const { label, files, frame, onValues } = props;
  const { x, y } = props.values;
  return (
    <PointPicker
      label={label}
      files={files}
      frame={frame}
      {...stagePages(props)}
      value={x === undefined || y === undefined ? undefined : { x, y }}
      onValue={(point) => onValues({ x: point?.x, y: point?.y })}
    />
  );
}

/** What the form of a tool loads when the first PDF is chosen. */
export const pageViews = { pageWidgets, groupWidgets, PageThumbnails };
export type PageViews = typeof pageViews;
