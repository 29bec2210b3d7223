import { Search } from 'lucide-react';
import { useEffect, useEffectEvent } from 'react';
import {
  Autocomplete,
  Collection,
  Header,
  Input,
  Menu,
  MenuItem,
  MenuSection,
  SearchField,
  useFilter,
} from 'react-aria-components';
import { ModalContent } from './ModalContent.tsx';

export interface PaletteItem {
  readonly id: string;
  readonly title: string;
  readonly hint?: string;
}
export interface PaletteSection {
  readonly title: string;
  readonly items: readonly PaletteItem[];
}

interface PaletteProps {
  readonly label: string;
  readonly placeholder: string;
  readonly empty: string;
  readonly isOpen: boolean;
  /** Text typed before the palette had loaded. */
  readonly begun: string;
  /** Whether Enter was pressed before it had loaded. */
  readonly isEntered: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  readonly sections: readonly PaletteSection[];
  readonly onAction: (id: string) => void;
}

/** The command palette: finds pages and actions as the user types. */
export function Palette({
  label,
  placeholder,
  empty,
  isOpen,
  begun,
  isEntered,
  onOpenChange,
  sections,
  onAction,
}: PaletteProps) {
  const { contains } = useFilter({ sensitivity: 'base' });
  const act = (id: string) => {
    onOpenChange(false);
    onAction(id);
  };
  const actOnFirst = (text: string) => {
    const first =
      text === ''
        ? undefined
        : sections.flatMap(({ items }) => items).find(item => contains(item.title, text));
    if (first) act(first.id);
  };
  const onCome = useEffectEvent(() => isEntered && actOnFirst(begun));
  useEffect(() => void (isOpen && onCome()), [isOpen]);
  return (
    <ModalContent label={label} isOpen={isOpen} onOpenChange={onOpenChange}>
      <Autocomplete filter={contains} defaultInputValue={begun}>
        <SearchField
          aria-label={label}
          autoFocus
          className="flex items-center gap-2 border-b border-border px-4"
        >
          <Search size={16} aria-hidden className="text-text-3" />
          <Input
            placeholder={placeholder}
            // The list highlights its first entry only after text was typed into this field.
            onKeyDown={event =>
              event.key === 'Enter' &&
              !event.currentTarget.hasAttribute('aria-activedescendant') &&
              actOnFirst(event.currentTarget.value)
            }
            className="h-12 w-full bg-transparent text-14 text-text outline-none placeholder:text-text-3"
          />
        </SearchField>
        <div tabIndex={0} role="group" aria-label={label} className="max-h-[50vh] overflow-auto">
          <Menu
            aria-label={label}
            items={sections
              .filter(section => section.items.length > 0)
              .map(section => ({ ...section, id: section.title }))}
            onAction={key => act(String(key))}
            renderEmptyState={() => <p className="px-3 py-6 text-center text-13 text-text-2">{empty}</p>}
            className="p-1.5"
          >
            {section => (
              <MenuSection id={section.id}>
                <Header className="px-2.5 pt-2 pb-1 text-11 font-medium text-text-3">{section.title}</Header>
                <Collection items={section.items}>
                  {item => (
                    <MenuItem
                      id={item.id}
                      textValue={item.title}
                      className="flex h-9 items-center justify-between gap-4 rounded-control px-2.5 text-13 text-text data-[focused]:bg-accent-weak data-[focused]:text-accent-text"
                    >
                      <span className="truncate">{item.title}</span>
                      {item.hint ? <span className="shrink-0 text-12 text-text-3">{item.hint}</span> : null}
                    </MenuItem>
                  )}
                </Collection>
              </MenuSection>
            )}
          </Menu>
        </div>
      </Autocomplete>
    </ModalContent>
  );
}
