import { Button, LazyBoundary, lazyComponent } from '@belvedere/ui';
import { Folder } from 'lucide-react';
import { useState } from 'react';
import { usePermissions } from '../../../data/session/use-permissions.ts';
import { t } from '../../../messages/messages.ts';
import { ShareButton } from '../../../shell/ShareButton.tsx';
import { ToggleChip } from '../list/ShownDashboards.tsx';

const MoveFolderDialog = lazyComponent(() =>
  import('./MoveFolderDialog.tsx').then(module => module.MoveFolderDialog),
);

interface FolderChoicesProps {
  /** With the number of dashboards in them. */
  readonly folders: readonly (readonly [string, number])[];
  readonly folder: string | undefined;
  /** Whether the user manages the folder, or the whole workspace if none is chosen. */
  readonly isManager: boolean;
  readonly onFolder: (folder: string | undefined) => void;
}

/** The folder whose dashboards Home lists, and the actions on it. */
export function FolderChoices({ folders, folder, isManager, onFolder }: FolderChoicesProps) {
  const permissions = usePermissions();
  const [isMoving, setIsMoving] = useState(false);
  return (
    <div role="group" aria-label={t.home.folder} className="flex flex-wrap gap-1.5 pb-2">
      <ToggleChip isChosen={folder === undefined} onPress={() => onFolder(undefined)}>
        {t.home.allFolders}
      </ToggleChip>
      {folders.map(([name, count]) => (
        <ToggleChip
          key={name}
          isChosen={folder === name}
          count={count}
          onPress={() => onFolder(folder === name ? undefined : name)}
        >
          <Folder size={14} aria-hidden />
          {name}
        </ToggleChip>
      ))}
      {folder !== undefined && isManager ? (
        <Button look="quiet" onPress={() => setIsMoving(true)}>
          {t.home.moveFolder}
        </Button>
      ) : null}
      {permissions.team && isManager ? (
        <ShareButton
          key={folder}
          shared={{ kind: 'folder', id: folder ?? '', label: folder ?? '' }}
          label={folder === undefined ? t.sharing.all : t.sharing.folder}
        />
      ) : null}
      {isMoving && folder !== undefined ? (
        <LazyBoundary fallback={null}>
          <MoveFolderDialog
            folder={folder}
            onMoved={to => {
              onFolder(to);
              setIsMoving(false);
            }}
            onClose={() => setIsMoving(false)}
          />
        </LazyBoundary>
      ) : null}
    </div>
  );
}
