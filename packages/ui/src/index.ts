export { Button, IconButton, type ButtonProps } from './Button.tsx';
export { RemovableChip, StateChip } from './Chip.tsx';
export { Choice } from './Choice.tsx';
export { DateRange } from './DateRange.tsx';
export { Checkbox, SearchField, TextField } from './Fields.tsx';
export { Modal } from './Modal.tsx';
export { Palette, type PaletteItem, type PaletteSection } from './Palette.tsx';
export { Popover } from './Popover.tsx';
export { Tabs } from './Tabs.tsx';
