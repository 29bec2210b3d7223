import { auditEn } from './audit/en.ts';
import { mailServerEn, providersEn } from './connections/en.ts';
import { guestsEn } from './guests/en.ts';
import { permissionsEn } from './permissions/en.ts';
import { sharingEn } from './sharing/en.ts';
import { signInEn } from './sign-in/en.ts';
import { systemEn } from './system/en.ts';
import { tokensEn } from './tokens/en.ts';
import { twoFactorEn } from './two-factor/en.ts';
import { usersEn } from './users/en.ts';

/** The texts of signing in, accounts and sharing. */
export const en = {
  cancel: 'Cancel',
  close: 'Close',
  save: 'Save',
  saved: 'Saved',
  add: 'Add',
  copy: 'Copy link',
  copied: 'Copied',
  notCopied: 'Could not copy. Select the link and copy it.',
  commentMail: {
    title: 'Email about comments',
    hint: 'You get at most one email an hour about unread mentions and replies.',
    isOn: 'Send me email',
  },
  retry: 'Try again',
  loading: 'Loading…',
  email: 'Email',
  name: 'Name',
  password: 'Password',
  newPassword: 'New password',
  passwordHint: 'At least 12 characters.',
  passwordShort: 'Use at least 12 characters.',
  passwordWeak:
    'Choose a password that is harder to guess. Common and leaked passwords, your name and your email address are not allowed.',
  emailNeeded: 'Enter an email address, such as name@example.com.',
  nameNeeded: 'Enter your name.',
  passwordNeeded: 'Enter your password.',
  ...signInEn,
  twoFactor: twoFactorEn,
  mailServer: mailServerEn,
  providers: providersEn,
  ...usersEn,
  ...tokensEn,
  permissions: permissionsEn,
  ...guestsEn,
  audit: auditEn,
  ...systemEn,
  ...sharingEn,
};

export type AccountMessages = typeof en;
