/**
 * Whether a key, a copy or a paste is somebody's who writes into a field, or who is in a dialog: not meant
 * for the page.
 */
export function isTyping(event: Event): boolean {
  const [target] = event.composedPath();
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target instanceof HTMLInputElement ||
      target instanceof HTMLTextAreaElement ||
      target instanceof HTMLSelectElement ||
      target.closest('[role=dialog]') !== null)
  );
}
