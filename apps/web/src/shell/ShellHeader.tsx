import { IconButton } from '@belvedere/ui';
import { Menu, Moon, Search, Sun } from 'lucide-react';
import type { RefCallback } from 'react';
import { switchTheme, useThemeName } from '../dashboard/chart/use-theme.ts';
import { t } from '../messages/messages.ts';
import type { ScreenLayout } from './screen-layout.ts';
import type { PaletteActions } from './palette/use-palette.ts';

interface ShellHeaderProps {
  readonly layout: ScreenLayout;
  readonly isNavigationHidden: boolean;
  /** Attaches the part of the header that belongs to the screen. */
  readonly attachSlot: RefCallback<HTMLElement>;
  readonly palette: PaletteActions;
  readonly onMenu: () => void;
}

/** The menu button where there is no navigation, the screen's title and actions, search, and the theme. */
export function ShellHeader({ layout, isNavigationHidden, attachSlot, palette, onMenu }: ShellHeaderProps) {
  const theme = useThemeName();
  const isEditing = layout === 'editor';
  return (
    <header
      className={
        'no-print sticky top-0 z-40 flex h-12 items-center gap-2 border-b border-border bg-surface px-5 ' +
        'max-[760px]:px-3 [&[hidden]]:hidden'
      }
      hidden={layout === 'kiosk'}
    >
      <span className={isEditing || isNavigationHidden ? '' : 'min-[761px]:hidden'}>
        <IconButton label={t.nav.menu} onPress={onMenu}>
          <Menu size={17} aria-hidden />
        </IconButton>
      </span>
      <div ref={attachSlot} className="contents" />
      <SearchButton isCompact={isEditing} palette={palette} />
      <IconButton label={t.header.theme} onPress={switchTheme} className={isEditing ? 'max-sm:hidden' : ''}>
        {theme === 'dark' ? <Sun size={16} aria-hidden /> : <Moon size={16} aria-hidden />}
      </IconButton>
    </header>
  );
}

interface SearchButtonProps {
  /** Shows the icon alone, and nothing on a phone. */
  readonly isCompact: boolean;
  readonly palette: PaletteActions;
}

/** Opens the command palette, and loads it once the button is pointed at or has the focus. */
function SearchButton({ isCompact, palette }: SearchButtonProps) {
  return (
    <button
      type="button"
      onClick={() => palette.open()}
      onPointerEnter={palette.preload}
      onFocus={palette.preload}
      className={
        'flex h-[30px] items-center gap-2 rounded-control border border-border bg-canvas px-2.5 text-13 text-text-2 ' +
        `hover:border-border-strong max-sm:w-auto pointer-coarse:h-11 ${isCompact ? 'w-auto max-sm:hidden' : 'w-44'}`
      }
    >
      <Search size={15} aria-hidden />
      <span className={isCompact ? 'sr-only' : 'max-sm:sr-only'}>{t.header.search}</span>
      <kbd className={`ms-auto font-sans text-11 text-text-3 max-sm:hidden ${isCompact ? 'hidden' : ''}`}>
        {navigator.platform.startsWith('Mac') ? '⌘K' : `${t.keys.signs.control} K`}
      </kbd>
    </button>
  );
}
