/**
 * Whether a key, a copy or a paste belongs to a text field or a dialog, and not to the page.
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
