import type { ReactNode } from 'react';
import {
  Menu as AriaMenu,
  MenuItem,
  MenuTrigger,
  Popover,
  Separator,
  SubmenuTrigger,
} from 'react-aria-components';
import { IconButton } from './Button.tsx';
import { useOpenState } from './use-opening.ts';

export interface MenuEntry {
  readonly id: string;
  readonly label: string;
  readonly icon?: ReactNode;
  /** Entries of a submenu, instead of an action. */
  readonly entries?: readonly MenuEntry[];
  readonly isChecked?: boolean;
  readonly onAction?: () => void;
}

export interface MenuProps {
  readonly label: string;
  readonly icon: ReactNode;
  /** Of the button. */
  readonly className?: string;
  /** Groups, separated by lines; empty groups are omitted. Called when the pointer or focus approaches. */
  readonly groups: () => readonly (readonly MenuEntry[])[];
}

const itemLook =
  'flex min-h-8 cursor-default items-center gap-2 rounded-control px-2 text-13 text-text outline-none data-[focused]:bg-hover pointer-coarse:min-h-11';
const surface = 'enter min-w-44 max-w-72 rounded-tile border border-border bg-raised p-1 shadow-float';

/** The menu's button with its open list. */
export function MenuContent({ label, icon, className, groups }: MenuProps) {
  const shown = groups().filter(group => group.length > 0);
  const { button, ...opening } = useOpenState();
  return (
    <MenuTrigger {...opening}>
      <IconButton ref={button} label={label} {...(className !== undefined && { className })}>
        {icon}
      </IconButton>
      <Popover placement="bottom end" offset={4} className={surface}>
        <AriaMenu aria-label={label} className="max-h-[70vh] overflow-auto outline-none">
          {shown.flatMap((group, i) => [
            ...(i > 0 ? [<Separator key={`line-${i}`} className="my-1 border-t border-border" />] : []),
            ...group.map(entry => <Entry key={entry.id} entry={entry} />),
          ])}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}

function Entry({ entry }: { readonly entry: MenuEntry }) {
  const content = (
    <>
      <span aria-hidden className="flex w-4 shrink-0 justify-center text-text-2">
        {entry.isChecked ? '✓' : entry.icon}
      </span>
      <span className="min-w-0 flex-1 truncate">{entry.label}</span>
      {entry.entries ? (
        <span aria-hidden className="text-text-3">
          ›
        </span>
      ) : null}
    </>
  );
  if (!entry.entries)
    return (
      <MenuItem
        id={entry.id}
        textValue={entry.label}
        className={itemLook}
        {...(entry.isChecked && { 'aria-current': true })}
        {...(entry.onAction && { onAction: entry.onAction })}
      >
        {content}
      </MenuItem>
    );
  return (
    <SubmenuTrigger>
      <MenuItem id={entry.id} textValue={entry.label} className={itemLook}>
        {content}
      </MenuItem>
      <Popover offset={-2} className={surface}>
        <AriaMenu aria-label={entry.label} className="max-h-[60vh] overflow-auto outline-none">
          {entry.entries.map(inner => (
            <Entry key={inner.id} entry={inner} />
          ))}
        </AriaMenu>
      </Popover>
    </SubmenuTrigger>
  );
}
