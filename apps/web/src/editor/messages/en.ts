import { canvasEn } from './canvas/en.ts';
import { exploreEn } from './explore/en.ts';
import { fieldEn } from './field/en.ts';
import { marksEn } from './marks/en.ts';
import { modelEn } from './model/en.ts';
import { pageEn } from './page/en.ts';
import { sqlEn } from './sql/en.ts';
import { textEn } from './text/en.ts';
import { tileEn } from './tile/en.ts';

/** The editor's texts, in English; fetched with it. Its type is what the other languages are. */
export const en = {
  editing: 'Editing',
  state: {
    guessed: 'Generated, not saved',
    clean: 'No changes',
    draft: 'Draft',
    saving: 'Saving…',
    saved: 'Saved',
    away: 'Changes not saved yet: the server is unreachable',
    signedOut: 'Changes not saved yet: signed out',
    broken: 'The YAML has errors',
  },
  undo: (step: string | undefined) => (step ? `Undo: ${step}` : 'Nothing to undo'),
  redo: (step: string | undefined) => (step ? `Redo: ${step}` : 'Nothing to redo'),
  save: 'Save',
  discard: 'Discard',
  close: 'Done',
  discardTitle: 'Discard draft?',
  discardText: 'This restores the saved version. You can undo it while this page is open.',
  saveTitle: 'Save dashboard',
  saveMessage: 'Change description',
  saveMessageHint: 'Optional. Shown in the history.',
  cancel: 'Cancel',
  notices: {
    merged: 'The file was changed elsewhere. Both changes are now in the draft.',
    'other window': 'Changed in another window.',
    recovered: 'Your unsaved changes have been restored.',
  },
  panels: {
    add: 'Add',
    text: 'YAML',
    tile: 'Tile',
    page: 'Dashboard',
    show: 'Panels',
  },
  steps: {
    add: 'Add tile',
    move: 'Move',
    resize: 'Resize',
    remove: 'Remove',
    duplicate: 'Duplicate',
    paste: 'Paste',
    cut: 'Cut',
    align: 'Align',
    title: 'Title',
    kind: 'Chart type',
    field: 'Field',
    setting: 'Setting',
    typing: 'Edit YAML',
    page: 'Page',
    filter: 'Filter',
    theme: 'Colors',
    parameter: 'Parameter',
    discard: 'Discard',
    restore: 'Restore',
    rename: 'Rename',
    model: 'Model',
  },
  keys: {
    title: 'Editor',
    undo: 'Undo',
    redo: 'Redo',
    all: 'Select all tiles',
    none: 'Clear tile selection',
    copy: 'Copy tiles as YAML',
    paste: 'Paste tiles',
    walk: 'Move between tiles',
    lift: 'Pick up or drop tile',
    move: 'Move picked-up tile',
    resize: 'Resize picked-up tile',
    sql: 'SQL editor',
    run: 'Run',
    format: 'Format',
    comment: 'Toggle comment',
    leave: 'Leave the field (then Tab)',
  },
  ...canvasEn,
  ...tileEn,
  ...marksEn,
  ...fieldEn,
  ...pageEn,
  ...exploreEn,
  ...modelEn,
  ...sqlEn,
  ...textEn,
};

export type EditorMessages = typeof en;
