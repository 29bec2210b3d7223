import { ChevronDown, Search } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import {
  Button,
  ComboBox as AriaComboBox,
  Input,
  ListBox,
  ListBoxItem,
  Popover,
} from 'react-aria-components';

export interface ComboBoxItem {
  readonly id: string;
  readonly title: string;
  readonly detail?: string | undefined;
  readonly icon?: ReactNode;
  readonly isDisabled?: boolean;
}

interface ComboBoxProps {
  readonly label: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  /** The matches for the text. The caller searches. */
  readonly items: readonly ComboBoxItem[];
  readonly empty: string;
  readonly onChoose: (id: string) => void;
  readonly autoFocus?: boolean;
}

/** A search field whose matches are chosen from a list below it. */
export function ComboBox({ label, text, onText, items, empty, onChoose, autoFocus = false }: ComboBoxProps) {
  // A choice empties the text, which would open the list again: the field starts over.
  const [chosen, setChosen] = useState(0);
  return (
    <AriaComboBox
      key={chosen}
      aria-label={label}
      items={items}
      inputValue={text}
      onInputChange={onText}
      value={null}
      onChange={key => {
        if (key === null) return;
        onChoose(String(key));
        setChosen(chosen + 1);
      }}
      allowsEmptyCollection
      autoFocus={autoFocus || chosen > 0}
      className="min-w-0 flex-1"
    >
      <span
        className={
          'flex h-[30px] items-center gap-2 rounded-control ' +
          'border border-border bg-surface px-2 focus-within:border-accent pointer-coarse:h-11'
        }
      >
        <Search size={14} aria-hidden className="shrink-0 text-text-3" />
        <Input
          placeholder={label}
          className="w-full min-w-0 bg-transparent text-13 text-text outline-none placeholder:text-text-3"
        />
        <Button className="-me-1 flex size-6 shrink-0 items-center justify-center rounded hover:bg-hover">
          <ChevronDown size={13} aria-hidden className="text-text-3" />
        </Button>
      </span>
      <Popover
        placement="bottom start"
        offset={6}
        className="enter w-(--trigger-width) min-w-64 rounded-tile border border-border bg-raised p-1 shadow-float"
      >
        <ListBox
          className="max-h-[min(40vh,300px)] overflow-auto outline-none"
          renderEmptyState={() => <p className="px-2 py-1.5 text-13 text-text-2">{empty}</p>}
        >
          {(item: ComboBoxItem) => (
            <ListBoxItem
              id={item.id}
              textValue={item.title}
              isDisabled={item.isDisabled ?? false}
              className={
                'flex min-h-9 cursor-default items-center gap-2 rounded-control px-2 py-1 text-13 text-text ' +
                'outline-none data-[disabled]:text-text-3 data-[focused]:bg-hover pointer-coarse:min-h-11'
              }
            >
              {item.icon}
              <span className="min-w-0 flex-1">
                <span className="block truncate">{item.title}</span>
                {item.detail ? (
                  <span className="block truncate text-12 text-text-2">{item.detail}</span>
                ) : null}
              </span>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaComboBox>
  );
}
