/** The texts of the components themselves, in the interface's language. */
export const uiTexts = { close: 'Close', showPassword: 'Show password', hidePassword: 'Hide password' };

/** Sets the texts before the first component is shown. */
export function setUiTexts(texts: Partial<typeof uiTexts>): void {
  Object.assign(uiTexts, texts);
}
