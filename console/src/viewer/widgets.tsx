import type { GroupWidget, Widget } from '@quire/registry';
import type { ComponentType } from 'preact';
import type { NamedFile } from './document/pdf-view.tsx';
import type { Frame, PageArea } from './engine/index.ts';
import { AreaPicker } from './picker/area-picker.tsx';
import { PageThumbnails } from './picker/page-thumbnails.tsx';
import { PagePicker } from './picker/page-picker.tsx';
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

function AreaWidget({ label, files, frame, values, onValues, roles }: GroupWidgetProps) {
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

function PointWidget({ label, files, frame, values: { x, y, page }, onValues, roles }: GroupWidgetProps) {
  const pages = !roles.includes('page')
    ? {}
    : { start: (page ?? 1) - 1, onPage: (shown: number) => shown + 1 === (page ?? 1) || onValues({ page: shown + 1 }) };
  return (
    <PointPicker
      label={label}
      files={files}
      frame={frame}
      {...pages}
      value={x === undefined || y === undefined ? undefined : { x, y }}
      onValue={(point) => onValues({ x: point?.x, y: point?.y })}
    />
  );
}

/** What the form of a tool loads when the first PDF is chosen. */
export const pageViews = { pageWidgets, groupWidgets, PageThumbnails };
export type PageViews = typeof pageViews;
