// The states and limits of electronic signing.

/**
 * The state of a signing process as its people are told ([R092], [R277], X15): launched; this signer has signed; one has
 * refused; everybody has signed and the file is archived. 0, not in the documents: it was withdrawn or its time is over.
 */
export const SignState = { withdrawn: 0, launched: 1, signed: 2, rejected: 4, archived: 8 } as const
export type SignState = (typeof SignState)[keyof typeof SignState]

/** What a place on a page is for. */
export const signFieldKinds = ['signature', 'seal', 'date', 'text'] as const
export type SignFieldKind = (typeof signFieldKinds)[number]

/** Limits that windows show too. */
export const signLimits = {
  /** Longest remark of a launch, in UTF-16 units ([R274], X34). */
  remark: 300,
  title: 200,
  signers: 30,
  fields: 500,
  /** Longest text that a signer writes into a place. */
  text: 200,
  /** Signatures of one person. */
  signatures: 20,
  /** How long a signer keeps others from signing without a sign of life, in milliseconds. */
  lockMs: 2 * 60_000,
  /** Days after its end that the file of a process is kept beside what was archived. Longer than any link of a mail. */
  contentDays: 180,
  /** How often the launcher may remind within a day. */
  remindersPerDay: 3,
  /** How many codes a signer without an account is sent within an hour. */
  codesAnHour: 5,
} as const

/** The formats that can be signed ([R157]). */
export const signableExts: ReadonlySet<string> = new Set(['pdf', 'doc', 'docx'])
