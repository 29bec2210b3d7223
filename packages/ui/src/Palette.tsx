import { Search } from 'lucide-react';
import { useEffect, useEffectEvent, type ReactNode } from 'react';
import {
  Autocomplete,
  Collection,
  Header,
  Input,
  Menu,
  MenuItem,
  MenuSection,
  SearchField,
} from 'react-aria-components';
import { CloseButton, ModalContent } from './ModalContent.tsx';

export interface PaletteItem {
  readonly id: string;
  readonly title: string;
  readonly hint?: string | undefined;
  /** A second line. */
  readonly detail?: string | undefined;
  /** A third line, for something that needs attention. */
  readonly warning?: string | undefined;
  readonly icon?: ReactNode;
}
export interface PaletteSection {
  readonly title: string;
  readonly items: readonly PaletteItem[];
}

export interface PaletteProps {
  readonly label: string;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  /** Mounted each time the palette opens. */
  readonly children: ReactNode;
}

/** The command palette's dialog. */
export function Palette({ label, isOpen, onOpenChange, children }: PaletteProps) {
  return (
    <ModalContent label={label} isOpen={isOpen} onOpenChange={onOpenChange} className="max-w-2xl" hasOwnClose>
      {children}
    </ModalContent>
  );
}

interface PaletteSearchProps {
  readonly label: string;
  readonly placeholder: string;
  readonly empty: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  /** Whether Enter was pressed before the palette had loaded. */
  readonly isEntered: boolean;
  /** The results for the text, the best first. */
  readonly sections: readonly PaletteSection[];
  readonly onAction: (id: string) => void;
  /** Shown below the results. */
  readonly footer?: ReactNode;
}

/** A search field with its results in sections. */
export function PaletteSearch({
  label,
  placeholder,
  empty,
  text,
  onText,
  isEntered,
  sections,
  onAction,
  footer,
}: PaletteSearchProps) {
  const actOnFirst = () => {
    const first = text.trim() === '' ? undefined : sections.flatMap(({ items }) => items)[0];
    if (first) onAction(first.id);
  };
  const onCome = useEffectEvent(() => isEntered && actOnFirst());
  useEffect(() => void onCome(), []);
  return (
    <Autocomplete inputValue={text} onInputChange={onText}>
      <div className="flex items-center border-b border-border pe-2">
        <SearchField aria-label={label} autoFocus className="flex min-w-0 flex-1 items-center gap-2 ps-4">
          <Search size={16} aria-hidden className="text-text-3" />
          <Input
            placeholder={placeholder}
            maxLength={200}
            // The list highlights its first entry only after text was typed into this field.
            onKeyDown={event =>
              event.key === 'Enter' &&
              !event.nativeEvent.isComposing &&
              !event.currentTarget.hasAttribute('aria-activedescendant') &&
              actOnFirst()
            }
            className={
              'h-12 w-full appearance-none bg-transparent text-14 text-text outline-none ' +
              'placeholder:text-text-3 [&::-webkit-search-cancel-button]:hidden'
            }
          />
        </SearchField>
        <CloseButton />
      </div>
      <div tabIndex={0} role="group" aria-label={label} className="max-h-[56vh] overflow-auto">
        <Menu
          aria-label={label}
          items={sections
            .filter(section => section.items.length > 0)
            .map(section => ({ ...section, id: section.title }))}
          onAction={key => onAction(String(key))}
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
                    className={
                      'flex min-h-9 items-center gap-2.5 rounded-control px-2.5 py-1.5 text-13 text-text ' +
                      'data-[focused]:bg-accent-weak data-[focused]:text-accent-text pointer-coarse:min-h-11'
                    }
                  >
                    {item.icon ? (
                      <span className="shrink-0 text-text-3" aria-hidden>
                        {item.icon}
                      </span>
                    ) : null}
                    <span className="min-w-0 flex-1">
                      <span className="block truncate">{item.title}</span>
                      {item.detail || item.warning ? (
                        <span className="block text-12 text-text-2">
                          {item.detail ? (
                            <span className="block truncate max-sm:whitespace-normal">{item.detail}</span>
                          ) : null}
                          {item.warning ? <span className="block text-warn">{item.warning}</span> : null}
                        </span>
                      ) : null}
                    </span>
                    {item.hint ? (
                      <span className="max-w-[40%] shrink-0 truncate text-12 text-text-2">{item.hint}</span>
                    ) : null}
                  </MenuItem>
                )}
              </Collection>
            </MenuSection>
          )}
        </Menu>
      </div>
      {footer}
    </Autocomplete>
  );
}
