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
  readonly isHeardInFields?: boolean;
}

export interface KeyGroup {
  readonly title: string;
  readonly keys: readonly Key[];
}

const heard = new Set<KeyGroup>();
const lettersSetting = 'belvedere-letter-keys';

const listeners = new Set<() => void>();
let groups: readonly KeyGroup[] = [];

function changed(): void {
  groups = [...heard];
  for (const listener of listeners) listener();
}

/** The shortcuts that work on the page at this moment, in the order in which its parts were shown. */
export const keysNow = (): readonly KeyGroup[] => groups;

export function onKeysChanged(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/**
 * Whether letters and signs do anything by themselves. Who speaks to the machine, or whose hand strays, turns
 * it off (WCAG 2.2, 2.1.4).
 */
export const areLettersHeard = (): boolean => localStorage.getItem(lettersSetting) !== 'off';

export function hearLetters(isOn: boolean): void {
  if (isOn) localStorage.removeItem(lettersSetting);
  else localStorage.setItem(lettersSetting, 'off');
}

/**
 * Hears keys for as long as the component is shown.
 * @param keys the same array as long as they do the same
 */
export function useKeys(title: string, keys: readonly Key[]): void {
  useEffect(() => {
    const group = { title, keys };
    const handlerOf = (some: readonly Key[]) =>
      createKeybindingsHandler(
        Object.fromEntries(some.flatMap(key => (key.does ? [[key.press, hearing(key, key.does)]] : []))),
        { ignore: event => event.isComposing },
      );
    // Fields keep their keys to themselves: what is heard in them is heard before they hear it.
    const first = handlerOf(keys.filter(key => key.isHeardInFields));
    const last = handlerOf(keys.filter(key => !key.isHeardInFields));
    heard.add(group);
    changed();
    window.addEventListener('keydown', first, true);
    window.addEventListener('keydown', last);
    return () => {
      heard.delete(group);
      changed();
      window.removeEventListener('keydown', first, true);
      window.removeEventListener('keydown', last);
    };
  }, [title, keys]);
}

function hearing(key: Key, does: NonNullable<Key['does']>): KeybindingHandler {
  const isLetter = /^((\[\w+\]|Shift)\+)*\S( \S)*$/.test(key.press);
  return event => {
    // Held down, undo goes on; what a letter does is done once.
    if ((!key.isHeardInFields && isTyping(event)) || (isLetter && (event.repeat || !areLettersHeard())))
      return;
    event.preventDefault();
    if (key.isHeardInFields) event.stopPropagation();
    does(event);
  };
}
