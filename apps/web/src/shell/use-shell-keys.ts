import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { switchTheme } from '../dashboard/chart/use-theme.ts';
import { usePermissions } from '../data/session/use-permissions.ts';
import { useKeys } from '../keys/keys.ts';
import { t } from '../messages/messages.ts';

interface ShellKeysProps {
  readonly openPalette: () => void;
  readonly openKeyList: () => void;
  readonly toggleNavigation: () => void;
}

/** The shortcuts that work on every screen. */
export function useShellKeys({ openPalette, openKeyList, toggleNavigation }: ShellKeysProps): void {
  const navigate = useNavigate();
  const { data: canSeeData, explore: canExplore } = usePermissions();
  useKeys(
    t.keys.everywhere,
    useMemo(
      () => [
        { press: '$mod+k', label: t.keys.go, worksInFields: true, does: () => openPalette() },
        { press: '[Shift]+?', label: t.keys.list, does: () => openKeyList() },
        { press: 'g h', label: t.palette.toHome, does: () => void navigate({ to: '/' }) },
        ...(canExplore
          ? [{ press: 'g e', label: t.palette.toExplore, does: () => void navigate({ to: '/explore' }) }]
          : []),
        { press: 'g a', label: t.palette.toAlerts, does: () => void navigate({ to: '/alerts' }) },
        ...(canSeeData
          ? [{ press: 'g s', label: t.palette.toData, does: () => void navigate({ to: '/data' }) }]
          : []),
        // Some keyboards need Alt to type a bracket or a backslash.
        { press: '[Control]+[Alt]+[', label: t.keys.navigation, does: () => toggleNavigation() },
        { press: '$mod+[Alt]+\\', label: t.header.theme, worksInFields: true, does: switchTheme },
      ],
      [navigate, canExplore, canSeeData, openPalette, openKeyList, toggleNavigation],
    ),
  );
}
