import { useEffect } from 'react';
import { createKeybindingsHandler, type KeybindingHandler } from 'tinykeys';
import { isTyping } from './is-typing.ts';

/** A shortcut and its label in the list of shortcuts. */
export interface Key {
  /**
   * As tinykeys writes it: `e`, `$mod+k` (Ctrl, or ⌘), `[Shift]+?` (with Shift or without), `g h` (one after
   * the other).
   */
  readonly press: string;
  /** Left out where another key does the same: then it is not listed. */
  readonly label?: string;
  /** Undefined if the focused element handles the key itself, so that it is only listed. */
  readonly does?: (event: KeyboardEvent) => void;
  /** Works in text fields, too. */
  readonly worksInFields?: boolean;
}

export interface KeyGroup {
  readonly title: string;
  readonly keys: readonly Key[];
}

const registered = new Set<KeyGroup>();
const lettersSetting = 'belvedere-letter-keys';

const listeners = new Set<() => void>();
let groups: readonly KeyGroup[] = [];

function changed(): void {
  groups = [...registered];
  for (const listener of listeners) listener();
}

/** The shortcuts of the page, in the order in which their components were mounted. */
export const keysNow = (): readonly KeyGroup[] => groups;

export function onKeysChanged(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/**
 * Whether single letters and signs are shortcuts. Users of speech input, or whose hand shakes, turn them off
 * (WCAG 2.2, 2.1.4).
 */
export const areLetterKeysOn = (): boolean => localStorage.getItem(lettersSetting) !== 'off';

export function setLetterKeys(isOn: boolean): void {
  if (isOn) localStorage.removeItem(lettersSetting);
  else localStorage.setItem(lettersSetting, 'off');
}

/**
 * Registers shortcuts for as long as the component is mounted.
 * @param keys a stable array
 */
export function useKeys(title: string, keys: readonly Key[]): void {
  useEffect(() => {
    const group = { title, keys };
    const handlerOf = (some: readonly Key[]) =>
      createKeybindingsHandler(
        Object.fromEntries(some.flatMap(key => (key.does ? [[key.press, keyHandler(key, key.does)]] : []))),
        { ignore: event => event.isComposing },
      );
    // Text fields stop the propagation of their keys, so shortcuts that work in fields listen while capturing.
    const first = handlerOf(keys.filter(key => key.worksInFields));
    const last = handlerOf(keys.filter(key => !key.worksInFields));
    registered.add(group);
    changed();
    window.addEventListener('keydown', first, true);
    window.addEventListener('keydown', last);
    return () => {
      registered.delete(group);
      changed();
      window.removeEventListener('keydown', first, true);
      window.removeEventListener('keydown', last);
    };
  }, [title, keys]);
}

function keyHandler(key: Key, does: NonNullable<Key['does']>): KeybindingHandler {
  const isLetter = /^((\[\w+\]|Shift)\+)*\S( \S)*$/.test(key.press);
  return event => {
    // Undo repeats while its keys are held; a letter runs its command once.
    if ((!key.worksInFields && isTyping(event)) || (isLetter && (event.repeat || !areLetterKeysOn()))) return;
    event.preventDefault();
    if (key.worksInFields) event.stopPropagation();
    does(event);
  };
}
