import type { TableSummary } from '@belvedere/api';
import { Button } from '@belvedere/ui';
import { useState } from 'react';
import { client, queryClient } from '../../data/server.ts';
import { t } from '../../messages/messages.ts';

/** Cancels an import, and retries one that was cancelled or failed. */
export function ImportOptionsButton({ table }: { readonly table: Pick<TableSummary, 'name' | 'state'> }) {
  const [isAsked, setIsAsked] = useState(false);
  if (table.state === 'ready') return null;
  const isUnderWay = table.state === 'importing' || table.state === 'waiting';
  const ask = async () => {
    setIsAsked(true);
    const params = { table: table.name };
    await (isUnderWay ? client.cancelImport({ params }) : client.retryImport({ params })).catch(() => {});
    await queryClient.invalidateQueries({ queryKey: ['workspace'] });
    setIsAsked(false);
  };
  return (
    <Button
      look="quiet"
      className="h-6 px-1.5 text-12 underline"
      isDisabled={isAsked}
      onPress={() => void ask()}
      aria-label={`${isUnderWay ? t.importOptions.stop : t.importOptions.again}: ${table.name}`}
    >
      {isUnderWay ? t.importOptions.stop : t.importOptions.again}
    </Button>
  );
}
