import { createContext, useContext } from 'react';

/** Opens the command palette with a text in it. */
export const PaletteContext = createContext<(text: string) => void>(() => {});
export const useOpenPalette = () => useContext(PaletteContext);
