import { isAtLeast } from '@belvedere/api';
import { Button } from '@belvedere/ui';
import { Link } from '@tanstack/react-router';
import { Database, FilePlus } from 'lucide-react';
import { useState } from 'react';
import { problemText } from '../../data/problem-text.ts';
import { client, queryClient, useSession } from '../../data/server.ts';
import { usePermissions } from '../../data/session/use-permissions.ts';
import { t } from '../../messages/messages.ts';
import { chooseFiles } from '../../uploads/offered-files.ts';

/** How to begin where there is no data: files, a database, or the sample's address. */
export function EmptyWorkspace() {
  const { data: session } = useSession();
  const { data, administer } = usePermissions();
  if (session && !isAtLeast(session.role, 'maker'))
    return (
      <div className="mt-10 rounded-tile border border-dashed border-border-strong bg-surface px-6 py-14 text-center">
        <h2 className="text-15 font-semibold">{t.home.nothingSharedTitle}</h2>
        <p className="mx-auto mt-1 max-w-md text-text-2">{t.home.nothingSharedText}</p>
      </div>
    );
  return (
    <div className="mt-10 rounded-tile border border-dashed border-border-strong bg-surface px-6 py-14 text-center">
      <h2 className="text-15 font-semibold">{t.home.emptyTitle}</h2>
      <p className="mx-auto mt-1 max-w-md text-text-2">{t.home.emptyText}</p>
      {data ? (
        <div className="mt-5 flex flex-wrap justify-center gap-2">
          <Button look="primary" onPress={chooseFiles}>
            <FilePlus size={15} aria-hidden />
            {t.home.chooseFiles}
          </Button>
          {administer ? (
            <>
              <Link
                to="/data"
                search={{ connect: '' }}
                className={
                  'inline-flex h-[30px] items-center gap-1.5 rounded-control border border-border bg-surface ' +
                  'px-2.5 text-13 hover:bg-hover pointer-coarse:h-11'
                }
              >
                <Database size={15} aria-hidden />
                {t.sources.connect}
              </Link>
              <SampleButton />
            </>
          ) : null}
        </div>
      ) : null}
    </div>
  );
}

/** Adds the sample's data to the workspace. */
function SampleButton() {
  const [error, setError] = useState<string>();
  const [isAdding, setIsAdding] = useState(false);
  const add = async () => {
    setIsAdding(true);
    try {
      await client.addSample({});
      await queryClient.invalidateQueries({ queryKey: ['workspace'] });
    } catch (problem) {
      setError(problemText(problem));
    }
    setIsAdding(false);
  };
  return (
    <>
      <Button isDisabled={isAdding} onPress={() => void add()}>
        {t.home.addSample}
      </Button>
      {error ? (
        <p role="alert" className="w-full text-bad">
          {error}
        </p>
      ) : null}
    </>
  );
}
