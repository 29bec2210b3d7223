interface TabsProps {
  readonly label: string;
  readonly titles: readonly string[];
  readonly selected: number;
  readonly onSelect: (index: number) => void;
}

/** A row of tabs; arrows move between them (WAI-ARIA APG, tabs, automatic activation). */
export function Tabs({ label, titles, selected, onSelect }: TabsProps) {
  return (
    <div
      role="tablist"
      aria-label={label}
      className="flex gap-4 overflow-x-auto [scrollbar-width:none]"
      onKeyDown={event => {
        const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
        if (step === 0) return;
        event.preventDefault();
        const next = (selected + step + titles.length) % titles.length;
        onSelect(next);
        (event.currentTarget.children[next] as HTMLElement).focus();
      }}
    >
      {titles.map((title, i) => (
        <button
          key={title}
          type="button"
          role="tab"
          aria-selected={i === selected}
          tabIndex={i === selected ? 0 : -1}
          onClick={() => onSelect(i)}
          className={`h-9 shrink-0 border-b-2 text-13 font-medium ${i === selected ? 'border-accent text-text' : 'border-transparent text-text-2 hover:text-text'}`}
        >
          {title}
        </button>
      ))}
    </div>
  );
}
