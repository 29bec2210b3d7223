import { LazyBoundary, lazyComponent } from '@belvedere/ui';
import { PalettePlaceholder } from './PalettePlaceholder.tsx';
import type { PaletteActions, PaletteState } from './use-palette.ts';

const CommandPalette = lazyComponent(() =>
  import('./CommandPalette.tsx').then(module => module.CommandPalette),
);

interface LazyPaletteProps {
  readonly state: PaletteState;
  readonly actions: PaletteActions;
  /** Shows the list of shortcuts. */
  readonly onKeys: () => void;
}

/** The command palette; until it has loaded, a placeholder that collects what is typed. */
export function LazyPalette({ state, actions, onKeys }: LazyPaletteProps) {
  const { isOpen, isMounted, early } = state;
  if (!isMounted) return null;
  return (
    <LazyBoundary
      onLacking={actions.close}
      fallback={
        isOpen ? (
          <PalettePlaceholder
            typed={early.text}
            onType={actions.onEarlyText}
            onEnter={actions.onEarlyEnter}
            onClose={actions.close}
          />
        ) : null
      }
    >
      <CommandPalette
        isOpen={isOpen}
        initialText={early.text}
        isEntered={early.isEntered}
        onOpenChange={nowOpen => (nowOpen ? actions.open() : actions.close())}
        onKeys={onKeys}
      />
    </LazyBoundary>
  );
}
