import type { Rectangle } from '@belvedere/chart';
import { Menu, type MenuEntry } from '@belvedere/ui';
import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  type KeyboardEvent,
  type RefObject,
} from 'react';
import { createPortal } from 'react-dom';
import { t } from '../../../messages/messages.ts';
import type { Point } from '../../gestures/pointing.ts';
import { besidePointer, fitsBeside } from './mark-menu-position.ts';

const buttonLook = 'gap-1 px-1.5! text-12! pointer-coarse:px-2.5!';
const labelLook = 'in-data-compact:hidden';

interface MarkMenuProps {
  /** The chart, which gets the focus back. */
  readonly surface: RefObject<HTMLElement | null>;
  /** The tile that contains the menu. */
  readonly tile: HTMLElement;
  /** Where the mark was clicked, in pixels of the chart. */
  readonly at: Point;
  /** Whether the marks are below each other, so that a menu beside the pointer covers none of them. */
  readonly isListed: boolean;
  readonly entries: readonly MenuEntry[];
  readonly onClose: () => void;
}

/** Below the header and the filters, whose *Reset* a menu would cover. */
function topOfRoom(): number {
  const filters = document.querySelector('[data-filter-bar]')?.getBoundingClientRect();
  return Math.max(56, filters?.bottom ?? 0);
}

/**
 * The actions on the clicked mark. The menu is never under the pointer, and closes with the next press
 * elsewhere.
 */
export function MarkMenu({ surface, tile, at, isListed, entries, onClose }: MarkMenuProps) {
  const bar = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const node = bar.current;
    if (!node || !surface.current) return;
    const [frame, chart] = [tile.getBoundingClientRect(), surface.current.getBoundingClientRect()];
    const tooltip = tile.querySelector('[data-tooltip]')?.getBoundingClientRect();
    const inTile = (rectangle: DOMRect): Rectangle => ({
      x: rectangle.x - frame.x,
      y: rectangle.y - frame.y,
      width: rectangle.width,
      height: rectangle.height,
    });
    const pointer = { x: at.x + chart.x - frame.x, y: at.y + chart.y - frame.y };
    delete node.dataset['compact'];
    // Beside a mouse there is room for its icons at least, which have their names as tooltips.
    const canPoint = window.matchMedia('(hover: hover)').matches;
    if (canPoint && isListed && !fitsBeside(pointer, node.offsetWidth, frame.width))
      node.dataset['compact'] = '';
    const { left, top } = besidePointer(
      pointer,
      { width: node.offsetWidth, height: node.offsetHeight },
      { width: frame.width, top: topOfRoom() - frame.y, bottom: window.innerHeight - 8 - frame.y },
      isListed,
      tooltip && inTile(tooltip),
    );
    node.style.left = `${left}px`;
    node.style.top = `${top}px`;
  }, [at, isListed, tile, surface]);
  const close = useEffectEvent(onClose);
  useEffect(() => {
    const isOwn = (target: EventTarget | null) =>
      target instanceof Element && (bar.current?.contains(target) || target.closest('[role=menu]') !== null);
    const onPress = (event: PointerEvent) => !isOwn(event.target) && close();
    const onFocus = (event: FocusEvent) =>
      !isOwn(event.target) && !surface.current?.contains(event.target as Node) && close();
    window.addEventListener('pointerdown', onPress, true);
    window.addEventListener('focusin', onFocus);
    return () => {
      window.removeEventListener('pointerdown', onPress, true);
      window.removeEventListener('focusin', onFocus);
    };
  }, [surface]);
  const keys = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Escape') {
      event.stopPropagation();
      onClose();
      surface.current?.focus();
      return;
    }
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const buttons = [...bar.current!.querySelectorAll('button')];
    const from = buttons.indexOf(event.target as HTMLButtonElement);
    buttons[(from + step + buttons.length) % buttons.length]?.focus();
  };
  if (entries.length === 0) return null;
  return createPortal(
    <div
      ref={bar}
      role="toolbar"
      aria-label={t.tile.mark.label}
      data-testid="mark-menu"
      className="no-print absolute z-30 flex w-max max-w-full flex-wrap rounded-control border border-border bg-raised p-0.5 shadow-float"
      onKeyDown={keys}
    >
      {entries.map(entry =>
        entry.entries ? (
          <Menu
            key={entry.id}
            label={entry.label}
            icon={
              <>
                {entry.icon}
                <span className={labelLook}>{entry.label}</span>
              </>
            }
            className={`${buttonLook} w-auto!`}
            groups={() => [
              entry.entries!.map(inner => ({
                ...inner,
                onAction: () => {
                  inner.onAction?.();
                  onClose();
                },
              })),
            ]}
          />
        ) : (
          <button
            key={entry.id}
            type="button"
            aria-label={entry.label}
            title={entry.label}
            className={`inline-flex h-[30px] items-center rounded-control whitespace-nowrap text-text-2 hover:bg-hover hover:text-text pointer-coarse:h-11 ${buttonLook}`}
            onClick={() => {
              onClose();
              entry.onAction?.();
            }}
          >
            {entry.icon}
            <span className={labelLook}>{entry.label}</span>
          </button>
        ),
      )}
    </div>,
    tile,
  );
}
