// How things stand and of which kind they are, by the numbers that they have on the wire.

/** How a workflow stands ([R092], X12): 1 is a step of it, 2 the whole. */
export const ProcessState = { pending: 0, stepPassed: 1, passed: 2, failed: 3, sentBack: 5 } as const
/** What a reminder is about: the first two wait for its receiver. */
export const RemindType = { urge: 1, urgeToo: 2, message: 3, handled: 4, state: 5 } as const
/** What happened to a sensitive file (X13): 5 waits for its receiver, the others tell who has uploaded it. */
export const AuditState = { added: 1, approved: 2, disapproved: 3, deleted: 4, review: 5 } as const
/** How a signing stands (X15): 2 is one signature, 8 the last of them. */
export const ActivityState = { launched: 1, signed: 2, rejected: 4, archived: 8 } as const
/** How an exchange stands (X16): 1 waits for its receiver, 4 can be fetched. */
export const ExchangeState = { waits: 1, handedOn: 2, rejected: 3, approved: 4, withdrawn: 5 } as const
/** Ours is the last: nobody has decided by the time that who asked had named. */
export const AuthorizationResult = { approved: 1, rejected: 2, late: 3 } as const
/** What is asked for (X17): a link; downloads come with their feature. */
export const ApplyType = { download: 1, external: 2 } as const
/** How it stands (X14); 8 is over after it was approved. */
export const ApplyState = { pending: 1, approved: 2, rejected: 4, over: 8 } as const
/** How a file was edited that was unlocked: by one person in the page, by several together, by a program (decisions "Locks"). */
export const LockType = { single: 1, multi: 2, local: 3 } as const
export const InterestType = { change: 1, download: 2 } as const
/** What became of somebody's rights: 1 is as documented ([R092]), all others are a change. */
export const ShareType = { given: 0, cancelled: 1, reduced: 2 } as const
/** The colours that a tag can have: those of the kinds of files. */
export const tagColours = ['blue', 'green', 'orange', 'red', 'purple', 'pink', 'brown', 'cyan', 'grey'] as const
export type TagColour = (typeof tagColours)[number]
