// States and kinds by their numbers on the wire.

/** State of a workflow ([R092], X12): 1 is one step passed, 2 the whole workflow. */
export const ProcessState = { pending: 0, stepPassed: 1, passed: 2, failed: 3, sentBack: 5 } as const
/** Kind of a reminder: the first two require an action of the receiver. */
export const RemindType = { urge: 1, urgeToo: 2, message: 3, handled: 4, state: 5 } as const
/** Event on a sensitive file (X13): 5 requires an action of the receiver, the others inform the uploader. */
export const AuditState = { added: 1, approved: 2, disapproved: 3, deleted: 4, review: 5 } as const
/** State of a signing process (X15): 2 is one signature, 8 the last one. */
export const ActivityState = { launched: 1, signed: 2, rejected: 4, archived: 8 } as const
/** State of a file exchange (X16): 1 requires an action of the receiver, 4 can be downloaded. */
export const ExchangeState = { waits: 1, handedOn: 2, rejected: 3, approved: 4, withdrawn: 5 } as const
/** The last value is not in the spec: nobody decided by the time that the requester named. */
export const AuthorizationResult = { approved: 1, rejected: 2, late: 3 } as const
/** Kind of a request (X17): a link; download requests come with their feature. */
export const ApplyType = { download: 1, external: 2 } as const
/** State of a request (X14); 8 means expired or ended after approval. */
export const ApplyState = { pending: 1, approved: 2, rejected: 4, over: 8 } as const
/**
 * How an unlocked file was edited: by one user in the page, by several co-editing users, or by a desktop program
 * (decisions "Locks").
 */
export const LockType = { single: 1, multi: 2, local: 3 } as const
export const InterestType = { change: 1, download: 2 } as const
/** Change of a user's rights: 1 is as documented ([R092]), all other values mean a change. */
export const ShareType = { given: 0, cancelled: 1, reduced: 2 } as const
/** Tag colours, the same as those of the file types. */
export const tagColours = ['blue', 'green', 'orange', 'red', 'purple', 'pink', 'brown', 'cyan', 'grey'] as const
export type TagColour = (typeof tagColours)[number]
