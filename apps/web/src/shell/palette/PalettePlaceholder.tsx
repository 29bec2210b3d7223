import { Search } from 'lucide-react';
import { useEffect } from 'react';
import { t } from '../../messages/messages.ts';

interface PalettePlaceholderProps {
  readonly typed: string;
  readonly onType: (change: (typed: string) => string) => void;
  readonly onEnter: () => void;
  readonly onClose: () => void;
}

/**
 * Stands in for the palette while it loads, and collects typed text, so that it does not trigger shortcuts.
 * The focus stays, because the palette returns it there.
 */
export function PalettePlaceholder({ typed, onType, onEnter, onClose }: PalettePlaceholderProps) {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (event.key === 'Escape') onClose();
      else if (event.key === 'Enter') onEnter();
      else if (event.key === 'Backspace') onType(text => [...text].slice(0, -1).join(''));
      else if ([...event.key].length === 1) onType(text => text + event.key);
    };
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  }, [onType, onEnter, onClose]);
  return (
    <div className="fixed inset-0 z-50 flex items-start justify-center bg-black/30 p-4 pt-[12vh]">
      <div
        role="status"
        aria-label={t.palette.label}
        className="flex h-12 w-full max-w-xl items-center gap-2 rounded-tile border border-border bg-raised px-4 text-14 shadow-float"
      >
        <Search size={16} aria-hidden className="text-text-3" />
        <span className={typed === '' ? 'text-text-3' : 'text-text'}>
          {typed === '' ? t.palette.placeholder : typed}
        </span>
      </div>
    </div>
  );
}
