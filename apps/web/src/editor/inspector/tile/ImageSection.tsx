import type { Tile } from '@belvedere/document';
import { TextField } from '@belvedere/ui';
import { words } from '../../messages/words.ts';
import { Section } from '../Section.tsx';
import type { InspectedTileProps } from './use-inspected-tile.ts';

interface ImageSectionProps extends InspectedTileProps {
  readonly image: Extract<Tile, { kind: 'image' }>;
}

/** The file of an image tile, and its text for screen readers, which must not be empty. */
export function ImageSection({ inspected: { set }, image }: ImageSectionProps) {
  return (
    <Section title={words.tile.data}>
      <TextField label={words.tile.file} value={image.file} onChange={file => set('file', file)} />
      <TextField label={words.tile.alt} value={image.alt} onChange={alt => alt !== '' && set('alt', alt)} />
    </Section>
  );
}
