/** A link that looks like a primary button. */
export const primaryLink =
  'inline-flex h-[30px] shrink-0 items-center gap-1.5 rounded-control bg-accent px-2.5 text-13 font-medium ' +
  'text-on-accent hover:brightness-110 pointer-coarse:h-11';
