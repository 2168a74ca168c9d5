/** The figures of the documents that do not depend on a server's settings. */
export const limits = {
  /** Duplicate names that a transfer lists. [R391] */
  duplicateNames: 100,
  /** Progress of a finished transfer. [R391] */
  progressComplete: 1000,
  /** Milliseconds that an edit lock is good for, and for which it then stays with its holder until somebody asks for it. */
  editLockMs: 30 * 60_000,
  editLockGraceMs: 30 * 60_000,
  /** Milliseconds after a file was opened to be edited until the lists that show it are read anew. [R177] */
  editRefreshMs: 15_000,
  /** Milliseconds for which a file that has become free is kept for who has waited for it. [R180] */
  editKeptMs: 5 * 60_000,
  /** The most characters of a text that several edit in the page, the bytes of one change of it, and how many they are. */
  togetherLength: 2 * 1024 * 1024,
  togetherUpdateBytes: 256 * 1024,
  togetherPeople: 50,
  /** Milliseconds after which who is not heard of takes part no longer, and after which what they wrote becomes a version. */
  togetherGoneMs: 30_000,
  togetherVersionMs: 5 * 60_000,
  /** Milliseconds between two heartbeats of the push channel. [R392] */
  heartbeatMs: 30_000,
  /** The push server gives up a connection that was silent for this long. */
  heartbeatLostMs: 90_000,
  /** Milliseconds to the first look at a server that was lost, and to the longest waited for; how many looks. [R307] */
  reconnectFirstMs: 10_000,
  reconnectLongestMs: 30_000,
  reconnectLooks: 10,
  /** The longest comment, in UTF-16 units. */
  longestComment: 1000,
  /** People that one comment can be meant for. */
  mostMentioned: 20,
  /** The longest name of a tag. */
  longestTag: 40,
  /** Notices of one group that are kept for a person; the oldest make room. [R101] */
  noticesMost: 1000,
  /** The most pushes one confirmation carries. [R392] */
  confirmBatch: 100,
  /** Milliseconds that confirmations are gathered for. [R392] */
  confirmDebounceMs: 5000,
  /** Milliseconds between the notice of a login elsewhere and the logout. [R392] */
  otherLoginDelayMs: 1000,
  /** Milliseconds before a redirect of the server is followed. [R392] */
  redirectDelayMs: 3000,
  /** Milliseconds without another redirect before one counts, and the longest that is waited for that. [R036] */
  redirectQuietMs: 200,
  redirectQuietMostMs: 800,
  /** Milliseconds within which open pages ask for settings that have changed. */
  settingsSpreadMs: 2000,
  /** Milliseconds that logout waits for the server. [R390] */
  logoutTimeoutMs: 3000,
  /** Milliseconds that a call of the drive waits. [X24] */
  requestTimeoutMs: 60_000,
  /** Milliseconds that a part of the program may take to load. [R390] */
  chunkTimeoutMs: 120_000,
  /** Milliseconds before a spinner shows. [R390] */
  spinnerDelayMs: 300,
  /** Entries of the navigation history. [R061] [R390] */
  navigationHistory: 100,
  /** Milliseconds that a passing notice stays. [R390] */
  noticeDismissMs: 3000,
  /** Version of the databases in the browser. [R353] [X29] */
  localDatabaseVersion: 85,
  /** Bytes of the largest document that is read to be shown or searched. */
  largestDocument: 200 * 1024 * 1024,
  /** Changes of followed files that the browser keeps, and how many unread ones it shows. [R354] [R392] */
  fileChanges: 100,
  unreadFileChanges: 10,
  /** Records of edited copies that the browser keeps. [R356] [R392] */
  editRecords: 1000,
  /** Letters that who asks for a file can say with it. */
  unlockMessage: 200,
  /** Transfer tasks that the browser keeps. [R357] [R392] */
  transferRecords: 3000,
  /** Logins that the browser remembers, and the milliseconds that one is good for. [R042] [R392] */
  savedLogins: 30,
  savedLoginMs: 2_592_000_000,
  /** Milliseconds from the keeping of an object within which a row must name it. */
  nameObjectWithinMs: 60 * 60_000,
  /** Milliseconds that an object without a row stays; far more than `nameObjectWithinMs`. */
  unnamedObjectMs: 24 * 60 * 60_000,
  /** Milliseconds that an object stays whose row is gone, for whoever has just read its key. */
  droppedObjectMs: 60 * 60_000,
  /** Bytes of a part of an upload; the last part may be shorter. Parts of very large files are larger. */
  partBytes: 8 * 1024 * 1024,
  /** The most parts that an upload is cut into. */
  partsMost: 10_000,
  /** The most bytes of one file. */
  largestFile: 16 * 1024 ** 4,
  /** Uploads in parts that one account may have open at a time. */
  openUploads: 2000,
  /** Milliseconds after its last part that an upload is waited for. */
  uploadOpenMs: 7 * 24 * 60 * 60_000,
  /** Milliseconds that what became of an upload is remembered, so that a request may be repeated. */
  uploadKnownMs: 24 * 60 * 60_000,
  /** Ranges of a content that an instant upload proves possession by, and the bytes of each. */
  challengeRanges: 16,
  challengeRangeBytes: 4096,
} as const

/** What kind of client holds a session or a lock; the documents have no number for the mobile page, 8 is ours. [R391] */
export const ClientType = { qrCode: 1, web: 6, mobile: 8, editLock: 64 } as const

/** The bytes of each part but the last, for a file of that size. */
export function partBytesOf(fileSize: number): number {
  const mebibyte = 1024 * 1024
  return Math.max(limits.partBytes, Math.ceil(fileSize / limits.partsMost / mebibyte) * mebibyte)
}
