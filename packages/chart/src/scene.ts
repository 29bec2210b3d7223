/** What is drawn, as plain data: pixels from the top left, y downwards. Marks of one kind and colour are one entry, so that painting is one path each. */
export type Mark =
  /** `xywh`: x, y, width, height of each rectangle. */
  | { readonly kind: 'rects'; readonly xywh: readonly number[]; readonly fill: string; readonly opacity?: number }
  /** `xy`: points; NaN breaks the line. */
  | { readonly kind: 'line'; readonly xy: readonly number[]; readonly stroke: string; readonly width: number; readonly opacity?: number; readonly dash?: readonly number[] }
  /** `xyy`: x, lower y, upper y of each point; NaN breaks the area. */
  | { readonly kind: 'area'; readonly xyy: readonly number[]; readonly fill: string; readonly opacity?: number }
  | { readonly kind: 'circles'; readonly xy: readonly number[]; readonly radius: number; readonly fill: string; readonly opacity?: number }
  | { readonly kind: 'text'; readonly x: number; readonly y: number; readonly text: string; readonly fill: string; readonly align: 'left' | 'center' | 'right'; readonly size: number; readonly weight?: number };

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Rectangle extends Size {
  readonly x: number;
  readonly y: number;
}
