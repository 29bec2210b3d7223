/**
 * Drawings as plain data: pixels from the top left, y downwards. Marks of one kind and colour are one entry,
 * so that each is painted as one path.
 */
export type Mark =
  /** `xywh`: x, y, width, height of each rectangle. */
  | {
      readonly kind: 'rects';
      readonly xywh: readonly number[] | Float64Array;
      readonly fill: string;
      readonly opacity?: number;
    }
  /** `xy`: points; NaN breaks the line. */
  | {
      readonly kind: 'line';
      readonly xy: readonly number[];
      readonly stroke: string;
      readonly width: number;
      readonly opacity?: number;
      readonly dash?: readonly number[];
    }
  /** `xyy`: x, lower y, upper y of each point; NaN breaks the area. */
  | {
      readonly kind: 'area';
      readonly xyy: readonly number[];
      readonly fill: string;
      readonly opacity?: number;
    }
  | {
      readonly kind: 'circles';
      readonly xy: readonly number[];
      readonly radius: number;
      readonly fill: string;
      readonly opacity?: number;
    }
  /** `d`: an SVG path, for all other shapes. */
  | {
      readonly kind: 'path';
      readonly d: string;
      readonly fill?: string;
      readonly stroke?: string;
      readonly width?: number;
      readonly opacity?: number;
    }
  | {
      readonly kind: 'text';
      readonly x: number;
      readonly y: number;
      readonly text: string;
      readonly fill: string;
      readonly align: 'left' | 'center' | 'right';
      readonly size: number;
      readonly weight?: number;
      /** Degrees clockwise about its place. */
      readonly angle?: number;
    }
  /**
   * An image, whole and in the middle of its box. `address` contains it (`data:`). For paper only: pages show
   * images as elements.
   */
  | {
      readonly kind: 'image';
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly height: number;
      readonly address: string;
    }
  /**
   * Marks moved to the right and down; with `clip`, nothing of them is painted beyond that much of their
   * plane.
   */
  | {
      readonly kind: 'group';
      readonly x: number;
      readonly y: number;
      readonly clip?: Size;
      readonly marks: readonly Mark[];
    };

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Rectangle extends Size {
  readonly x: number;
  readonly y: number;
}

/** All marks, with those of groups in place of the groups. */
export function flatten(
  marks: readonly Mark[],
  x = 0,
  y = 0,
): readonly { readonly mark: Exclude<Mark, { kind: 'group' }>; readonly x: number; readonly y: number }[] {
  return marks.flatMap(mark =>
    mark.kind === 'group' ? flatten(mark.marks, x + mark.x, y + mark.y) : [{ mark, x, y }],
  );
}
