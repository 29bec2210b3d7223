import { Button, Modal, Tabs } from '@belvedere/ui';
import { Code, Plus, SlidersHorizontal } from 'lucide-react';
import type { ReactNode, Ref } from 'react';
import { words } from '../messages/words.ts';
import { useIsWide } from '../state/use-is-wide.ts';

export type LeftTab = 'list' | 'text';
export type Side = 'left' | 'right';

export const isSide = (overlay: string | undefined): overlay is Side =>
  overlay === 'left' || overlay === 'right';

interface LeftPanel {
  readonly tab: LeftTab;
  readonly onTab: (tab: LeftTab) => void;
  /** What the list has, such as things to add. */
  readonly listLabel: string;
  readonly list: ReactNode;
  readonly text: ReactNode;
}

interface RightPanel {
  /** What is inspected. */
  readonly label: string;
  readonly className: string;
  readonly content: ReactNode;
}

interface EditorPanelsProps {
  readonly left: LeftPanel;
  /** The element of the left panel, where there is room for it. */
  readonly leftRef?: Ref<HTMLElement>;
  readonly right: RightPanel;
  /** The panel that is open where there is no room for both beside the document. */
  readonly openSide: Side | undefined;
  readonly onOpenSide: (side: Side | undefined) => void;
  /** The edited document. */
  readonly children: ReactNode;
}

/**
 * A document between two panels: a list or the text, and the inspector. On narrow screens, buttons below the
 * document open the panels as dialogs.
 */
export function EditorPanels({ left, leftRef, right, openSide, onOpenSide, children }: EditorPanelsProps) {
  const isWide = useIsWide();
  return (
    <>
      {isWide ? <LeftColumn left={left} ref={leftRef} /> : null}
      {children}
      {isWide ? (
        <aside
          aria-label={right.label}
          className={`sticky overflow-y-auto border-s ${column} ${right.className}`}
        >
          {right.content}
        </aside>
      ) : (
        <PanelDialogs left={left} right={right} openSide={openSide} onOpenSide={onOpenSide} />
      )}
    </>
  );
}

const column = 'top-12 h-[calc(100dvh-var(--spacing)*12)] shrink-0 border-border bg-surface';

/** The width of a text can be changed. */
function LeftColumn({
  left,
  ref,
}: {
  readonly left: LeftPanel;
  readonly ref?: Ref<HTMLElement> | undefined;
}) {
  const width =
    left.tab === 'text' ? 'w-[420px] max-w-[60vw] min-w-[280px] resize-x overflow-hidden' : 'w-[248px]';
  return (
    <aside
      aria-label={tabLabel(left, left.tab)}
      ref={ref}
      className={`sticky z-30 flex flex-col border-e ${column} ${width}`}
    >
      <LeftContent left={left} />
    </aside>
  );
}

/** The buttons below the document, and the panel that one of them opened. */
function PanelDialogs({
  left,
  right,
  openSide,
  onOpenSide,
}: Omit<EditorPanelsProps, 'leftRef' | 'children'>) {
  const openLeft = (tab: LeftTab) => {
    left.onTab(tab);
    onOpenSide('left');
  };
  const isText = openSide === 'left' && left.tab === 'text';
  return (
    <>
      <div className="fixed inset-x-0 bottom-0 z-30 flex justify-around border-t border-border bg-surface p-1.5">
        <Button look="quiet" onPress={() => openLeft('list')}>
          <Plus size={16} aria-hidden />
          {tabLabel(left, 'list')}
        </Button>
        <Button look="quiet" onPress={() => openLeft('text')}>
          <Code size={16} aria-hidden />
          {tabLabel(left, 'text')}
        </Button>
        <Button look="quiet" onPress={() => onOpenSide('right')}>
          <SlidersHorizontal size={16} aria-hidden />
          {right.label}
        </Button>
      </div>
      <Modal
        label={openSide === 'left' ? tabLabel(left, left.tab) : right.label}
        isOpen={openSide !== undefined}
        onOpenChange={isOpen => !isOpen && onOpenSide(undefined)}
      >
        <div className={`flex flex-col overflow-y-auto ${isText ? 'h-[70vh]' : 'max-h-[70vh]'}`}>
          {openSide === 'left' ? <LeftContent left={left} /> : right.content}
        </div>
      </Modal>
    </>
  );
}

const tabs: readonly LeftTab[] = ['list', 'text'];

function LeftContent({ left }: { readonly left: LeftPanel }) {
  return (
    <>
      <div className="border-b border-border px-3">
        <Tabs
          label={words.panels.show}
          titles={tabs.map(tab => tabLabel(left, tab))}
          selected={tabs.indexOf(left.tab)}
          onSelect={index => left.onTab(tabs[index]!)}
        />
      </div>
      {left[left.tab]}
    </>
  );
}

const tabLabel = ({ listLabel }: LeftPanel, tab: LeftTab): string =>
  tab === 'list' ? listLabel : words.panels.text;
