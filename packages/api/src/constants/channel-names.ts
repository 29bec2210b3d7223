/*
 * The kinds and states of channels and deliveries. These values are used by pages too, so no schema stands here.
 */

/** The forms of a webhook's body. */
export const webhookTemplates = ['generic', 'slack', 'teams', 'discord', 'pagerduty'] as const;

/** `uncertain`: handed over to a mail server that then did not answer. Only those of the last four have ended. */
export const deliveryStates = ['waiting', 'sending', 'sent', 'dropped', 'uncertain', 'given-up'] as const;

/** Documents name channels by it. */
export const channelNamePattern = /^[a-z0-9]([a-z0-9_-]{0,58}[a-z0-9])?$/;

/** The most messages that a channel can be allowed to get in an hour. */
export const maxPerHour = 1000;
/** The longest time in seconds for which messages can wait to be grouped. */
export const maxGroupSeconds = 3600;
