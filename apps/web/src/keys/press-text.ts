import { t } from '../messages/messages.ts';

const isMac = navigator.platform.startsWith('Mac');
/** What is printed on the keys, which languages have their own of. */
const signs: Readonly<Record<string, string>> = {
  $mod: isMac ? '⌘' : t.keys.signs.control,
  Shift: isMac ? '⇧' : t.keys.signs.shift,
  Enter: t.keys.signs.enter,
  Escape: t.keys.signs.escape,
  Delete: t.keys.signs.remove,
  PageDown: t.keys.signs.pageDown,
  Arrows: '← ↑ ↓ →',
};

/** A press as it is shown: the signs on the keys, and the words between them. */
export function pressed(press: string): readonly ({ readonly sign: string } | { readonly word: string })[] {
  return press.split(' ').flatMap((one, i) => [
    ...(i > 0 ? [{ word: t.keys.next }] : []),
    ...one
      .split(/(?<=[\w\]])\+/)
      .filter(part => !/^\[\w+\]$/.test(part))
      .map(part => ({ sign: signs[part] ?? (part.length === 1 ? part.toUpperCase() : part) })),
  ]);
}

/** A press in one line: `Ctrl \\`, `G then H`. */
export function pressText(press: string): string {
  return pressed(press)
    .map(part => ('sign' in part ? part.sign : part.word))
    .join(' ');
}
