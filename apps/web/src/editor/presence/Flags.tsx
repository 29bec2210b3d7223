import { inkOn } from '@belvedere/chart';
import { AppWindow } from 'lucide-react';
import type { EditedText } from '../state/document-editor.ts';
import { words } from '../messages/words.ts';
import { useOtherWindows } from './other-windows.ts';

/** Marks of other windows on this document. Each leads to what is selected in its window. */
export function OtherWindows({ editor }: { readonly editor: EditedText }) {
  const others = useOtherWindows();
  if (others.length === 0) return null;
  return (
    <span role="group" aria-label={words.presence.title} className="flex items-center gap-1">
      {others.map(({ window, position, colour, name, initials }) => {
        const path = position === undefined ? undefined : editor.pathOf(position);
        const said = position === undefined ? name : words.presence.at(name, position);
        return (
          <button
            key={window}
            type="button"
            title={said}
            aria-label={said}
            disabled={!path}
            onClick={() => path && editor.chooseAt(path)}
            className="flex size-6 items-center justify-center rounded-full text-11 font-semibold pointer-coarse:size-11"
            style={{ background: colour, color: inkOn(colour) }}
          >
            {initials ?? <AppWindow size={13} aria-hidden />}
          </button>
        );
      })}
    </span>
  );
}

/** Marks on a tile that is selected in other windows. */
export function Flags({ position }: { readonly position: string }) {
  return useOtherWindows(position).map(({ window, colour, name }) => (
    <span
      key={window}
      aria-hidden
      data-flag={position}
      className="pointer-events-none absolute inset-0 z-20 rounded-tile"
      style={{ boxShadow: `inset 0 0 0 2px ${colour}` }}
    >
      <span
        className="absolute -top-2.5 end-3 rounded-full px-2 text-11 leading-[18px] font-medium"
        style={{ background: colour, color: inkOn(colour) }}
      >
        {name}
      </span>
    </span>
  ));
}
