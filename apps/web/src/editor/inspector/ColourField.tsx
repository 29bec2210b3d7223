import { IconButton } from '@belvedere/ui';
import { X } from 'lucide-react';
import { words } from '../messages/words.ts';

interface ColourFieldProps {
  readonly label: string;
  /** The colour that is drawn: the chosen one, or that of the palette. */
  readonly colour: string;
  readonly isOwn: boolean;
  readonly onChange: (colour: string | undefined) => void;
}

/** A colour with its name: the system's own chooser, and the way back to ours. */
export function ColourField({ label, colour, isOwn, onChange }: ColourFieldProps) {
  return (
    <div className="flex h-7 items-center gap-2 pointer-coarse:h-11">
      <label className="flex min-w-0 flex-1 items-center gap-2 text-12">
        <input
          type="color"
          value={colour.toLowerCase()}
          onChange={event => onChange(event.target.value.toUpperCase())}
          className="size-6 shrink-0 cursor-pointer rounded-control border border-border bg-transparent p-0.5"
        />
        <span className="truncate">{label}</span>
      </label>
      {isOwn ? (
        <IconButton label={words.theme.reset(label)} className="size-6!" onPress={() => onChange(undefined)}>
          <X size={13} aria-hidden />
        </IconButton>
      ) : null}
    </div>
  );
}
