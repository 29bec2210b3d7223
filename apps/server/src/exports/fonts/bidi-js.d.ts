/** @see https://github.com/lojjic/bidi-js */
declare module 'bidi-js' {
  interface Bidi {
    /**
     * Returns the level of each UTF-16 unit, by the Unicode Bidirectional Algorithm (UAX #9). Odd levels run
     * from right to left.
     */
    getEmbeddingLevels(text: string, baseDirection?: 'ltr' | 'rtl' | 'auto'): { readonly levels: Uint8Array };
    getMirroredCharacter(character: string): string | null;
  }
  export default function bidiFactory(): Bidi;
}
