import {
  useCallback,
  useEffect,
  useRef,
  type PointerEvent as ReactPointerEvent,
  type RefObject,
} from 'react';
import { flushSync } from 'react-dom';
import { useEditing, type Dragged } from '../state/editing.ts';

/**
 * Fields and kinds are dragged by pointer events, because HTML drag and drop does not support touch. A mouse
 * drags once it has moved. A finger drags once it has rested, because a finger that moves at once scrolls.
 */

export interface DropTarget {
  /** Whether the dragged item can be dropped here. If not, an element around this one may accept it. */
  readonly takes: boolean;
  readonly onOver: (event: PointerEvent) => void;
  readonly onLeave: () => void;
  readonly onDrop: (event: PointerEvent) => void;
}

const startsAfterPx = 4;
const restsWithinPx = 8;
const restMs = 350;
/** So near to the window’s upper or lower edge the page scrolls. */
const scrollsWithinPx = 48;

const targets = new Map<Element, RefObject<DropTarget>>();

/** @returns a ref for the element onto which something is dropped */
export function useDropTarget(target: DropTarget): (element: HTMLElement | null) => () => void {
  const latest = useRef(target);
  useEffect(() => {
    latest.current = target;
  });
  return useCallback(element => {
    if (element) targets.set(element, latest);
    return () => void (element && targets.delete(element));
  }, []);
}

/** @returns properties for the element that is dragged by */
export function useDragSource(dragged: Dragged, isEnabled = true) {
  const { setDragged } = useEditing();
  const onPointerDown = (event: ReactPointerEvent<HTMLElement>) => {
    if (event.button !== 0 || !isEnabled) return;
    // Whether a target takes it is known before the pointer is over one.
    followDrag(
      event.nativeEvent,
      event.currentTarget,
      () => flushSync(() => setDragged(dragged)),
      () => setDragged(undefined),
    );
  };
  return { onPointerDown, 'data-draggable': isEnabled };
}

function targetAt({ clientX, clientY }: PointerEvent): DropTarget | undefined {
  for (let element = document.elementFromPoint(clientX, clientY); element; element = element.parentElement) {
    const target = targets.get(element)?.current;
    if (target?.takes) return target;
  }
  return undefined;
}

function followDrag(down: PointerEvent, source: HTMLElement, onStart: () => void, onEnd: () => void): void {
  const controller = new AbortController();
  const listening = { signal: controller.signal };
  const isTouch = down.pointerType === 'touch';
  let last = down;
  let over: DropTarget | undefined;
  let ghost: HTMLElement | undefined;
  const follow = () => {
    ghost!.style.translate = `${last.clientX + 8}px ${last.clientY + 8}px`;
    const target = targetAt(last);
    if (over !== target) over?.onLeave();
    over = target;
    over?.onOver(last);
    if (last.clientY > window.innerHeight - scrollsWithinPx) window.scrollBy(0, 12);
    else if (last.clientY < scrollsWithinPx) window.scrollBy(0, -12);
  };
  const start = () => {
    onStart();
    ghost = ghostOf(source);
    follow();
  };
  const rest = isTouch ? setTimeout(start, restMs) : undefined;
  const stop = () => {
    clearTimeout(rest);
    controller.abort();
    if (!ghost) return;
    ghost.remove();
    over?.onLeave();
    onEnd();
    // Releasing an item over its source is not a click.
    const swallow = (event: Event) => event.stopPropagation();
    window.addEventListener('click', swallow, { capture: true, once: true });
    setTimeout(() => window.removeEventListener('click', swallow, { capture: true }));
  };
  window.addEventListener(
    'pointermove',
    event => {
      if (event.pointerId !== down.pointerId) return;
      last = event;
      // The button was released outside the window.
      if (event.buttons === 0) return stop();
      const moved = Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY);
      if (ghost) follow();
      else if (isTouch && moved > restsWithinPx) stop();
      else if (!isTouch && moved >= startsAfterPx) start();
    },
    listening,
  );
  window.addEventListener(
    'pointerup',
    event => {
      if (event.pointerId !== down.pointerId) return;
      if (ghost) targetAt(event)?.onDrop(event);
      stop();
    },
    listening,
  );
  window.addEventListener('pointercancel', stop, listening);
  window.addEventListener('keydown', event => event.key === 'Escape' && stop(), listening);
  // While a finger drags, the page does not scroll, and a long press opens no browser menu.
  window.addEventListener('touchmove', event => ghost && event.preventDefault(), {
    ...listening,
    passive: false,
  });
  window.addEventListener('contextmenu', event => isTouch && event.preventDefault(), listening);
}

/** An image of the dragged item beside the pointer. */
function ghostOf(source: HTMLElement): HTMLElement {
  const ghost = source.cloneNode(true) as HTMLElement;
  ghost.className +=
    ' pointer-events-none fixed top-0 left-0 z-50 border border-border bg-raised opacity-90 shadow-float';
  ghost.style.width = `${source.offsetWidth}px`;
  ghost.inert = true;
  document.body.append(ghost);
  return ghost;
}
