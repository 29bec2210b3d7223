/** Marks the field with the text of the selected tile. */
export const tileTextField = { 'data-tile-text': '' };

/**
 * Moves the focus to the text of the selected tile, selected to be typed over, once its panel is there.
 *
 * @param onMissing called if there is no panel, as on a phone
 */
export function focusTileText(onMissing?: () => void): void {
  requestAnimationFrame(() => {
    const field = document.querySelector<HTMLTextAreaElement>('[data-tile-text]');
    if (!field) return onMissing?.();
    field.focus();
    field.select();
  });
}
