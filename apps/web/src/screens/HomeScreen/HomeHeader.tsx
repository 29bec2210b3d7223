import { Button, LazyBoundary, lazyComponent } from '@belvedere/ui';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { usePermissions } from '../../data/session/use-permissions.ts';
import { t } from '../../messages/messages.ts';
import { HeaderTitle } from '../../shell/HeaderTitle.tsx';
import { chooseFiles } from '../../uploads/offered-files.ts';

const NewDashboardDialog = lazyComponent(() =>
  import('./NewDashboardDialog.tsx').then(module => module.NewDashboardDialog),
);

/** The title of Home in the page's header, with the buttons to add data and dashboards. */
export function HomeHeader() {
  const permissions = usePermissions();
  const [isCreating, setIsCreating] = useState(false);
  return (
    <>
      <HeaderTitle title={t.home.title}>
        <span className="truncate text-14 font-semibold">{t.home.title}</span>
        <span className="ms-auto flex gap-2">
          {permissions.data ? (
            <span className="max-sm:hidden">
              <Button onPress={chooseFiles}>{t.uploads.add}</Button>
            </span>
          ) : null}
          {permissions.create ? (
            <Button look="primary" onPress={() => setIsCreating(true)}>
              <Plus size={15} aria-hidden />
              {t.home.create}
            </Button>
          ) : null}
        </span>
      </HeaderTitle>
      {isCreating ? (
        <LazyBoundary fallback={null}>
          <NewDashboardDialog onClose={() => setIsCreating(false)} />
        </LazyBoundary>
      ) : null}
    </>
  );
}
