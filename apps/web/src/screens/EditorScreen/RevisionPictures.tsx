import type { OpenDashboard, Revision } from '@belvedere/api';
import { useState } from 'react';
import { useThemeName } from '../../dashboard/chart/use-theme.ts';
import { locale } from '../../messages/messages.ts';
import { words } from '../../editor/messages/words.ts';

/** Images of an earlier and the current version of a dashboard. */
export function RevisionPictures({
  id,
  revision,
  shown,
}: {
  readonly id: string;
  readonly revision: Revision;
  readonly shown: OpenDashboard;
}) {
  return (
    <>
      <Picture
        key={revision.number}
        of={`revision:${revision.number}:${id}`}
        version={revision.hash}
        label={words.history.was}
      />
      <Picture of={shown.id} version={shown.revision} label={words.history.current} />
    </>
  );
}

/** The first page, drawn by the server; nothing if it cannot be drawn. */
function Picture({
  of,
  version,
  label,
}: {
  readonly of: string;
  readonly version: string;
  readonly label: string;
}) {
  const theme = useThemeName();
  const [isDrawn, setIsDrawn] = useState(true);
  return (
    <figure className="flex flex-col gap-1">
      <figcaption className="text-12 text-text-2">{label}</figcaption>
      <div className="h-40 overflow-hidden rounded-control border border-border bg-canvas">
        {isDrawn ? (
          <img
            src={`/api/v1/dashboards/${encodeURIComponent(of)}/thumbnail?theme=${theme}&locale=${locale}&v=${version}`}
            alt={label}
            className="size-full object-cover object-top"
            onError={() => setIsDrawn(false)}
          />
        ) : null}
      </div>
    </figure>
  );
}
