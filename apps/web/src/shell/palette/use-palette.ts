import { useCallback, useEffect, useState } from 'react';

/** What was typed before the palette had loaded. */
interface EarlyInput {
  readonly text: string;
  readonly isEntered: boolean;
}

export interface PaletteState {
  readonly isOpen: boolean;
  /** Whether its code is needed: it was opened, or may be soon. It stays mounted from then on. */
  readonly isMounted: boolean;
  readonly early: EarlyInput;
}

export interface PaletteActions {
  /** Opens the palette, if given with a text in it. */
  readonly open: (text?: string) => void;
  readonly close: () => void;
  /** Loads the palette, because it may be opened soon. */
  readonly preload: () => void;
  readonly onEarlyText: (change: (text: string) => string) => void;
  readonly onEarlyEnter: () => void;
}

const noInput: EarlyInput = { text: '', isEntered: false };

/** The command palette's state. Most users never open it, so its code loads when it may be needed soon. */
export function usePalette(): readonly [PaletteState, PaletteActions] {
  const [isOpen, setIsOpen] = useState(false);
  const [isWanted, setIsWanted] = useState(false);
  const [early, setEarly] = useState(noInput);

  const open = useCallback((text?: string) => {
    if (text !== undefined) setEarly({ text, isEntered: false });
    setIsOpen(true);
  }, []);
  const close = useCallback(() => {
    setEarly(noInput);
    setIsOpen(false);
  }, []);
  const preload = useCallback(() => setIsWanted(true), []);
  const onEarlyText = useCallback(
    (change: (text: string) => string) => setEarly(({ text, ...rest }) => ({ ...rest, text: change(text) })),
    [],
  );
  const onEarlyEnter = useCallback(() => setEarly(({ text }) => ({ text, isEntered: true })), []);

  useEffect(() => {
    // The first of the palette's keys is held.
    const onKeyDown = ({ key }: KeyboardEvent) => {
      if (key === 'Control' || key === 'Meta') preload();
    };
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  }, [preload]);

  return [
    { isOpen, isMounted: isOpen || isWanted, early },
    { open, close, preload, onEarlyText, onEarlyEnter },
  ];
}
