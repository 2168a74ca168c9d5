// The codes and limits of urging.

/** What receivers are asked for: to handle the item, to read it, or to give feedback (X70). */
export const NotifyType = { handle: 1, read: 2, feedback: 3 } as const
export type NotifyType = (typeof NotifyType)[keyof typeof NotifyType]

/** What push 40 reports ([R092], [R272]). `changed`: it was ended, or its deadline has passed. */
export const RemindType = { created: 1, repeated: 2, message: 3, handled: 4, changed: 5 } as const
export type RemindType = (typeof RemindType)[keyof typeof RemindType]

/** Limits of urging that the window shows too. */
export const urgeLimits = {
  /** Longest text of an urge or of a message, in UTF-16 units. */
  text: 1000,
  /** Most receivers of one urge, departments and roles included. */
  receivers: 500,
  /** How often a sender may urge within a day, the first time included. */
  perDay: 3,
  /** Longest pause between repeated reminders, in hours. */
  hours: 30 * 24,
} as const

/** Filters of the lists. `message`: with messages that the caller has not read. */
export const urgeFilters = ['all', 'open', 'done', 'ended', 'message'] as const
