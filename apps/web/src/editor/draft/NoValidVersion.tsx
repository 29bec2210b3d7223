import { Button } from '@belvedere/ui';
import { words } from '../messages/words.ts';

/** In place of a document's contents while no version of its text is valid. */
export function NoValidVersion({ onOpenText }: { readonly onOpenText: () => void }) {
  return (
    <div className="mx-auto mt-6 max-w-lg rounded-tile border border-dashed border-border-strong bg-surface px-6 py-8 text-center">
      <h2 className="text-15 font-semibold">{words.text.noValidVersion}</h2>
      <p className="mt-1 mb-4 text-text-2">{words.text.noValidVersionHint}</p>
      <Button look="primary" onPress={onOpenText}>
        {words.text.open}
      </Button>
    </div>
  );
}
