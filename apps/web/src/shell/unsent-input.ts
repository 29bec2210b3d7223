/** The address on which the user last wrote something. */
let writtenAt: string | undefined;

/** Notes all writing from now on. @returns ends it */
export function noteInput(): () => void {
  const note = () => {
    writtenAt = window.location.pathname;
  };
  document.addEventListener('input', note, { capture: true });
  return () => document.removeEventListener('input', note, { capture: true });
}

/**
 * Returns whether leaving this page may lose something: the user has written on it, or a dialog is open. Text that
 * was sent since then counts, too. Asking once too often costs a user less than text that is lost.
 */
export function mayHaveUnsentInput(): boolean {
  return (
    writtenAt === window.location.pathname ||
    document.querySelector('[role=dialog], [role=alertdialog]') !== null
  );
}
