// States and kinds by their numbers on the wire.

/** The last value is not in the spec: nobody decided by the time that the requester named. */
export const AuthorizationResult = { approved: 1, rejected: 2, late: 3 } as const
/** Kind of an application (X17). */
export const ApplyType = { download: 1, external: 2 } as const
/** What an item record tells about operations that need an application; not in the spec. */
export const OperationBit = { downloadByApplication: 1, downloadGranted: 2, linkByApplication: 4 } as const
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

/** The states of a sensitive file on the wire (X13). */
export const SensitiveAudit = { added: 1, approved: 2, disapproved: 3, deleted: 4, review: 5 } as const
export type SensitiveAudit = (typeof SensitiveAudit)[keyof typeof SensitiveAudit]

/** The state of a process on the wire (X12): 0 waits for the receiver, 4 is withdrawn. */
export const ProcessStateCode = { pending: 0, nodePassed: 1, passed: 2, failed: 3, withdrawn: 4, back: 5 } as const
