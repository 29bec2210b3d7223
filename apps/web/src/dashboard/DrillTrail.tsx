import type { Adjustment } from '@belvedere/query';
import { ChevronRight } from 'lucide-react';
import { t } from '../messages/messages.ts';
import { describeBoxes } from './describe.ts';

/** The marks that were opened, outermost first; each leads back to what it was opened from. */
export function DrillTrail({ adjustment, onAdjust }: { readonly adjustment: Adjustment; readonly onAdjust: (adjustment: Adjustment | undefined) => void }) {
  const drill = adjustment.drill ?? [];
  if (drill.length === 0) return null;
  const backTo = (depth: number) => {
    const { drill: _, ...others } = adjustment;
    onAdjust(depth === 0 ? (Object.keys(others).length > 0 ? others : undefined) : { ...others, drill: drill.slice(0, depth) });
  };
  return (
    <nav aria-label={t.tile.trail} className="no-print flex flex-wrap items-center gap-0.5 pb-1 text-12 text-text-2">
      <button type="button" className="rounded px-1 hover:bg-hover hover:text-text" onClick={() => backTo(0)}>{t.tile.allOfIt}</button>
      {drill.map((box, i) => (
        <span key={JSON.stringify(box)} className="flex items-center gap-0.5">
          <ChevronRight size={12} aria-hidden className="text-text-3" />
          {i === drill.length - 1 ? <span aria-current="true" className="px-1 font-medium text-text">{describeBoxes([box])}</span> : <button type="button" className="rounded px-1 hover:bg-hover hover:text-text" onClick={() => backTo(i + 1)}>{describeBoxes([box])}</button>}
        </span>
      ))}
    </nav>
  );
}
