/** Fixed limits from the spec, independent of the server settings. */
export const limits = {
  /** Maximum number of duplicate names that a transfer lists. [R391] */
  duplicateNames: 100,
  /** Milliseconds for which a dragged link file (.dmcd) counts as a link to its items. [R131] [R391] */
  cloudLinkMs: 20_000,
  /** Progress value of a finished transfer. [R391] */
  progressComplete: 1000,
  /**
   * Lifetime of an edit lock in milliseconds, and the grace period during which the holder retains it until another
   * user requests it.
   */
  editLockMs: 30 * 60_000,
  editLockGraceMs: 30 * 60_000,
  /** Milliseconds after opening a file for editing until the lists that show it are refreshed. [R177] */
  editRefreshMs: 15_000,
  /** Milliseconds for which a released file is reserved for the first user in the lock queue. [R180] */
  editKeptMs: 5 * 60_000,
  /** Limits of co-editing: characters of a text, bytes of one change, and number of members. */
  togetherLength: 2 * 1024 * 1024,
  togetherUpdateBytes: 256 * 1024,
  togetherPeople: 50,
  /**
   * Co-editing: milliseconds of silence after which a member is removed, and milliseconds after which changes are saved
   * as a version.
   */
  togetherGoneMs: 30_000,
  togetherVersionMs: 5 * 60_000,
  /** Milliseconds between two heartbeats of the push channel. [R392] */
  heartbeatMs: 30_000,
  /** The push server closes a connection that was silent for this long. */
  heartbeatLostMs: 90_000,
  /** Reconnecting: milliseconds before the first attempt, the maximum delay, and the number of attempts. [R307] */
  reconnectFirstMs: 10_000,
  reconnectLongestMs: 30_000,
  reconnectLooks: 10,
  /** Maximum length of a comment in UTF-16 units. */
  longestComment: 1000,
  /** Maximum number of users mentioned in one comment. */
  mostMentioned: 20,
  /** Maximum length of a tag name. */
  longestTag: 40,
  /** Maximum number of stored notices per user and group; the oldest are deleted. [R101] */
  noticesMost: 1000,
  /** Maximum number of pushes in one confirmation. [R392] */
  confirmBatch: 100,
  /** Milliseconds for which confirmations are batched. [R392] */
  confirmDebounceMs: 5000,
  /** Milliseconds between the notice of a login elsewhere and the logout. [R392] */
  otherLoginDelayMs: 1000,
  /** Milliseconds before a server redirect is followed. [R392] */
  redirectDelayMs: 3000,
  /** Debounce of redirects: milliseconds of quiet before one is followed, and the maximum wait. [R036] */
  redirectQuietMs: 200,
  redirectQuietMostMs: 800,
  /** Milliseconds over which open pages spread their requests for changed settings. */
  settingsSpreadMs: 2000,
  /** Milliseconds that logout waits for the server. [R390] */
  logoutTimeoutMs: 3000,
  /** Milliseconds that a call to every server waits for each of them. [R344] [R377] */
  fanOutTimeoutMs: 10_000,
  /** Receivers of one field of a mail: what mail servers take of a person at once. */
  mailReceivers: 500,
  /** Request timeout of drive calls in milliseconds. [X24] */
  requestTimeoutMs: 60_000,
  /** Timeout in milliseconds for loading a code chunk. [R390] */
  chunkTimeoutMs: 120_000,
  /** Milliseconds before a spinner appears. [R390] */
  spinnerDelayMs: 300,
  /** Milliseconds without a change of the page's size after which windows are moved into view. [R390] */
  resizeDebounceMs: 100,
  /** Maximum entries of the navigation history. [R061] [R390] */
  navigationHistory: 100,
  /** Milliseconds for which a toast is shown. [R390] */
  noticeDismissMs: 3000,
  /** Version of the databases in the browser. [R353] [X29] */
  localDatabaseVersion: 85,
  /** Maximum bytes of a document that is parsed for preview or search. */
  largestDocument: 200 * 1024 * 1024,
  /** Number of followed file changes stored in the browser, and of unread ones displayed. [R354] [R392] */
  fileChanges: 100,
  unreadFileChanges: 10,
  /** Number of edit records stored in the browser. [R356] [R392] */
  editRecords: 1000,
  /** Maximum characters of the message of an unlock request. */
  unlockMessage: 200,
  /** Number of transfer tasks stored in the browser. [R357] [R392] */
  transferRecords: 3000,
  /** Number of logins remembered by the browser, and the validity of one in milliseconds. [R042] [R392] */
  savedLogins: 30,
  savedLoginMs: 2_592_000_000,
  /** Milliseconds after storing an object within which a row must reference it. */
  nameObjectWithinMs: 60 * 60_000,
  /** Milliseconds for which an unreferenced object is retained; far more than `nameObjectWithinMs`. */
  unnamedObjectMs: 24 * 60 * 60_000,
  /** Milliseconds for which an object is retained after its row was deleted, for readers who have just read its key. */
  droppedObjectMs: 60 * 60_000,
  /** Bytes of one upload part; the last part may be shorter. Parts of very large files are larger. */
  partBytes: 8 * 1024 * 1024,
  /** Maximum number of parts of an upload. */
  partsMost: 10_000,
  /** Maximum bytes of one file. */
  largestFile: 16 * 1024 ** 4,
  /** Maximum number of open multipart uploads per account. */
  openUploads: 2000,
  /** Milliseconds after its last part until an unfinished upload is discarded. */
  uploadOpenMs: 7 * 24 * 60 * 60_000,
  /** Milliseconds for which the result of an upload is stored, so that a request can be repeated. */
  uploadKnownMs: 24 * 60 * 60_000,
  /** Instant upload: number of content ranges in a challenge, and bytes of each. */
  challengeRanges: 16,
  challengeRangeBytes: 4096,
  /** Instant messaging ([R298]): UTF-16 units of a message, bytes of a file, and the largest number of a badge. */
  longestMessage: 2048,
  largestTalkFile: 524_288_000,
  /** Bytes of a picture whose metadata are removed; a larger one is sent as a file. */
  largestTalkPicture: 52_428_800,
  badgeMost: 99,
  /** The box of a picture in a conversation and the default size of an avatar, in pixels. [R298] */
  talkPictureBox: 100,
  talkAvatar: 30,
  /** The side of a tile of the watermark of conversations, in pixels. [R282] */
  talkWatermark: 100,
  /** Messages of a page of history, and of a page of shared files. [R299] */
  talkPage: 30,
  talkSharesPage: 100,
  /** Members of a group, and messages forwarded at once (X82). */
  talkMembersMost: 5000,
  talkForwardMost: 100,
  /** Characters of the name of a contact group. [R300] */
  longestContactGroup: 60,
  /** Request timeout of the calls of instant messaging in milliseconds. [R377] (X24) */
  talkTimeoutMs: 30_000,
} as const

/** The main server is also served below this folder, for chat programs ([R302]). */
export const mainFolder = '/server'

/** The client type of a session or lock. The spec has no number for the mobile page; 8 is ours. [R391] */
export const ClientType = { qrCode: 1, web: 6, mobile: 8, editLock: 64 } as const

/** Returns the part size (of all but the last part) for a file of that size. */
export function partBytesOf(fileSize: number): number {
  const mebibyte = 1024 * 1024
  return Math.max(limits.partBytes, Math.ceil(fileSize / limits.partsMost / mebibyte) * mebibyte)
}
