/**
 * A place for a text editor in an element: its style sheets are constructed ones, which only a shadow root
 * takes under our content security policy.
 */
export function shadowPosition(element: HTMLElement): {
  readonly root: ShadowRoot;
  readonly parent: HTMLElement;
  readonly remove: () => void;
} {
  const host = document.createElement('div');
  host.style.height = '100%';
  element.append(host);
  const root = host.attachShadow({ mode: 'open' });
  const parent = document.createElement('div');
  parent.style.height = '100%';
  root.append(parent);
  return { root, parent, remove: () => host.remove() };
}
