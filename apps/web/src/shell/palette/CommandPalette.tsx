import { Palette, PaletteSearch } from '@belvedere/ui';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { t } from '../../messages/messages.ts';
import { useResults } from './use-results.tsx';

interface CommandPaletteProps {
  readonly isOpen: boolean;
  /** The text that was typed before the palette loaded. */
  readonly initialText: string;
  /** It was entered then, too. */
  readonly isEntered: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  readonly onKeys: () => void;
}

/** Finds charts, dashboards, tiles, fields, models, tables and commands by what is typed. */
export function CommandPalette({ isOpen, onOpenChange, ...props }: CommandPaletteProps) {
  return (
    <Palette label={t.palette.label} isOpen={isOpen} onOpenChange={onOpenChange}>
      <PaletteResults {...props} onClose={() => onOpenChange(false)} />
    </Palette>
  );
}

function PaletteResults({
  initialText,
  isEntered,
  onKeys,
  onClose,
}: Omit<CommandPaletteProps, 'isOpen' | 'onOpenChange'> & { readonly onClose: () => void }) {
  const [text, setText] = useState(initialText);
  const navigate = useNavigate();
  const { sections, act } = useResults(text, { onKeys });
  return (
    <PaletteSearch
      label={t.palette.label}
      placeholder={t.palette.placeholder}
      empty={t.palette.empty}
      text={text}
      onText={setText}
      isEntered={isEntered}
      sections={sections}
      onAction={id => {
        onClose();
        act(id);
      }}
      footer={
        text.trim() === '' ? null : (
          <button
            type="button"
            className="flex h-9 w-full items-center border-t border-border px-4 text-12 text-text-2 hover:text-text pointer-coarse:h-11"
            onClick={() => {
              onClose();
              void navigate({ to: '/search', search: { q: text.trim() } });
            }}
          >
            {t.palette.allResults}
          </button>
        )
      }
    />
  );
}
