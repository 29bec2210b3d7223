import { slotsOf } from '@belvedere/query';
import { hierarchy } from 'd3-hierarchy';
import type { ChannelAxis } from '../chart.ts';
import { positionName } from '../guides/place-axis.ts';

/** A branch or a leaf: its positions on the axes of the levels so far, and the sum below it. */
export interface TreeNode {
  readonly positions: readonly number[];
  readonly name: string;
  /** The amount of a leaf; branches add theirs up. */
  readonly amount: number;
  readonly children?: readonly TreeNode[];
}

/**
 * Values of nested levels as a tree, the largest first. Zeros and negative values have no area and are left
 * out.
 */
export function treeOf(
  values: Float64Array,
  axes: readonly ChannelAxis[],
  locale: string,
  hidden?: ReadonlySet<number>,
) {
  const build = (depth: number, offset: number, positions: readonly number[]): TreeNode[] => {
    const axis = axes[depth]!;
    const inner = axes.slice(depth + 1).reduce((product, one) => product * slotsOf(one), 1);
    return Array.from({ length: slotsOf(axis) }, (_, position): TreeNode | undefined => {
      if (depth === 0 && hidden?.has(position)) return undefined;
      const at = offset + position * inner;
      const own = [...positions, position];
      const padded = [...own, ...axes.slice(own.length).map(() => -1)];
      const name = positionName(axis, position, locale);
      if (depth === axes.length - 1)
        return values[at]! > 0 ? { positions: padded, name, amount: values[at]! } : undefined;
      const children = build(depth + 1, at, own);
      return children.length > 0 ? { positions: padded, name, amount: 0, children } : undefined;
    }).filter(node => node !== undefined);
  };
  const root: TreeNode = { positions: axes.map(() => -1), name: '', amount: 0, children: build(0, 0, []) };
  return hierarchy<TreeNode>(root, node => node.children as TreeNode[] | undefined)
    .sum(node => node.amount)
    .sort((a, b) => (b.value ?? 0) - (a.value ?? 0));
}
