/** The colours of the states of jobs. */
export const jobTones = {
  queued: 'neutral',
  running: 'accent',
  done: 'good',
  'given-up': 'bad',
  cancelled: 'neutral',
} as const;
