import type { ComponentType, FunctionComponent } from 'react';
import { useSession } from '../data/server.ts';
import { NoAccountsScreen } from '../screens/ErrorScreens.tsx';

/** Returns the screen, or what says that it is for teams where the server has no accounts. */
export function withAccounts(Screen: ComponentType): FunctionComponent {
  return function ScreenOfTeam() {
    const { data: session } = useSession();
    return session?.mode === 'local' ? <NoAccountsScreen /> : <Screen />;
  };
}
