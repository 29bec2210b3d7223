export { Button, IconButton, type ButtonProps } from './Button.tsx';
export { Checkbox } from './Checkbox.tsx';
export { RemovableChip, StateChip } from './Chip.tsx';
export { CompletedTextarea, type TextCompletion } from './CompletedTextarea.tsx';
export { ComboBox, type ComboBoxItem } from './ComboBox.tsx';
export { InlineSelect } from './InlineSelect.tsx';
export { DateRange } from './DateRange.tsx';
export { SearchField, TextField } from './Fields.tsx';
export {
  LazyBoundary,
  lazyComponent,
  retryChunksWhile,
  missingChunks,
  ChunkLoadError,
  type LazyComponent,
} from './lazy.tsx';
export { loadOverlays } from './load-overlays.ts';
export { Menu } from './Menu.tsx';
export type { MenuEntry } from './MenuContent.tsx';
export { Modal } from './Modal.tsx';
export { Palette, PaletteSearch, type PaletteItem, type PaletteSection } from './Palette.tsx';
export { PasswordField } from './PasswordField.tsx';
export { Popover } from './Popover.tsx';
export { Select } from './Select.tsx';
export { Tabs } from './Tabs.tsx';
export { setUiTexts } from './ui-texts.ts';
