import { words } from '../../messages/words.ts';
import { Section } from '../Section.tsx';
import { tileTextField } from './focus-tile-text.ts';
import type { InspectedTileProps } from './use-inspected-tile.ts';

/** The text of a text tile, which must not be empty. */
export function TextSection({ inspected, text }: InspectedTileProps & { readonly text: string }) {
  return (
    <Section title={words.tile.text}>
      <textarea
        {...tileTextField}
        aria-label={words.tile.text}
        value={text}
        rows={8}
        onChange={({ target: { value } }) => value !== '' && inspected.set('text', value)}
        className="w-full rounded-control border border-border bg-surface p-2 text-13 text-text focus:border-accent"
      />
    </Section>
  );
}
